package import HTTPValues
package import JSON

/// The position of a page: its ordinal in the run, and the value that locates it. Opaque except to the
/// pagination style that created it.
package struct Position: Sendable, Hashable {
  package enum Value: Sendable, Hashable {
    /// The first page, for styles that send nothing for it.
    case start
    case number(Int)
    /// A cursor. In a body it is sent back unchanged.
    case token(JSONToken)
    case link(WebURL)
    /// All members of the object that the reply says to send.
    case members([Member])
  }

  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: JSONToken
  }

  /// A value carried along with a cursor.
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

  /// The position of the page after this one.
  package func next(_ value: Value) -> Position {
    Position(ordinal: ordinal + 1, value: value, carried: carried)
  }

  /// Whether both positions produce the same request.
  package func requestsSamePage(as other: Position) -> Bool {
    value == other.value && carried == other.carried
  }
}

/// What a reply says about the next page.
package enum Continuation: Sendable, Hashable {
  /// There may be a next page; `evidence` is how certain that is.
  case next(Position, Evidence)
  case end(EndReason)
}

/// The evidence for a next page. An empty page ends the list unless a flag, a cursor, a link, or a page count
/// came with it and says otherwise (rules 1 and 4).
package enum Evidence: String, Sendable, Hashable {
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
package enum EndReason: Sendable, Hashable {
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

  /// The stable identifier for scripts and recordings.
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

extension Position {
  /// The position as one JSON object, for resuming the run later.
  package var json: String {
    var members = ["\"ordinal\": \(ordinal)"]
    switch value {
    case .start: break
    case .number(let number): members.append("\"number\": \(number)")
    case .token(let token): members.append("\"token\": \(token.json)")
    case .link(let url): members.append("\"link\": \(JSONText.quoted(url.description))")
    case .members(let list):
      let items = list.map { "[\(JSONText.quoted($0.name)), \($0.value.json)]" }
      members.append("\"members\": [\(items.joined(separator: ", "))]")
    }
    if !carried.isEmpty {
      let items = carried.map { "[\($0.slot.json), \($0.value.json)]" }
      members.append("\"carried\": [\(items.joined(separator: ", "))]")
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// Parses the output of `json`; nil for anything else.
  package init?(_ object: JSONValue) {
    guard let ordinal = object["ordinal"]?.numberText.flatMap({ Int($0) }), ordinal >= 0,
      let value = Value(object)
    else { return nil }
    var carried: [Carried] = []
    for pair in object["carried"]?.elements ?? [] {
      guard let slot = pair[0].flatMap(Slot.init), let value = pair[1] else { return nil }
      carried.append(Carried(slot: slot, value: JSONToken(value.node, in: value.document)))
    }
    self.init(ordinal: ordinal, value: value, carried: carried)
  }
}

extension Position.Value {
  fileprivate init?(_ object: JSONValue) {
    if let number = object["number"] {
      guard let number = number.numberText.flatMap({ Int($0) }) else { return nil }
      self = .number(number)
    } else if let token = object["token"] {
      self = .token(JSONToken(token.node, in: token.document))
    } else if let link = object["link"] {
      guard let text = link.string, let url = try? WebURL(text) else { return nil }
      self = .link(url)
    } else if let members = object["members"] {
      var list: [Position.Member] = []
      for pair in members.elements {
        guard let name = pair[0]?.string, let value = pair[1] else { return nil }
        list.append(Position.Member(name: name, value: JSONToken(value.node, in: value.document)))
      }
      self = .members(list)
    } else {
      self = .start
    }
  }
}

extension Slot {
  /// `["query", "page"]`, `["body", "a", "b"]`.
  fileprivate var json: String {
    let words =
      switch self {
      case .query(let name): ["query", name]
      case .header(let name): ["header", name]
      case .body(let path): ["body"] + path
      }
    return "[\(words.map(JSONText.quoted).joined(separator: ", "))]"
  }

  fileprivate init?(_ array: JSONValue) {
    let words = array.elements.compactMap(\.string)
    switch (words.first, words.count) {
    case ("query", 2): self = .query(words[1])
    case ("header", 2): self = .header(words[1])
    case ("body", _): self = .body(Array(words.dropFirst()))
    default: return nil
    }
  }
}
