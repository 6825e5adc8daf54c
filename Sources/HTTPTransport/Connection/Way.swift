import AsyncHTTPClient
import Search

/// How a request reaches its origin.
struct Way: Sendable {
  let client: HTTPClient
  /// nil for a direct connection.
  let proxy: ProxyServer?
}
