/// One request as a value: everything the transport needs, nothing it has to decide.
package struct HTTPRequest: Sendable, Hashable {
  package var method: HTTPMethod
  /// The address without any credential, so that it may be shown, logged and compared.
  package var url: WebURL
  package var headers: HTTPFields
  package var body: [UInt8]
  /// Whether the request may be sent again: GET and HEAD, or a POST its source calls safe.
  package var isSafe: Bool
  /// Added by the transport, and only while the target is of `url`'s origin.
  package var credentials: [PlacedCredential]
  /// Other hosts a redirect may lead to (`host` or `host:port`), then without credentials.
  package var allowedHosts: [String]
  /// The origin that the source is configured with. A `url` on another host was named by a reply.
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

package enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
}
