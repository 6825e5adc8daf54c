import AsyncHTTPClient
import NIOCore
import NIOPosix
import Search
import Synchronization

/// The connections of a transport and their one thread. Nothing is started before the first request.
package final class HTTPConnections: Sendable {
  private let configuration: TransportConfiguration
  private let proxies: ProxyVariables
  private let opened = OpenedConnections()
  private let state = Mutex(State.ready)

  private enum State {
    case ready
    /// A client for each proxy in use, and one for direct connections.
    case running(MultiThreadedEventLoopGroup, [ProxyServer?: HTTPClient])
    case shutDown
  }

  package init(_ configuration: TransportConfiguration) {
    self.configuration = configuration
    proxies = ProxyVariables(configuration.environment)
  }

  /// How many connections were opened so far.
  var openedCount: Int { opened.count }

  /// The client for an origin.
  func client(for origin: Origin) throws(TransportFailure) -> HTTPClient {
    let proxy: ProxyServer?
    do {
      proxy = try proxies.server(for: origin)
    } catch {
      throw TransportFailure(.other, origin: origin.description, detail: error.description)
    }
    guard let client = state.withLock({ client(over: proxy, in: &$0) }) else {
      throw TransportFailure(.cancelled, origin: origin.description, detail: "the transport is shut down")
    }
    return client
  }

  private func client(over proxy: ProxyServer?, in state: inout sending State) -> HTTPClient? {
    let group: MultiThreadedEventLoopGroup
    var clients: [ProxyServer?: HTTPClient] = [:]
    switch state {
    case .ready: group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    case .running(let running, let known): (group, clients) = (running, known)
    case .shutDown: return nil
    }
    if let client = clients[proxy] { return client }
    let clientConfiguration = HTTPClient.Configuration(configuration, proxy: proxy, opened: opened)
    let client = HTTPClient(eventLoopGroup: group, configuration: clientConfiguration)
    clients[proxy] = client
    state = .running(group, clients)
    return client
  }

  /// Ends all requests with `cancelled`, closes all connections and stops the thread. Must be called once when
  /// anything was sent; more often does no harm.
  package func shutDown() async {
    let former = state.withLock { state in
      let former = state
      state = .shutDown
      return former
    }
    guard case .running(let group, let clients) = former else { return }
    // Errors here tell of requests that were cut off, or that it has happened before.
    for client in clients.values { try? await client.shutdown() }
    try? await group.shutdownGracefully()
  }
}
