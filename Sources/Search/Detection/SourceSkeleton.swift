/// A source to complete by hand, for a service whose reply cannot be analyzed.
package enum SourceSkeleton {
  /// - Parameters:
  ///   - address: Its credentials are replaced by an `[auth]` table.
  ///   - failure: If it is a refusal because a credential is missing, the document gets an `[auth]` table to fill
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
        from = ["env:API_KEY"]   # the environment variable with the key

        """
    }
    switch failure {
    case .unauthorized(_, scheme: .basic?, _, _):
      return """
        [auth]
        type = "basic"
        user_from = ["env:API_USER"]   # the environment variable with the user name
        from = ["env:API_PASSWORD"]   # the environment variable with the password

        """
    case .unauthorized(_, scheme: .bearer?, _, _):
      return """
        [auth]
        type = "bearer"
        from = ["env:API_TOKEN"]   # the environment variable with the key

        """
    case .credential, .unauthorized:
      return """
        [auth]
        type = "bearer"          # or: type = "header", header = "X-Api-Key"
        from = ["env:API_TOKEN"]   # the environment variable with the key

        """
    case .status, .rateLimited, .notJSON, .noRows, .emptyRows: return nil
    }
  }

  private static let pagination = """
    [pagination]
    type = "none"
    # By page number:   type = "page", param = "page", first = 1
    # By rows to skip:  type = "offset", param = "offset"
    # By cursor:        type = "cursor", next = "next_cursor", into = "query:cursor"
    # By next link:     type = "link", next = "link:next", or next = "links.next"

    """

  private static let rows = """
    [rows]
    path = "items"             # path of the list of rows in the reply; "$" is the reply itself
    key = "id"                 # identifies a row
    # total = "total_count"    # total number of rows
    # link = "url"             # address of a row in a browser

    """
}
