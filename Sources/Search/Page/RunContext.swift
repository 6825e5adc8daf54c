/// What a run sends in addition to query and position; fixed for the whole run (rules 10, 19).
package struct RunContext: Sendable {
  /// The number of rows to request per page; nil if the service chooses it.
  package var pageSize: Int?
  package var credentials: Credentials
  /// URLs for option values: the name of the embedded server is replaced by its URL.
  package var addresses: [String: String]
  /// Rows that do not match are left out when a page is read; nil if all match.
  package var filter: RowFilter?
  /// Sent as `User-Agent`; the value of `{app}` and `{version}`.
  package var app: String
  package var version: String

  package init(
    pageSize: Int? = nil, credentials: Credentials = Credentials(), addresses: [String: String] = [:],
    filter: RowFilter? = nil, app: String = "riffle", version: String = "0"
  ) {
    self.pageSize = pageSize
    self.credentials = credentials
    self.addresses = addresses
    self.filter = filter
    self.app = app
    self.version = version
  }
}

extension Source {
  /// The credentials that a request to this origin was sent with: none if it is not the source's own.
  func credentials(of run: RunContext, sentTo origin: Origin, _ query: Query) -> Credentials {
    if let own = self.origin(options: query.options, addresses: run.addresses), own != origin {
      return Credentials(absence: "the credential of source \(id) is sent to \(own) only")
    }
    return run.credentials
  }
}
