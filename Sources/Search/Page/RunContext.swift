/// What a run sends beside query and position; fixed for the whole run (rules 10, 19).
package struct RunContext: Sendable {
  /// Rows asked for per page; nil leaves it to the service.
  package var pageSize: Int?
  package var credentials: Credentials
  /// Addresses that stand for an option's value: the name of the embedded server for where it listens.
  package var addresses: [String: String]
  /// Rows it does not choose are left out when a page is read; nil chooses all.
  package var filter: RowFilter?
  /// Sent as `User-Agent`, and what `{app}` and `{version}` stand for.
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
  /// What a reply from this origin was asked with: nothing when it is not the source's own.
  func credentials(of run: RunContext, sentTo origin: Origin, _ query: Query) -> Credentials {
    if let own = self.origin(options: query.options, addresses: run.addresses), own != origin {
      return Credentials(absence: "those of source \(id) go to \(own) only")
    }
    return run.credentials
  }
}
