package import HTTPValues
import JSON
package import NIOHTTP1

/// The API of the server: maps a request to a reply, without sockets.
package struct DemoAPI: Sendable {
  package let reply: @Sendable (Request) throws(Refusal) -> Reply

  package init(reply: @escaping @Sendable (Request) throws(Refusal) -> Reply) { self.reply = reply }

  package init(routes: [Route]) {
    self.init { request throws(Refusal) in
      let path = request.url.path
      let matches = routes.lazy.compactMap { route in route.pathValues(in: path).map { (route, $0) } }
      guard let (route, pathValues) = matches.first else {
        let paths = routes.map { $0.paths[0] }.joined(separator: ", ")
        throw Refusal(404, "no route '\(path)'. Routes are \(paths)")
      }
      guard route.methods.contains(request.method) else {
        let methods = route.methods.joined(separator: " and ")
        var reply = Refusal(405, "\(path) supports \(methods), not \(request.method)").reply
        reply.headers.add(name: "Allow", value: route.methods.joined(separator: ", "))
        return reply
      }
      var request = request
      request.pathValues = pathValues
      return try route.reply(request)
    }
  }
}

extension DemoAPI {
  /// What `riffle demo serve` serves.
  package static func standard(_ tokens: TokenStore = TokenStore()) -> DemoAPI {
    DemoAPI(routes: Route.standard(tokens))
  }
}

extension Route {
  /// All routes, which share the tokens that they issue and require.
  package static func standard(_ tokens: TokenStore) -> [Route] {
    [
      .characters, .blocks, .blockCharacters, .privateCharacters(tokens), .me(tokens), .login(tokens),
      .token(tokens), .deviceAuthorization(tokens), .device(tokens),
    ]
  }
}

/// An endpoint of the API.
package struct Route: Sendable {
  /// At least one. A segment in braces stands for any segment: `/blocks/{id}/characters`.
  package let paths: [String]
  package let methods: [String]
  /// What it returns, or what it needs; "" for a route that is listed elsewhere.
  package let summary: String
  package let reply: @Sendable (Request) throws(Refusal) -> Reply

  package init(
    _ paths: [String], methods: [String] = ["GET", "HEAD"], summary: String = "",
    reply: @escaping @Sendable (Request) throws(Refusal) -> Reply
  ) {
    self.paths = paths
    self.methods = methods
    self.summary = summary
    self.reply = reply
  }

  /// The segments of a path that stand in braces in one of the route's own, by name; nil if it has no such path.
  func pathValues(in path: String) -> [String: String]? {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    return paths.lazy.compactMap { own -> [String: String]? in
      let names = own.split(separator: "/", omittingEmptySubsequences: false)
      guard names.count == segments.count else { return nil }
      var values: [String: String] = [:]
      for (name, segment) in zip(names, segments) where name != segment {
        guard name.hasPrefix("{"), !segment.isEmpty else { return nil }
        values[String(name.dropFirst().dropLast())] = PercentEncoding.decoded(segment)
      }
      return values
    }.first
  }
}

/// The parts of a request that the API uses.
package struct Request: Sendable {
  package let method: String
  /// The requested URL on this server.
  package var url: WebURL
  package let headers: HTTPHeaders
  package let body: [UInt8]
  /// When it was received, in seconds since 1970.
  package var time = 0
  /// The segments of the path that the route has names for.
  var pathValues: [String: String] = [:]
  /// The members of the body, if the route reads them; see `readingForm`.
  private var form: [String: String] = [:]
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
  ) throws(Refusal) {
    guard let base = try? WebURL(baseURL), let url = try? base.resolving(target), url.origin == base.origin
    else { throw Refusal(400, "'\(target)' is not a URL of \(baseURL)") }
    guard body.count <= Self.bodyLimit else {
      throw Refusal(413, "the body must have at most \(Self.bodyLimit) bytes")
    }
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The first value of a parameter in the form or in the query.
  package subscript(name: String) -> String? {
    form[name] ?? url.queryItems.first { $0.name == name }?.value
  }

  /// The first value of a parameter as a number, limited to `most`; `standard` if it is absent or
  /// empty.
  package func number(
    _ name: String, from least: Int, to most: Int = largestNumber, standard: Int
  ) throws(Refusal) -> Int {
    guard let text = self[name], !text.isEmpty else { return standard }
    guard let number = Int(text), number >= least else {
      throw Refusal(422, "\(name) must be a whole number from \(least), but is '\(text)'")
    }
    return min(number, most)
  }

  /// This request with the members of its body as parameters: a form, or a JSON object whose members are texts or
  /// numbers.
  func readingForm() throws(Refusal) -> Request {
    var request = self
    let isJSON = headers.first(name: "Content-Type")?.lowercased().hasPrefix("application/json") ?? false
    if isJSON {
      guard let json = try? JSONDocument(body), json.root.kind == .object else {
        throw Refusal(400, "the body is not a JSON object")
      }
      for (name, value) in json.root.members { request.form[name] = value.text }
    } else {
      for item in body.split(separator: UInt8(ascii: "&")) {
        let pair = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
          .map { PercentEncoding.decoded(String(decoding: $0, as: UTF8.self), plusIsSpace: true) }
        if request.form[pair[0]] == nil { request.form[pair[0]] = pair.count > 1 ? pair[1] : "" }
      }
    }
    return request
  }

  /// The URL of this request with one parameter changed.
  package func url(setting name: String, to value: String) -> WebURL {
    var url = url
    url.setQueryItem(name: name, value: value)
    return url
  }
}

/// A reply as a value: status, header fields (without the framing, which the connection adds), and body.
package struct Reply: Sendable {
  package var status: Int
  package var headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
  package var body: [UInt8]
  package var delivery = ReplyDelivery.whole

  package init(status: Int = 200, json value: some JSONConvertible) {
    self.status = status
    body = Array(value.json.utf8)
  }
}

/// Why a request gets an error reply: a status and a message.
package struct Refusal: Error, Equatable {
  package let status: Int
  package let message: String

  package init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  package var reply: Reply { Reply(status: status, json: ["message": message] as JSONObject) }
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
