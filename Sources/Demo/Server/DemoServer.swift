import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

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
