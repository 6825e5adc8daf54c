/// The API of the server: maps a request to a reply plan, without sockets.
struct DemoAPI: Sendable {
  var routes = Route.all
  var faults = Fault.all

  /// The reply plan for an admitted request.
  func plan(for request: Request) -> ReplyPlan {
    do throws(Refusal) {
      let delay = try request.query.number("delay", in: 0...Self.longestDelay, standard: 0)
      guard let fault = try fault(striking: request) else {
        return ReplyPlan(reply: try reply(to: request), delay: delay)
      }
      let request = fault.misled(request)
      let plan = ReplyPlan(reply: try reply(to: request), delay: delay)
      return try fault.plan(instead: plan, for: request)
    } catch {
      return ReplyPlan(reply: error.reply)
    }
  }

  /// Ten minutes, in milliseconds.
  private static let longestDelay = 600_000

  private func reply(to request: Request) throws(Refusal) -> Reply {
    guard let route = routes.first(where: { $0.paths.contains(request.path) }) else {
      throw Refusal(404, "no route '\(request.path)'. See / for all routes")
    }
    guard route.method.names.contains(request.method) else {
      let names = route.method.names
      let answered = names.joined(separator: " and ")
      var reply = Refusal(405, "\(request.path) supports \(answered), not \(request.method)").reply
      reply.add("Allow", names.joined(separator: ", "))
      return reply
    }
    return try route.reply(to: request)
  }

  /// The requested fault, if it applies to this request; if several apply, they take turns.
  private func fault(striking request: Request) throws(Refusal) -> Fault? {
    let names = (request.query["fault"] ?? "").split(separator: ",").map(String.init)
    guard !names.isEmpty else { return nil }
    var requested: [Fault] = []
    for name in names { requested.append(try fault(named: name)) }
    let first = try request.query.number("from", in: 1...Self.mostRequests, standard: 1)
    let times = try request.query.number("times", in: 1...Self.mostRequests, standard: Self.mostRequests)
    let every = try request.query.number("every", in: 1...Self.mostRequests, standard: 1)
    let (turn, rest) = (request.number - first).quotientAndRemainder(dividingBy: every)
    return rest == 0 && (0..<times).contains(turn) ? requested[turn % requested.count] : nil
  }

  private func fault(named name: String) throws(Refusal) -> Fault {
    if let fault = faults.first(where: { $0.name == name }) { return fault }
    let names = faults.map(\.name).joined(separator: ", ")
    throw Refusal(422, "unknown fault '\(name)'. Faults are \(names)")
  }

  private static let mostRequests = 1_000_000_000
}

/// An endpoint of the API.
struct Route: Sendable {
  /// The HTTP method.
  enum Method: Sendable {
    case get, post

    var names: [String] { self == .get ? ["GET", "HEAD"] : ["POST"] }
  }

  /// An example request for the route.
  struct Example: Sendable {
    /// The query including its question mark, or "".
    var query: String
    var body: String?

    init(_ query: String, body: String? = nil) {
      self.query = query
      self.body = body
    }
  }

  let path: String
  /// The path, and the alternative paths of the same route.
  let paths: [String]
  let method: Method
  /// A one-line description, including the parameters.
  let summary: String
  let example: Example
  /// The part of a source document for the route after the line with `url`, in TOML.
  private let settings: String
  private let handler: @Sendable (Request) throws(Refusal) -> Reply

  init(
    _ path: String, also aliases: [String] = [], method: Method = .get, summary: String, example: Example,
    settings: String,
    handler: @escaping @Sendable (Request) throws(Refusal) -> Reply
  ) {
    self.path = path
    paths = [path] + aliases
    self.method = method
    self.summary = summary
    self.example = example
    self.settings = settings
    self.handler = handler
  }

  func reply(to request: Request) throws(Refusal) -> Reply { try handler(request) }

  /// The lines of a source document that lets riffle page through the route.
  func document(baseURL: String) -> [String] {
    let id = "demo" + path.replacing("/", with: "-")
    let head = ["schema = 1", "id = '\(id)'", "[request]", "url = '\(baseURL)\(path)'"]
    return head + settings.split(separator: "\n").map(String.init)
  }

  /// All routes except the index. To add one, write its file and add it here.
  static let listed: [Route] = [
    pages, pagesFromZero, offset, cursor, cursorInHeader, keyset, inclusiveKeyset, searchAfter, link,
    linkInBody, relativeLink, queryLink, merge, graphQL, mapRows, columnRows, scalarRows, single,
  ]

  static let all = [index] + listed
}

/// The number of requests answered per time window.
package struct RequestAllowance: Sendable {
  /// At least 1.
  package var limit: Int
  /// In seconds, at least 1.
  package var window: Int

  package init(limit: Int, window: Int) {
    self.limit = limit
    self.window = window
  }

  /// More than a user or a test can exhaust.
  package static let generous = RequestAllowance(limit: 10_000, window: 60)
}

/// The requests counted in the current window. A window begins with the first request after the end of the
/// previous one.
struct RequestBudget: Sendable {
  let allowance: RequestAllowance
  private(set) var remaining: Int
  /// The end of the window in seconds since 1970; 0 before the first request.
  private(set) var reset: Int

  init(_ allowance: RequestAllowance) {
    self.allowance = allowance
    remaining = allowance.limit
    reset = 0
  }

  /// Counts a request at a time in seconds since 1970. Returns a `Refusal` if the budget is exhausted.
  mutating func spend(at now: Int) -> Refusal? {
    if now >= reset {
      remaining = allowance.limit
      reset = now + allowance.window
    }
    guard remaining > 0 else {
      return Refusal(429, "rate limit of \(allowance.limit) requests reached. Wait \(reset - now) s")
    }
    remaining -= 1
    return nil
  }

  /// The header fields that report the budget to a client.
  func fields(at now: Int) -> [Reply.Field] {
    let wait = Reply.Field(name: "Retry-After", value: String(max(0, reset - now)))
    return [
      Reply.Field(name: "X-RateLimit-Limit", value: String(allowance.limit)),
      Reply.Field(name: "X-RateLimit-Remaining", value: String(remaining)),
      Reply.Field(name: "X-RateLimit-Reset", value: String(reset)),
    ] + (remaining == 0 ? [wait] : [])
  }
}
