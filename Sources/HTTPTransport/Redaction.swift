import Search

/// Takes the credentials of a run out of what is told of a reply: a service may repeat one in its own words or
/// in a link, and nobody is shown it. Rows are left as they came.
struct Redaction {
  let credentials: Credentials
  /// As the request carried them: empty for a request to another origin, whose reply may still repeat them.
  let placed: [PlacedCredential]

  func applied(to error: PageError) -> PageError {
    var error = error
    error.message = applied(to: error.message)
    error.remedy = error.remedy.map(applied)
    return error
  }

  func applied(to page: Page) -> Page {
    var page = page
    page.notes = page.notes.map(applied)
    if case .end(.refusedNext(let why)) = page.continuation {
      page.continuation = .end(.refusedNext(applied(to: why)))
    }
    return page
  }

  private func applied(to text: String) -> String {
    placed.reduce(credentials.redacted(in: text)) { $1.redacted(in: $0) }
  }
}
