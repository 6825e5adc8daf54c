import AsyncHTTPClient
import NIOCore
import NIOSSL
import Search

extension HTTPClient.Configuration {
  /// HTTP/1.1 with keep-alive. Redirects and retries of the library are disabled, because this module
  /// implements its own.
  ///
  /// - Parameter tls: Nil if the client is never used for https.
  init(_ configuration: TransportConfiguration, tls: TLSConfiguration?, proxy: ProxyServer?) {
    let connect = configuration.limits.connect / .nanoseconds(1)
    self.init(
      tlsConfiguration: tls,
      redirectConfiguration: .disallow,
      timeout: Timeout(connect: .nanoseconds(Int64(connect)), read: nil),
      connectionPool: ConnectionPool(
        idleTimeout: .seconds(60), concurrentHTTP1ConnectionsPerHostSoftLimit: 64),
      proxy: proxy.map(Proxy.init),
      // Content is decoded by `ReplyCollector`.
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
      let authorization = server.login.map { login in
        HTTPClient.Authorization.basic(username: login.user, password: login.password.reveal())
      }
      self = .server(host: server.host, port: server.port, authorization: authorization)
    }
  }
}
