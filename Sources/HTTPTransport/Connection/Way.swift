import AsyncHTTPClient
import Search

/// How a request reaches its origin.
struct Way: Sendable {
  let client: HTTPClient
  /// nil for a direct connection.
  let proxy: ProxyServer?
}

extension TransportFailure {
  /// What fails before anything of the origin is reached has failed at the proxy, so that is named in its place.
  func naming(_ proxy: ProxyServer) -> TransportFailure {
    switch kind {
    case .refused, .hostNotFound: TransportFailure(kind, origin: "the proxy \(proxy)", detail: detail)
    default: self
    }
  }
}
