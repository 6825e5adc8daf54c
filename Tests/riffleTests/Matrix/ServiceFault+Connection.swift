import TestSupport

/// Connections that fail, break or stay silent.
extension ServiceFault {
  static let connections = [
    ServiceFault("refused") { _ in [] }
      .with {
        $0.place = .nobody
        $0.reach = .firstPage("the same host has just answered")
      },
    ServiceFault("gone after page 1") { visit in
      [.stopListening, .json(visit.wholePage, "Connection: close"), .close]
    }.with { $0.reach = .secondPage("it is the fault of page 2") },
    ServiceFault("host not found") { _ in [] }
      .with {
        $0.place = .unknownName; $0.reach = .firstPage("the same host has just answered")
      },
    ServiceFault("hang at connect") { _ in [] }.with {
      $0.place = .nowhere
      $0.reach = .firstPage("page 2 comes over the connection of page 1")
      $0.timeout = slow
    },
    ServiceFault("closed before head") { _ in [.close] },
    ServiceFault("reset before head") { _ in [.reset] },
    ServiceFault("reset in head") { _ in
      [.send("HTTP/1.1 200 OK\nContent-Ty"), .pause(milliseconds: seen), .reset]
    },
    ServiceFault("reset in body") { visit in
      [.send(half(visit)), .pause(milliseconds: seen), .reset]
    },
    ServiceFault("closed in body") { visit in [.send(half(visit)), .close] },
    ServiceFault("hang before head") { _ in [] }.with { $0.timeout = slow },
    ServiceFault("hang in head") { _ in [.send("HTTP/1.1 200 OK\nContent-Ty")] }.with { $0.timeout = slow },
    ServiceFault("hang in body") { visit in [.send(half(visit))] }.with { $0.timeout = slow },
    ServiceFault("drip") { visit in
      [.send("HTTP/1.1 200 OK\nContent-Length: 1000000\n\n{"), .drip([0x20], milliseconds: 50)]
    }.with { $0.timeout = slow },
  ]

  /// Long enough for a page that is sent at once, even on a busy machine.
  static let slow = "8s"

  /// Long enough for the sent bytes to be read: a reset discards unread bytes.
  private static let seen: Int64 = 1_500

  /// A response whose second half is missing.
  private static func half(_ visit: Visit) -> String {
    let body = visit.wholePage
    let head = "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\n\n"
    return head + body.prefix(40)
  }
}
