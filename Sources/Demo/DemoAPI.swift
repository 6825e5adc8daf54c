import HTTPValues
import NIOHTTP1

/// The API of the server: maps a request to a reply, without sockets.
package struct DemoAPI: Sendable {
  package let reply: @Sendable (Request) throws(Refusal) -> Reply

  package init(reply: @escaping @Sendable (Request) throws(Refusal) -> Reply) { self.reply = reply }

  package init(routes: [Route]) {
    self.init { request throws(Refusal) in
      let path = request.url.path
      guard let route = routes.first(where: { $0.paths.contains(path) }) else {
        let paths = routes.map { $0.paths[0] }.joined(separator: ", ")
        throw Refusal(404, "no route '\(path)'. Routes are \(paths)")
      }
      guard route.methods.contains(request.method) else {
        let methods = route.methods.joined(separator: " and ")
        var reply = Refusal(405, "\(path) supports \(methods), not \(request.method)").reply
        reply.headers.add(name: "Allow", value: route.methods.joined(separator: ", "))
        return reply
      }
      return try route.reply(request)
    }
  }
}

/// An endpoint of the API.
package struct Route: Sendable {
  /// At least one.
  package let paths: [String]
  package let methods: [String]
  package let reply: @Sendable (Request) throws(Refusal) -> Reply

  package init(
    _ paths: [String], methods: [String] = ["GET", "HEAD"],
    reply: @escaping @Sendable (Request) throws(Refusal) -> Reply
  ) {
    self.paths = paths
    self.methods = methods
    self.reply = reply
  }
}

/// The requests counted in the current window. A window begins with the first request after the end of the
/// previous one.
package struct RequestBudget: Sendable {
  /// The number of requests answered per window.
  private let limit: Int
  /// In seconds.
  private let window: Int
  private var remaining: Int
  /// The end of the window in seconds since 1970; 0 before the first request.
  private var reset = 0

  /// - Parameters:
  ///   - limit: At least 1; by default more than a user or a test can exhaust.
  ///   - window: At least 1.
  package init(limit: Int = 10_000, window: Int = 60) {
    self.limit = limit
    self.window = window
    remaining = limit
  }

  /// Counts a request at a time in seconds since 1970. Returns a `Refusal` if the budget is exhausted.
  mutating func spend(at now: Int) -> Refusal? {
    if now >= reset {
      remaining = limit
      reset = now + window
    }
    guard remaining > 0 else {
      return Refusal(429, "rate limit of \(limit) requests reached. Wait \(reset - now) s")
    }
    remaining -= 1
    return nil
  }

  /// The header fields that report the budget to a client.
  func headers(at now: Int) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": String(remaining),
      "X-RateLimit-Reset": String(reset),
    ]
    if remaining == 0 { headers.add(name: "Retry-After", value: String(max(0, reset - now))) }
    return headers
  }
}
