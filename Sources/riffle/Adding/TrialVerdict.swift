import Search

/// What the second page says about a guessed source.
enum TrialVerdict: Sendable, Hashable {
  /// The page has this many rows that the first does not have, or the list validly ends there.
  case confirmed(newRows: Int)
  /// According to the first page, there is no second one.
  case single
  /// The second page could not be loaded, for a reason unrelated to the guess.
  case unconfirmed(String)
  /// The second page contradicts the guess.
  case refuted(String)

  /// - Parameter second: The result of requesting the page after the first.
  static func of(first: Page, second: Result<Page, PageError>) -> TrialVerdict {
    switch second {
    case .failure(let error): of(error)
    case .success(let page) where page.rowCount == 0:
      // A service that ignores the parameter repeats the first page, so an empty page shows that it is
      // understood.
      first.total.map { $0.count > first.rowCount } ?? false
        ? .refuted("page 2 is empty, though page 1 has not all rows") : .confirmed(newRows: 0)
    case .success(let page): compared(first, page)
    }
  }

  private static func of(_ error: PageError) -> TrialVerdict {
    let text = "page 2: \(error.message)"
    return switch error.kind {
    case .offline, .connection, .rateLimited, .unauthorized, .server: .unconfirmed(text)
    case .rejected, .unreadable, .unaskable: .refuted(text)
    }
  }

  private static func compared(_ first: Page, _ second: Page) -> TrialVerdict {
    if first.keys.isEmpty || second.keys.isEmpty {
      return first.fingerprint == second.fingerprint
        ? .refuted("page 2 is page 1 again") : .confirmed(newRows: second.rowCount)
    }
    let known = Set(first.keys)
    let newRows = second.keys.count { $0 == RowKey.none || !known.contains($0) }
    if newRows == 0 { return .refuted("page 2 is page 1 again") }
    // A few rows may repeat at a page boundary; if most do, the number counts something else.
    return newRows * 2 < second.rowCount
      ? .refuted("page 2 has only \(newRows) rows that page 1 has not") : .confirmed(newRows: newRows)
  }

  /// Whether the guess is kept, given this verdict.
  func keeps(_ guess: PaginationGuess) -> Bool {
    switch self {
    case .confirmed: true
    case .single, .unconfirmed: !guess.isTentative
    case .refuted: false
    }
  }

  /// Why the guess is rejected.
  var objection: String {
    switch self {
    case .unconfirmed(let why), .refuted(let why): why
    case .confirmed, .single: "there is one page only"
    }
  }

  /// A remark for the user, also written as a comment in the source file.
  var remark: String {
    switch self {
    case .confirmed(0): "confirmed: the page after the first is empty, as the end of a list is"
    case .confirmed(let count): "confirmed: page 2 brought \(count) new \(count == 1 ? "row" : "rows")"
    case .single: "not confirmed: there was one page only; an address that finds more shows how it goes on"
    case .unconfirmed(let why), .refuted(let why): "not confirmed: \(why)"
    }
  }
}
