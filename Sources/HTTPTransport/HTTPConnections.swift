import AsyncHTTPClient
import Dispatch
import HTTPValues
import Locking
import NIOCore
import NIOPosix
import NIOSSL

/// The connections of a transport. Nothing is started before the first request.
package final class HTTPConnections: Sendable {
  let configuration: TransportConfiguration
  private let proxies: ProxyVariables
  let cookies = CookieJar()
  private let record = ConnectionRecord()
  private let state = Lock(State())

  /// The event loop thread of all connections. It runs as long as the process, because the libraries may
  /// still have work to do for an abandoned connection after everything else has ended.
  static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private struct State {
    var clients: [ClientKey: HTTPClient] = [:]
    var isClosed = false
  }

  /// The properties of a connection that determine which client is used.
  private struct ClientKey: Hashable {
    var origin: Origin
    var proxy: ProxyServer?
    var allowedNetworks: ConnectionGate.AllowedNetworks
  }

  package init(_ configuration: TransportConfiguration) {
    self.configuration = configuration
    proxies = ProxyVariables(configuration.environment)
  }

  /// The client for a request's origin, and its proxy if it uses one.
  func route(for request: HTTPRequest) throws(TransportError) -> (client: HTTPClient, proxy: ProxyServer?) {
    let origin = request.url.origin
    do {
      let key = try key(for: request)
      if let client = try state.withLock({ try client(over: key, in: &$0) }) {
        return (client, key.proxy)
      }
    } catch let error as RootsError {
      throw TransportError(
        .noRoots(setting: error.setting), origin: origin.description, detail: error.description)
    } catch let error as ProxyVariableError {
      throw TransportError(.invalidProxy, origin: origin.description, detail: "\(error)")
    } catch {
      throw TransportError(.other, origin: origin.description, detail: "\(error)")
    }
    throw TransportError(.cancelled, origin: origin.description, detail: "the transport has been shut down")
  }

  private func key(for request: HTTPRequest) throws(ProxyVariableError) -> ClientKey {
    let origin = request.url.origin
    let isOfUser = origin.host == request.home.host
    let allowedNetworks =
      isOfUser ? .named : ConnectionGate.AllowedNetworks.publicNetwork(and: record.classes(of: request.home))
    return ClientKey(origin: origin, proxy: try proxies.server(for: origin), allowedNetworks: allowedNetworks)
  }

  private func client(over key: ClientKey, in state: inout sending State) throws(RootsError) -> HTTPClient? {
    if state.isClosed { return nil }
    if let client = state.clients[key] { return client }
    let tls = key.origin.scheme == .https ? try TLSConfiguration(configuration) : nil
    var settings = HTTPClient.Configuration(configuration, tls: tls, proxy: key.proxy)
    settings.http1_1ConnectionDebugInitializer = initializer(over: key)
    let client = HTTPClient(eventLoopGroup: Self.group, configuration: settings)
    state.clients[key] = client
    return client
  }

  /// The handlers added to an established connection, after TLS, before a request is written to it.
  private func initializer(over key: ClientKey) -> @Sendable (any Channel) -> EventLoopFuture<Void> {
    let gate = ConnectionGate(
      origin: key.origin, allowedNetworks: key.allowedNetworks, record: record,
      hostClass: configuration.hostClass)
    let isDirect = key.proxy == nil
    return { channel in
      let isReady = ResponseValidator.install(in: channel, of: key.origin)
      // A proxied connection has the proxy's address; the proxy decides where it leads.
      return isDirect ? isReady.flatMap { gate.admission(of: channel) } : isReady
    }
  }

  deinit { close() }

  /// Ends all requests with `cancelled` and abandons all connections, without waiting for any that is still
  /// being established. Later requests fail; repeated calls have no effect.
  package func close() {
    let clients = state.withLock { state in
      defer { state = State(isClosed: true) }
      return Array(state.clients.values)
    }
    for client in clients { client.shutdown(queue: Self.closing) { _ in } }
  }

  private static let closing = DispatchQueue(label: "riffle.connections")
}

extension HTTPClient.Configuration {
  /// HTTP/1.1 with keep-alive. Redirects and retries of the library are disabled, because this module
  /// implements its own.
  ///
  /// - Parameter tls: Nil if the client is never used for https.
  init(_ configuration: TransportConfiguration, tls: TLSConfiguration?, proxy: ProxyServer?) {
    let limits = configuration.limits
    self.init(
      tlsConfiguration: tls,
      redirectConfiguration: .disallow,
      timeout: Timeout(connect: TimeAmount(limits.connect), read: nil),
      connectionPool: ConnectionPool(
        idleTimeout: .seconds(60), concurrentHTTP1ConnectionsPerHostSoftLimit: 64),
      proxy: proxy.map(Proxy.init),
      // Content is decoded by `ResponseCollector`.
      decompression: .disabled)
    connectionPool.retryConnectionEstablishment = false
    httpVersion = .http1Only
    dnsOverride = configuration.addresses
  }
}

extension HTTPClient.Configuration.Proxy {
  init(_ server: ProxyServer) {
    switch server.kind {
    case .socks5: self = .socksServer(host: server.host, port: server.port)
    case .http:
      self = .server(host: server.host, port: server.port, authorization: server.login?.authorization)
    }
  }
}
