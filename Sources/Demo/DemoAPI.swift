package import HTTPValues
package import NIOHTTP1

/// The API of the server: maps a request to a response, without sockets.
package struct DemoAPI: Sendable {
  package let response: @Sendable (Request) throws(DemoError) -> Response

  package init(response: @escaping @Sendable (Request) throws(DemoError) -> Response) {
    self.response = response
  }

  package init(routes: [Route]) {
    self.init { request throws(DemoError) in
      let path = request.url.path
      guard let route = routes.first(where: { $0.paths.contains(path) }) else {
        let paths = routes.map { $0.paths[0] }.joined(separator: ", ")
        throw DemoError(404, "no route '\(path)'. Routes are \(paths)")
      }
      guard route.methods.contains(request.method) else {
        let methods = route.methods.joined(separator: " and ")
        var response = DemoError(405, "\(path) supports \(methods), not \(request.method)").response
        response.headers.add(name: "Allow", value: route.methods.joined(separator: ", "))
        return response
      }
      return try route.response(request)
    }
  }
}

extension DemoAPI {
  /// The API of `riffle demo serve`.
  package static let standard = DemoAPI(routes: [.characters])
}

/// An endpoint of the API.
package struct Route: Sendable {
  /// The paths of the route; at least one.
  package let paths: [String]
  package let methods: [String]
  package let response: @Sendable (Request) throws(DemoError) -> Response

  package init(
    _ paths: [String], methods: [String] = ["GET", "HEAD"],
    response: @escaping @Sendable (Request) throws(DemoError) -> Response
  ) {
    self.paths = paths
    self.methods = methods
    self.response = response
  }
}

/// The parts of a request that the API uses.
package struct Request: Sendable {
  package let method: String
  /// The requested URL on this server.
  package var url: WebURL
  package let headers: HTTPHeaders
  package let body: [UInt8]
  /// When the request was received, in seconds since 1970.
  package var time = 0
  /// How the rows are divided into pages.
  package var paging = Paging.regular

  /// The maximum length of a body, in bytes.
  static let bodyLimit = 64 << 10

  /// Limits the numbers in a request, so that computing with them cannot overflow.
  package static let largestNumber = 1_000_000_000

  /// - Parameters:
  ///   - target: The request target as sent, in origin form (`/characters?q=x`) or in absolute form for this
  ///     server (`http://127.0.0.1:8080/characters?q=x`), RFC 9112 section 3.2.
  ///   - baseURL: The server's own base URL: `"http://127.0.0.1:8080"`.
  package init(
    method: String = "GET", target: String, baseURL: String, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) throws(DemoError) {
    guard let base = try? WebURL(baseURL), let url = try? base.resolving(target), url.origin == base.origin
    else { throw DemoError(400, "'\(target)' is not a URL of \(baseURL)") }
    guard body.count <= Self.bodyLimit else {
      throw DemoError(413, "the body can be up to \(Self.bodyLimit) bytes")
    }
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The first value of a parameter in the query.
  package subscript(name: String) -> String? { url.queryItems.first { $0.name == name }?.value }

  /// The first value of a parameter as a number, limited to `most`; `standard` if it is absent or
  /// empty.
  package func number(
    _ name: String, from least: Int, to most: Int = largestNumber, standard: Int
  ) throws(DemoError) -> Int {
    guard let text = self[name], !text.isEmpty else { return standard }
    guard let number = Int(text), number >= least else {
      throw DemoError(422, "\(name) must be a whole number from \(least), but is '\(text)'")
    }
    return min(number, most)
  }

  /// The URL of this request with one parameter changed.
  package func url(setting name: String, to value: String) -> WebURL {
    var url = url
    url.setQueryItem(name: name, value: value)
    return url
  }
}

/// A response as a value: status, header fields (without the framing, which the connection adds), and body.
package struct Response: Sendable {
  package var status: Int
  package var headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
  package var body: [UInt8]
  package var delivery = ResponseDelivery.whole

  package init(status: Int = 200, json value: some JSONConvertible) {
    self.status = status
    body = Array(value.json.utf8)
  }
}

/// An error response to a request: a status and a message.
package struct DemoError: Error, Equatable {
  package let status: Int
  package let message: String

  package init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  package var response: Response { Response(status: status, json: ["message": message] as JSONObject) }
}

/// The requests counted in the current window. A window begins with the first request after the end of the
/// previous one.
package struct RequestBudget: Sendable {
  /// The number of requests answered per window.
  private let limit: Int
  /// The length of the window in seconds.
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

  /// Counts a request at a time in seconds since 1970. Returns a `DemoError` if the budget is exhausted.
  mutating func spend(at now: Int) -> DemoError? {
    if now >= reset {
      remaining = limit
      reset = now + window
    }
    guard remaining > 0 else {
      return DemoError(429, "rate limit of \(limit) requests reached. Wait \(reset - now) s")
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
