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
  private let record = ConnectionRecord()
  private let state = Mutex(State())

  private struct State {
    var group: MultiThreadedEventLoopGroup?
    var clients: [Route: HTTPClient] = [:]
    var isShutDown = false
  }

  /// What one client is for.
  private struct Route: Hashable {
    var origin: Origin
    var proxy: ProxyServer?
    var reach: ConnectionGate.Reach
  }

  package init(_ configuration: TransportConfiguration) {
    self.configuration = configuration
    proxies = ProxyVariables(configuration.environment)
  }

  /// How many connections were opened so far.
  var openedCount: Int { record.count }

  /// The way to a request's origin.
  func way(for request: HTTPRequest) throws(TransportFailure) -> Way {
    let origin = request.url.origin
    do {
      let route = try route(for: request)
      if let client = try state.withLock({ try client(over: route, in: &$0) }) {
        return Way(client: client, proxy: route.proxy)
      }
    } catch {
      throw TransportFailure(
        error is RootsError ? .tls : .other, origin: origin.description, detail: "\(error)")
    }
    throw TransportFailure(.cancelled, origin: origin.description, detail: "the transport is shut down")
  }

  private func route(for request: HTTPRequest) throws(ProxyVariableError) -> Route {
    let origin = request.url.origin
    let isOfUser = origin.host == request.home.host
    let reach =
      isOfUser ? .anywhere : ConnectionGate.Reach.publicNetwork(and: record.classes(of: request.home))
    return Route(origin: origin, proxy: try proxies.server(for: origin), reach: reach)
  }

  private func client(over route: Route, in state: inout sending State) throws(RootsError) -> HTTPClient? {
    if state.isShutDown { return nil }
    if let client = state.clients[route] { return client }
    let tls = route.origin.scheme == .https ? try TLSConfiguration(configuration) : nil
    let group = state.group ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var settings = HTTPClient.Configuration(configuration, tls: tls, proxy: route.proxy)
    settings.http1_1ConnectionDebugInitializer = initializer(over: route)
    let client = HTTPClient(eventLoopGroup: group, configuration: settings)
    state.group = group
    state.clients[route] = client
    return client
  }

  /// What is done with a connection that stands, TLS included, before a request is written to it.
  private func initializer(over route: Route) -> @Sendable (any Channel) -> EventLoopFuture<Void> {
    let gate = ConnectionGate(origin: route.origin, reach: route.reach, record: record)
    let isDirect = route.proxy == nil
    return { [record] channel in
      record.add()
      let isReady = ReadSizes.install(in: channel)
      // The address of a proxied connection is the proxy's; the proxy decides where it leads.
      return isDirect ? isReady.flatMap { gate.admission(of: channel) } : isReady
    }
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
