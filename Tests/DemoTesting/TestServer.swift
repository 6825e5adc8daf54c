package import Demo
import HTTPValues
import Locking

/// The demo server with all routes and faults, and a log of its requests. It must be stopped.
package struct TestServer: Sendable {
  private let server: DemoServer
  private let requests: ReceivedRequests

  package var port: Int { server.port }
  /// `"http://127.0.0.1:8080"`.
  package var baseURL: String { server.baseURL }
  /// The targets of the latest requests (at least 5,000 of them), oldest first: `["/characters?q=x"]`.
  package var requestLog: [String] { requests.targets }

  /// Starts a server as `DemoServer.start` does.
  package static func start(
    port: Int = 0, budget: RequestBudget = RequestBudget(),
    clock: @escaping @Sendable () -> Int = DemoServer.timeOfDay
  ) async throws -> TestServer {
    let (faults, requests) = (FaultyAPI(), ReceivedRequests())
    let api = DemoAPI { request throws(DemoError) in
      try faults.plan(for: request, number: requests.add(request), at: clock()).planned
    }
    return TestServer(
      server: try await DemoServer.start(port: port, api: api, budget: budget, clock: clock),
      requests: requests)
  }

  package func stop() async throws { try await server.stop() }
}

/// The log of a server, and its counts of requests.
final class ReceivedRequests: Sendable {
  private let state = Lock<(targets: [String], counts: RunRequestCounts)>(([], RunRequestCounts()))

  /// The targets of the latest requests, oldest first.
  var targets: [String] { state.withLock { $0.targets } }

  /// The maximum number of targets in the log.
  private static let maxLogSize = 10_000

  /// Logs and counts a request. Returns its number in its sequence, from 1; see `Request.runID`.
  func add(_ request: Request) -> Int {
    state.withLock { state in
      if state.targets.count == Self.maxLogSize { state.targets.removeFirst(Self.maxLogSize / 2) }
      state.targets.append(request.url.requestTarget)
      return request.runID.map { state.counts.add($0) } ?? 1
    }
  }
}

/// All routes and faults, without sockets. The tokens that it issues are its own.
struct FaultyAPI: Sendable {
  private let api = DemoAPI(routes: routes)

  static var routes: [Route] {
    let tokens = TokenStore()
    return ListedRoute.all.map(\.route) + [
      .blocks, .privateCharacters(tokens), .me(tokens), .login(tokens), .token(tokens),
      .deviceAuthorization(tokens), .device(tokens), .capped, .crowded,
    ] + Route.blockCharacters
  }

  /// The response plan for an admitted request.
  ///
  /// - Parameters:
  ///   - number: The number of this request in its sequence, from 1; see `Request.runID`.
  ///   - time: In seconds since 1970.
  func plan(for request: Request, number: Int = 1, at time: Int = 0) throws(DemoError) -> ResponsePlan {
    let delay = try request.number("delay", from: 0, to: Self.maxDelay, standard: 0)
    guard let fault = try fault(striking: request, number: number) else {
      return ResponsePlan(response: try api.response(request), time: time, delay: delay)
    }
    let request = fault.misled(request)
    let plan = ResponsePlan(response: try api.response(request), time: time, delay: delay)
    return try fault.plan(instead: plan, for: request)
  }

  /// The response to a request without its delay and delivery.
  func response(to request: Request) -> Response {
    do throws(DemoError) { return try plan(for: request).response } catch { return error.response }
  }

  /// Ten minutes, in milliseconds.
  private static let maxDelay = 600_000

  /// The requested fault, if it applies to this request; if several apply, they take turns.
  private func fault(striking request: Request, number: Int) throws(DemoError) -> Fault? {
    let names = (request["fault"] ?? "").split(separator: ",").map(String.init)
    guard !names.isEmpty else { return nil }
    var requested: [Fault] = []
    for name in names { requested.append(try Fault(named: name)) }
    let first = try request.number("from", from: 1, standard: 1)
    let times = try request.number("times", from: 1, standard: Request.largestNumber)
    let every = try request.number("every", from: 1, standard: 1)
    let (turn, rest) = (number - first).quotientAndRemainder(dividingBy: every)
    return rest == 0 && (0..<times).contains(turn) ? requested[turn % requested.count] : nil
  }
}

extension Request {
  /// The server's base URL: `"http://127.0.0.1:8080"`.
  var baseURL: String { "\(url.origin)" }

  /// The common identity of all requests of one search, by which a fault applies to some of them by their
  /// number; nil without a fault. A different `run`, with any value, starts a new sequence.
  var runID: String? {
    guard let fault = self["fault"], !fault.isEmpty else { return nil }
    let parts = ["q", "fault", "from", "times", "every", "run"].map { self[$0] ?? "" }
    return ([url.path] + parts.map(PercentEncoding.encoded)).joined(separator: "&")
  }
}
