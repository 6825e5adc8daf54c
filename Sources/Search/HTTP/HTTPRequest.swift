/// A request as a value: everything that the transport needs, with all decisions already made.
package struct HTTPRequest: Sendable, Hashable {
  package var method: HTTPMethod
  /// The URL without credentials, so that it may be shown, logged, and compared.
  package var url: WebURL
  package var headers: HTTPFields
  package var body: [UInt8]
  /// Whether the request may be sent more than once: GET and HEAD, or a POST that its source declares safe.
  package var isSafe: Bool
  /// Added by the transport, and only while the target has the origin of `url`.
  package var credentials: [PlacedCredential]
  /// Other hosts that a redirect may lead to (`host` or `host:port`), without credentials.
  package var allowedHosts: [String]
  /// The origin that the source is configured for. If `url` is on another host, a reply named that host.
  package var home: Origin

  package init(
    method: HTTPMethod = .get, url: WebURL, headers: HTTPFields = [], body: [UInt8] = [],
    isSafe: Bool = true, credentials: [PlacedCredential] = [], allowedHosts: [String] = [],
    home: Origin? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.isSafe = isSafe
    self.credentials = credentials
    self.allowedHosts = allowedHosts
    self.home = home ?? url.origin
  }
}

/// The request methods of sources.
package enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
}
