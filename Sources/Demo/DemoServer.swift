import Glibc
import Locking
package import NIOCore
package import NIOHTTP1
import NIOPosix

/// The embedded API server: HTTP/1.1 on the loopback interface, no data file. All servers of a process share one
/// thread.
///
/// It must be stopped. The catalog is built for the first request that searches it.
package final class DemoServer: Sendable {
  /// The port it listens on.
  package let port: Int
  private let listener: any Channel
  private let connections: Connections

  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private init(listener: any Channel, connections: Connections) {
    port = listener.localAddress?.port ?? 0
    self.listener = listener
    self.connections = connections
  }

  /// The base URL, such as `"http://127.0.0.1:8080"`.
  package var baseURL: String { LoopbackName(port: port).baseURL }

  /// Starts listening; the server answers requests from then on.
  ///
  /// - Parameters:
  ///   - port: 0 for any free port.
  ///   - api: Answers the requests that are within the budget.
  ///   - clock: Returns the time of day in seconds since 1970, for the rate limit and the tokens.
  /// - Throws: `DemoServerError` if listening on the port fails.
  package static func start(
    port: Int = 0, api: DemoAPI = .standard, budget: RequestBudget = RequestBudget(),
    clock: @escaping @Sendable () -> Int = DemoServer.timeOfDay
  ) async throws -> DemoServer {
    guard (0...65_535).contains(port) else {
      throw DemoServerError(port: port, reason: "ports range from 0 to 65535")
    }
    let connections = Connections()
    let responder = Responder(api: api, budget: budget, clock: clock)
    do {
      let listener = try await bootstrap(responder, connections).bind(host: "127.0.0.1", port: port).get()
      return DemoServer(listener: listener, connections: connections)
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
      throw DemoServerError(port: port, reason: reason)
    }
  }

  /// Closes the port and immediately closes every connection, including those waiting for a response.
  package func stop() async throws {
    do { try await listener.close() } catch ChannelError.alreadyClosed {}
    await connections.close()
  }

  /// The time of day in seconds since 1970.
  package static func timeOfDay() -> Int { time(nil) }

  private static func bootstrap(_ responder: Responder, _ connections: Connections) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          connections.add(channel)
          let name = LoopbackName(port: channel.localAddress?.port ?? 0)
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(ConnectionHandler(responder: responder, name: name))
        }
      }
  }
}

/// The open connections of a server.
private final class Connections: Sendable {
  private let open = Lock<[ObjectIdentifier: any Channel]>([:])

  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    open.withLock { $0[id] = channel }
    channel.closeFuture.whenComplete { _ in self.open.withLock { $0[id] = nil } }
  }

  /// Closes all connections and returns when they are closed.
  func close() async {
    for channel in open.withLock({ Array($0.values) }) { try? await channel.close() }
  }
}

/// The reason why the server could not start.
package struct DemoServerError: Error, CustomStringConvertible {
  var port: Int
  var reason: String

  package var description: String {
    "cannot listen on 127.0.0.1:\(port): \(reason). Choose another port, or 0 for any free one"
  }
}

/// Answers the requests of all connections of a server, within its budget.
final class Responder: Sendable {
  private let api: DemoAPI
  private let budget: Lock<RequestBudget>
  private let clock: @Sendable () -> Int

  init(api: DemoAPI, budget: RequestBudget, clock: @escaping @Sendable () -> Int) {
    self.api = api
    self.budget = Lock(budget)
    self.clock = clock
  }

  /// The response to a request to the server with this name.
  func response(to head: HTTPRequestHead, body: [UInt8], at name: LoopbackName) -> Response {
    do throws(DemoError) {
      if let refusal = name.refusal(ofHosts: head.headers["host"]) { throw refusal }
      let request = try Request(
        method: head.method.rawValue, target: head.uri, baseURL: name.baseURL, headers: head.headers,
        body: body)
      return response(to: request)
    } catch {
      return error.response
    }
  }

  private func response(to request: Request) -> Response {
    let now = clock()
    var request = request
    request.time = now
    let (refusal, headers) = budget.withLock { ($0.spend(at: now), $0.headers(at: now)) }
    var response: Response
    do throws(DemoError) {
      if let refusal { throw refusal }
      response = try api.response(request)
    } catch {
      response = error.response
    }
    for (name, value) in headers where !response.headers.contains(name: name) {
      response.headers.add(name: name, value: value)
    }
    return response
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
  func refusal(ofHosts hosts: [String]) -> DemoError? {
    if hosts.count == 1, accepts(hosts[0].lowercased()) { return nil }
    return DemoError(400, "the Host header must be 127.0.0.1:\(port) or localhost:\(port)")
  }

  private func accepts(_ host: String) -> Bool {
    ["127.0.0.1", "localhost"].contains { name in
      host == "\(name):\(port)" || (port == 80 && host == name)
    }
  }
}

/// Handles the requests of one connection; the pipeline passes on the next request after the response to the
/// previous one.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart

  private let responder: Responder
  private let name: LoopbackName
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []

  init(responder: Responder, name: LoopbackName) {
    self.responder = responder
    self.name = name
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
    case .body(let part):
      // One byte more than the limit shows that the body is too long.
      body += part.readableBytesView.prefix(Request.bodyLimit + 1 - body.count)
    case .end:
      guard let head else { return }
      let response = responder.response(to: head, body: body, at: name)
      response.delivery.send(response, head, context.channel)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// The way in which a connection sends a response.
package struct ResponseDelivery: Sendable {
  /// Writes the response to a request to a channel, on its event loop.
  package typealias Send =
    @Sendable (_ response: Response, _ to: HTTPRequestHead, _ channel: any Channel) -> Void

  let send: Send

  package init(send: @escaping Send) { self.send = send }

  /// Sends the whole response at once.
  package static let whole = ResponseDelivery { response, request, channel in
    var headers = response.headers
    headers.add(name: "Content-Length", value: String(response.body.count))
    if !request.isKeepAlive { headers.add(name: "Connection", value: "close") }
    let status = HTTPResponseStatus(statusCode: response.status)
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    if request.method != .HEAD {
      channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: response.body))), promise: nil)
    }
    let end = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
    if !request.isKeepAlive { end.whenComplete { _ in channel.close(promise: nil) } }
  }
}
