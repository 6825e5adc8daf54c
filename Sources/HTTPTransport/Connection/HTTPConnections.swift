import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import Search
import Synchronization

/// The connections of a transport and their one thread. Nothing is started before the first request.
package final class HTTPConnections: Sendable {
  let configuration: TransportConfiguration
  private let proxies: ProxyVariables
  private let opened = OpenedConnections()
  private let state = Mutex(State())

  private struct State {
    var group: MultiThreadedEventLoopGroup?
    var clients: [Route: HTTPClient] = [:]
    var isShutDown = false
  }

  /// What one client is for.
  private struct Route: Hashable {
    var scheme: WebURL.Scheme
    var proxy: ProxyServer?
  }

  package init(_ configuration: TransportConfiguration) {
    self.configuration = configuration
    proxies = ProxyVariables(configuration.environment)
  }

  /// How many connections were opened so far.
  var openedCount: Int { opened.count }

  /// The client for an origin.
  func client(for origin: Origin) throws(TransportFailure) -> HTTPClient {
    do {
      let route = Route(scheme: origin.scheme, proxy: try proxies.server(for: origin))
      if let client = try state.withLock({ try client(over: route, in: &$0) }) { return client }
    } catch {
      throw TransportFailure(
        error is RootsError ? .tls : .other, origin: origin.description, detail: "\(error)")
    }
    throw TransportFailure(.cancelled, origin: origin.description, detail: "the transport is shut down")
  }

  private func client(over route: Route, in state: inout sending State) throws(RootsError) -> HTTPClient? {
    if state.isShutDown { return nil }
    if let client = state.clients[route] { return client }
    let tls = route.scheme == .https ? try TLSConfiguration(configuration) : nil
    let group = state.group ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let client = HTTPClient(
      eventLoopGroup: group,
      configuration: HTTPClient.Configuration(configuration, tls: tls, proxy: route.proxy, opened: opened))
    state.group = group
    state.clients[route] = client
    return client
  }

  /// Ends all requests with `cancelled`, closes all connections and stops the thread. Must be called once when
  /// anything was sent; more often does no harm.
  package func shutDown() async {
    let former = state.withLock { state in
      let former = state
      state = State(isShutDown: true)
      return former
    }
    // The only errors here tell of requests that were cut off.
    for client in former.clients.values { try? await client.shutdown() }
    try? await former.group?.shutdownGracefully()
  }
}
