import AsyncHTTPClient
import Search

/// How a request reaches its origin.
struct Route: Sendable {
  let client: HTTPClient
  /// Nil for a direct connection.
  let proxy: ProxyServer?
}
