package import HTTPValues
package import JSON

/// The position of a page: its ordinal in the run, and the value that locates it. Opaque except to the
/// pagination style that created it.
package struct Position: Sendable, Hashable, Codable {
  package enum Value: Sendable, Hashable, Codable {
    /// The first page, for styles that send nothing for it.
    case start
    case number(Int)
    /// A cursor. In a body it is sent back unchanged.
    case token(JSONToken)
    case link(WebURL)
    /// All members of the object that the reply says to send.
    case members([Member])
  }

  package struct Member: Sendable, Hashable, Codable {
    package let name: String
    package let value: JSONToken
  }

  /// A value carried along with a cursor.
  package struct Carried: Sendable, Hashable, Codable {
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

  /// The position of the page after this one.
  package func next(_ value: Value) -> Position {
    Position(ordinal: ordinal + 1, value: value, carried: carried)
  }

  /// As JSON, with its secrets.
  package var json: String { JSONEncoding.text(of: self) }

  /// Writes the replacement for a position that contains a secret.
  package func encode(to encoder: any Encoder) throws {
    let shown = (encoder as? JSONEncoding)?.redacted(self) ?? self
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(shown.ordinal, forKey: .ordinal)
    try members.encode(shown.value, forKey: .value)
    try members.encode(shown.carried, forKey: .carried)
  }

  /// Whether both positions produce the same request.
  package func requestsSamePage(as other: Position) -> Bool {
    value == other.value && carried == other.carried
  }
}

/// What a reply says about the next page.
package enum Continuation: Sendable, Hashable, Codable {
  /// There may be a next page; `evidence` is how certain that is.
  case next(Position, Evidence)
  case end(EndReason)

  private enum NextCodingKeys: String, CodingKey { case _0 = "position", _1 = "evidence" }
}

/// The evidence for a next page. An empty page ends the list unless a flag, a cursor, a link, or a page count
/// came with it and says otherwise (rules 1 and 4).
package enum Evidence: String, Sendable, Hashable, Codable {
  case flag
  case value
  case pageCount = "page-count"
  /// Nothing was declared or found: the next page is a guess.
  case none
  /// As `none`, and the page was short in a source where a short page ends the list, unless a total says
  /// otherwise.
  case shortPage = "short-page"

  package var survivesAnEmptyPage: Bool { [.flag, .value, .pageCount].contains(self) }
}

/// Why a list ended.
package enum EndReason: Sendable, Hashable, Codable {
  /// The service said so.
  case last
  case emptyPage
  case total
  /// The service serves no more than this many rows or pages, although more exist.
  case cap
  /// A status code that this service uses for "past the end".
  case status(Int)
  /// Repeated pages without a new row.
  case repeats
  /// This many consecutive empty pages, each with a next page.
  case emptyPages(Int)
  /// The requested number of rows is loaded.
  case limit
  case maxPages(Int)
  case maxRows(Int)
  /// The next page cannot be followed, for this reason.
  case refusedNext(String)

  /// The stable identifier for scripts.
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

extension JSONEncoding {
  /// The position, or the replacement for one that contains a secret.
  fileprivate func redacted(_ position: Position) -> Position {
    if let redacted, case let json = position.json, redacted(json) != json { hide(position) }
    guard let name = placeholders[position.firstRequestingSamePage] else { return position }
    return Position(ordinal: position.ordinal, value: .token(name))
  }

  /// Replaces a position that contains a secret in all further output.
  package func hide(_ position: Position) {
    let first = position.firstRequestingSamePage
    if placeholders[first] == nil { placeholders[first] = JSONToken("secret-\(placeholders.count + 1)") }
  }
}

extension Position {
  /// Positions with the same request have the same replacement.
  fileprivate var firstRequestingSamePage: Position { Position(ordinal: 0, value: value, carried: carried) }
}
