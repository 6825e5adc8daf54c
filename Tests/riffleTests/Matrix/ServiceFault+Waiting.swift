import TestSupport

@testable import DemoTesting

/// Services that ask clients to wait.
extension ServiceFault {
  static let waits = [
    ServiceFault("403, Retry-After an hour") { _ in [.refusal("403 Forbidden", hour)] },
    ServiceFault("403, nothing remaining for an hour") { visit in
      // The wait is half a minute longer than an hour, so the displayed rest is the same even if the response is read
      // late.
      [.refusal("403 Forbidden", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(visit.time + 3630)")]
    }.with { $0.tables = limits },
    ServiceFault("403, a limit by its words") { _ in [.refusal("403 Forbidden")] }.with {
      $0.tables = """
        [[errors.rate_limited]]
        status = 403
        match = { path = "message", contains = "own words" }
        """
    },
    ServiceFault("429, Retry-After an hour") { _ in [.refusal("429 Too Many Requests", hour)] },
    ServiceFault("429 until a date in an hour") { visit in
      [.refusal("429 Too Many Requests", dates(visit.time, wait: 3600))]
    },
    ServiceFault("429, nothing remaining for an hour") { visit in
      [.refusal("429 Too Many Requests", "RateLimit: \"default\";r=0;t=3600")]
    },
    ServiceFault("429 and no more") { _ in [.refusal("429 Too Many Requests")] },
    ServiceFault("429 once, Retry-After 1 s") { visit in
      visit.earlier == 0 ? [.refusal("429 Too Many Requests", "Retry-After: 1")] : [.json(visit.wholePage)]
    },
    ServiceFault("503 until a date in an hour") { visit in
      [.refusal("503 Service Unavailable", dates(visit.time, wait: 3600))]
    },
    ServiceFault("503 once") { visit in
      visit.earlier == 0 ? [.refusal("503 Service Unavailable")] : [.json(visit.wholePage)]
    },
  ]

  /// The clock of the service is wrong; it asks for a wait of one second.
  static let clocks = [("an hour ahead", 3600), ("an hour behind", -3600)].flatMap { name, offset in
    [
      ServiceFault("clock \(name), 429 until a date") { visit in
        visit.earlier == 0
          ? [.refusal("429 Too Many Requests", dates(visit.time + offset, wait: 1))]
          : [.json(visit.wholePage)]
      },
      ServiceFault("clock \(name), nothing remaining until then") { visit in
        let now = visit.time + offset
        let fields =
          "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: \(now + 1)\r\nDate: \(HTTPDate.text(now))"
        return visit.earlier == 0
          ? [.refusal("429 Too Many Requests", fields)] : [.json(visit.wholePage)]
      }.with { $0.tables = limits },
    ]
  }

  private static let hour = "Retry-After: 3600"

  private static func dates(_ now: Int, wait: Int) -> String {
    "Date: \(HTTPDate.text(now))\r\nRetry-After: \(HTTPDate.text(now + wait))"
  }

  private static let limits = """
    [limits]
    remaining = "header:X-RateLimit-Remaining"
    reset = { from = "header:X-RateLimit-Reset", kind = "epoch" }
    """
}
