/// A source to complete by hand, for a service whose reply cannot be analyzed.
package enum SourceSkeleton {
  /// - Parameters:
  ///   - address: Its credentials are replaced by an `[auth]` table.
  ///   - failure: If it is a refusal for lack of a credential, the document gets an `[auth]` table to fill
  ///     in.
  package static func document(
    id: String, title: String, address: WebURL, failure: DetectionFailure
  ) -> String {
    let secrets = RequestGuess.credentials(in: address)
    var clean = address
    for name in secrets { clean.removeQueryItems(named: name) }
    // The description of a URL contains no user name.
    let request = (try? WebURL(clean.description)).flatMap { try? RequestGuess($0) }
    let parts = [
      request?.head(id: id, title: title), request?.table, auth(secrets, failure), pagination, rows,
    ]
    return parts.compactMap { $0 }.joined(separator: "\n")
  }

  private static func auth(_ parameters: [String], _ failure: DetectionFailure) -> String? {
    if let name = parameters.first {
      return """
        [auth]
        type = "query"
        param = \(TOMLText.string(name))
        from = ["env:API_KEY"]   # the variable that holds it

        """
    }
    switch failure {
    case .unauthorized(_, scheme: .basic?, _, _):
      return """
        [auth]
        type = "basic"
        user_from = ["env:API_USER"]   # the variable that holds the user's name
        from = ["env:API_PASSWORD"]   # the variable that holds the password

        """
    case .unauthorized(_, scheme: .bearer?, _, _):
      return """
        [auth]
        type = "bearer"
        from = ["env:API_TOKEN"]   # the variable that holds it

        """
    case .credential, .unauthorized:
      return """
        [auth]
        type = "bearer"          # or: type = "header", header = "X-Api-Key"
        from = ["env:API_TOKEN"]   # the variable that holds it

        """
    case .status, .rateLimited, .notJSON, .noRows, .emptyRows: return nil
    }
  }

  private static let pagination = """
    [pagination]
    type = "none"
    # Pages by number:  type = "page", param = "page", first = 1
    # by rows to skip:  type = "offset", param = "offset"
    # by a token:       type = "cursor", next = "next_cursor", into = "query:cursor"
    # by an address:    type = "link", next = "link:next", or next = "links.next"

    """

  private static let rows = """
    [rows]
    path = "items"             # where the list of rows is in the reply; "$" is the reply itself
    key = "id"                 # what tells rows apart
    # total = "total_count"    # how many there are
    # link = "url"             # a row's address in a browser

    """
}
