import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The embedded API server: HTTP/1.1 on the loopback interface, one thread, no data file.
///
/// It must be stopped. The catalog is built for the first request that searches it.
package final class DemoServer: Sendable {
  /// The port it listens on.
  package let port: Int
  private let group: MultiThreadedEventLoopGroup
  private let responder: Responder

  private init(port: Int, group: MultiThreadedEventLoopGroup, responder: Responder) {
    self.port = port
    self.group = group
    self.responder = responder
  }

  /// `"http://127.0.0.1:8080"`.
  package var baseURL: String { LoopbackName(port: port).baseURL }

  /// The targets of the latest requests (at least 5,000 of them), oldest first: `["/characters?q=x"]`.
  package var requestLog: [String] { responder.log }

  /// Starts listening; the server answers requests from then on.
  ///
  /// - Parameters:
  ///   - port: 0 for any free port.
  ///   - clock: Returns the time of day in seconds since 1970, for the rate limit.
  /// - Throws: `DemoServerFailure` if listening on the port fails.
  package static func start(
    port: Int = 0, allowance: RequestAllowance = .generous,
    clock: @escaping @Sendable () -> Int = DemoServer.timeOfDay
  ) async throws -> DemoServer {
    guard (0...65_535).contains(port) else {
      throw DemoServerFailure(port: port, reason: "ports range from 0 to 65535")
    }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let responder = Responder(allowance: allowance, clock: clock)
    do {
      let channel = try await bootstrap(group, responder).bind(host: "127.0.0.1", port: port).get()
      return DemoServer(port: channel.localAddress?.port ?? port, group: group, responder: responder)
    } catch {
      try await group.shutdownGracefully()
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
      throw DemoServerFailure(port: port, reason: reason)
    }
  }

  /// Closes the port and immediately closes every connection, including those waiting for a reply.
  package func stop() async throws {
    try await group.shutdownGracefully()
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ responder: Responder
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let name = LoopbackName(port: channel.localAddress?.port ?? 0)
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(ConnectionHandler(responder: responder, name: name))
        }
      }
  }
}

/// Why the server could not start.
package struct DemoServerFailure: Error, CustomStringConvertible {
  var port: Int
  var reason: String

  package var description: String {
    "cannot listen on 127.0.0.1:\(port): \(reason). Choose another port, or 0 for any free one"
  }
}

extension DemoServer {
  /// The time of day in seconds since 1970.
  package static func timeOfDay() -> Int { time(nil) }
}

/// The state shared by all connections of a server: the API, the budget, the request counts, and the log of
/// request targets.
final class Responder: Sendable {
  private let api = DemoAPI()
  private let clock: @Sendable () -> Int
  private let state: Mutex<State>

  private struct State {
    var budget: RequestBudget
    var counts = RunRequestCounts()
    var log: [String] = []
  }

  init(allowance: RequestAllowance, clock: @escaping @Sendable () -> Int) {
    self.clock = clock
    state = Mutex(State(budget: RequestBudget(allowance)))
  }

  /// The targets of the latest requests, oldest first.
  var log: [String] { state.withLock { $0.log } }

  /// The maximum number of targets in the log.
  private static let longestLog = 10_000

  /// The reply plan for a request to the server with this name.
  func plan(for head: HTTPRequestHead, body: RequestBody, to name: LoopbackName) -> ReplyPlan {
    record(head.uri)
    if let refusal = name.refusal(ofHosts: head.headers["host"]) { return ReplyPlan(reply: refusal.reply) }
    if body.isTooLong {
      return ReplyPlan(reply: Refusal(413, "the body must have at most \(RequestBody.limit) bytes").reply)
    }
    var request = Request(method: head.method.rawValue, target: head.uri, baseURL: name.baseURL)
    request.body = body.bytes
    request.time = clock()
    return plan(for: request)
  }

  private func plan(for request: Request) -> ReplyPlan {
    var request = request
    let (refusal, fields) = state.withLock { state in
      let refusal = state.budget.spend(at: request.time)
      if refusal == nil, let runID = request.runID { request.number = state.counts.add(runID) }
      return (refusal, state.budget.fields(at: request.time))
    }
    var plan = refusal.map { ReplyPlan(reply: $0.reply) } ?? api.plan(for: request)
    for field in fields where plan.reply[field.name] == nil { plan.reply.fields.append(field) }
    return plan
  }

  private func record(_ target: String) {
    state.withLock { state in
      if state.log.count == Self.longestLog { state.log.removeFirst(Self.longestLog / 2) }
      state.log.append(target)
    }
  }
}

/// The host names of a server on the loopback interface.
///
/// A page of another site can make a browser send requests to a loopback server under the site's own name
/// (DNS rebinding), but it cannot forge the `Host` field.
struct LoopbackName: Sendable, Equatable {
  var port: Int

  var baseURL: String { "http://127.0.0.1:\(port)" }

  /// A refusal unless there is exactly one `Host` field, and it names this server.
  func refusal(ofHosts hosts: [String]) -> Refusal? {
    if hosts.count == 1, accepts(hosts[0].lowercased()) { return nil }
    return Refusal(400, "the Host header must be 127.0.0.1:\(port) or localhost:\(port)")
  }

  private func accepts(_ host: String) -> Bool {
    ["127.0.0.1", "localhost"].contains { name in
      host == "\(name):\(port)" || (port == 80 && host == name)
    }
  }
}
