import Detection
import Search
import Text

/// What the second page says about a guessed source.
enum TrialVerdict: Sendable, Hashable {
  /// The page has this many rows that the first does not have, or the list validly ends there.
  case confirmed(newRows: Int)
  /// According to the first page, there is no second one.
  case single
  /// The response is one object, not a list.
  case object
  /// The second page could not be loaded, for a reason unrelated to the guess.
  case doubtful(String)
  case refuted(String)

  static let repetition = "page 2 repeats page 1"

  /// - Parameter second: The result of requesting the page after the first.
  static func of(first: Page, second: Result<Page, PageError>) -> TrialVerdict {
    switch second {
    case .failure(let error): of(error)
    case .success(let page) where page.rowCount == 0:
      // A service that ignores the parameter repeats the first page, so an empty page shows that it is
      // understood.
      first.total.map { $0.count > first.rowCount } ?? false
        ? .refuted("page 2 is empty, but page 1 does not have all rows") : .confirmed(newRows: 0)
    case .success(let page): compared(first, page)
    }
  }

  private static func of(_ error: PageError) -> TrialVerdict {
    let text = "page 2 failed: \(error.message)"
    return switch error.kind {
    case .offline, .connection, .rateLimited, .unauthorized, .server: .doubtful(text)
    case .rejected, .unreadable, .invalidRequest: .refuted(text)
    }
  }

  private static func compared(_ first: Page, _ second: Page) -> TrialVerdict {
    let (mine, others) = (first.distinctRows, second.distinctRows)
    if mine.isEmpty || others.isEmpty {
      return first.fingerprint == second.fingerprint
        ? .refuted(repetition) : .confirmed(newRows: second.rowCount)
    }
    let known = Set(mine)
    let newRows = others.count { $0 == RowKey.none || !known.contains($0) }
    if newRows == 0 { return .refuted(repetition) }
    if mine.count > 3, mine.prefix(3) == others.prefix(3) {
      return .refuted("page 2 begins with the rows of page 1")
    }
    // A few rows may repeat at a page boundary; if most do, the number counts something else.
    return newRows * 2 < second.rowCount
      ? .refuted("page 2 has only \(Digits.counted(newRows, "new row"))") : .confirmed(newRows: newRows)
  }

  /// Whether nothing is left to doubt.
  var isSure: Bool {
    switch self {
    case .confirmed, .object: true
    case .single, .doubtful, .refuted: false
    }
  }

  /// Whether the guess is kept, given this verdict.
  func keeps(_ guess: PaginationGuess) -> Bool {
    switch self {
    case .confirmed, .object: true
    case .single, .doubtful: !guess.isTentative
    case .refuted: false
    }
  }

  var objection: String {
    switch self {
    case .doubtful(let why), .refuted(let why): why
    case .confirmed, .single, .object: "there is only one page"
    }
  }

  /// A remark for the user, also written as a comment in the source file.
  var remark: String {
    switch self {
    case .confirmed(0): "confirmed: page 2 is empty (end of results)"
    case .confirmed(let count): "confirmed: page 2 has \(Digits.counted(count, "new row"))"
    case .single: "not confirmed: there is only one page. Use a URL with more results"
    case .object: "confirmed: there are no pages"
    case .doubtful(let why), .refuted(let why): "not confirmed: \(why)"
    }
  }
}
