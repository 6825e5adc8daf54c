/// Where a page is: which page of the run it is, and the value that finds it. Opaque except to the
/// pagination style that made it.
package struct Position: Sendable, Hashable {
  package enum Value: Sendable, Hashable {
    /// The first page of a style that sends nothing for it.
    case start
    case number(Int)
    /// A cursor; in a body it is put back as it came.
    case token(JSONToken)
    case link(WebURL)
    /// All members of the object that a reply says to send.
    case members([Member])
  }

  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: JSONToken
  }

  /// A value that travels along with a cursor.
  package struct Carried: Sendable, Hashable {
    package let slot: Slot
    package let value: JSONToken
  }

  /// 0 for the first page of a run.
  package var ordinal: Int
  package var value: Value
  package var carried: [Carried]

  package init(ordinal: Int, value: Value, carried: [Carried] = []) {
    self.ordinal = ordinal
    self.value = value
    self.carried = carried
  }

  /// The page after this one.
  package func next(_ value: Value) -> Position {
    Position(ordinal: ordinal + 1, value: value, carried: carried)
  }

  /// Whether the request of this page equals that of the other.
  package func asksTheSame(as other: Position) -> Bool { value == other.value && carried == other.carried }
}

/// What a reply says about the page after it.
package enum Continuation: Sendable, Hashable {
  /// There may be a page there; `evidence` tells how sure that is.
  case next(Position, Evidence)
  case end(EndReason)
}

/// Why a style believes in a next page. An empty page ends the list unless a flag, a cursor, a link or a count
/// of pages came with it, which says otherwise (rules 1 and 4).
package enum Evidence: String, Sendable, Hashable {
  case flag
  case value
  case pageCount = "page-count"
  /// Nothing was declared or seen: the next page is a guess.
  case none
  /// As `none`, and the page was short where that ends the list, unless a total says otherwise.
  case shortPage = "short-page"

  package var survivesAnEmptyPage: Bool { [.flag, .value, .pageCount].contains(self) }
}

/// Why a list ended.
package enum EndReason: Sendable, Hashable {
  /// The service said so.
  case last
  case emptyPage
  case total
  /// The service serves no more than this many rows or pages, though more exist.
  case cap
  /// A status that this service uses for "past the end".
  case status(Int)
  /// Page after page without a new row.
  case repeats
  /// This many empty pages in a row, each promising another.
  case emptyPages(Int)
  /// The rows the user asked for are there.
  case limit
  case maxPages(Int)
  case maxRows(Int)
  /// The next page cannot be gone to: why.
  case refusedNext(String)

  /// The stable word for scripts and recordings.
  package var name: String {
    switch self {
    case .last: "last"
    case .emptyPage: "empty-page"
    case .total: "total"
    case .cap: "cap"
    case .status: "status"
    case .repeats: "repeats"
    case .emptyPages: "empty-pages"
    case .limit: "limit"
    case .maxPages: "max-pages"
    case .maxRows: "max-rows"
    case .refusedNext: "refused-next"
    }
  }
}
