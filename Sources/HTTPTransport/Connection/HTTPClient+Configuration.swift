import AsyncHTTPClient
import NIOCore
import NIOHTTPCompression
import NIOSSL
import Search

extension HTTPClient.Configuration {
  /// HTTP/1.1 with keep-alive; no redirects, no repeated connection attempts: those are ours to decide.
  init(_ configuration: TransportConfiguration, proxy: ProxyServer?, opened: OpenedConnections) {
    let connect = configuration.limits.connect / .nanoseconds(1)
    self.init(
      tlsConfiguration: TLSConfiguration(configuration),
      redirectConfiguration: .disallow,
      timeout: Timeout(connect: .nanoseconds(Int64(connect)), read: nil),
      connectionPool: ConnectionPool(
        idleTimeout: .seconds(60), concurrentHTTP1ConnectionsPerHostSoftLimit: 64),
      proxy: proxy.map(Proxy.init),
      decompression: .enabled(limit: .size(configuration.limits.bodyBytes)))
    connectionPool.retryConnectionEstablishment = false
    httpVersion = .http1Only
    http1_1ConnectionDebugInitializer = { channel in
      opened.add()
      return channel.eventLoop.makeSucceededVoidFuture()
    }
  }
}

extension TLSConfiguration {
  init(_ configuration: TransportConfiguration) {
    self = .makeClientConfiguration()
    switch configuration.trust {
    case .systemRoots:
      if let file = configuration.environment["SSL_CERT_FILE"], !file.isEmpty { trustRoots = .file(file) }
    case .roots(let file): trustRoots = .file(file)
    case .anything: certificateVerification = .none
    }
  }
}

extension HTTPClient.Configuration.Proxy {
  init(_ server: ProxyServer) {
    switch server.kind {
    case .socks5: self = .socksServer(host: server.host, port: server.port)
    case .http:
      let authorization = server.login.map { login in
        HTTPClient.Authorization.basic(username: login.user, password: login.password.reveal())
      }
      self = .server(host: server.host, port: server.port, authorization: authorization)
    }
  }
}
