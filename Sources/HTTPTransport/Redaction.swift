import Search

/// Removes the credentials of a run from what is reported of a reply, because a service may repeat one in a
/// message or in a link. Rows are left unchanged.
struct Redaction {
  let credentials: Credentials
  /// The credentials as sent: empty for a request to another origin, whose reply may still repeat them.
  let placed: [PlacedCredential]

  private var isNeeded: Bool { !placed.isEmpty || !credentials.isEmpty }

  func applied(to error: PageError) -> PageError {
    guard isNeeded else { return error }
    var error = error
    error.message = applied(to: error.message)
    error.serviceMessage = error.serviceMessage.map(applied)
    error.remedy = error.remedy.map(applied)
    return error
  }

  func applied(to page: Page) -> Page {
    guard isNeeded else { return page }
    var page = page
    page.notes = page.notes.map(applied)
    if case .next(let next, _) = page.continuation { page.keptNext = kept(next) }
    if case .end(.refusedNext(let why)) = page.continuation {
      page.continuation = .end(.refusedNext(applied(to: why)))
    }
    return page
  }

  /// The position to store instead of one that contains a secret, without the parameters that do; the request
  /// adds the source's own again. Nil if there is none.
  private func kept(_ position: Position) -> Position? {
    guard repeatsSecret(position.json) else { return position }
    guard case .link(var url) = position.value else { return nil }
    for item in url.queryItems where repeatsSecret(item.value ?? "") {
      url.removeQueryItems(named: item.name)
    }
    var position = position
    position.value = .link(url)
    return repeatsSecret(position.json) ? nil : position
  }

  private func repeatsSecret(_ text: String) -> Bool { applied(to: text) != text }

  func applied(to text: String) -> String {
    placed.reduce(credentials.redacted(in: text)) { $1.redacted(in: $0) }
  }
}
