package import HTTPValues
package import JSON

/// How a service pages. A style has two tasks: put a position into a request, and find the next position in a
/// response. A new style is one file and one entry in `PaginationStyles.all`.
package protocol PaginationStyle: Sendable {
  /// The value of `type` that selects the style.
  static var name: String { get }
  /// A sentence for the manual about how the style pages.
  static var meaning: String { get }
  /// The keys of `[pagination]` that it supports of those that several styles share, without `type`. Any other key,
  /// except those in `ownKeys`, is an error.
  static var keys: Set<String> { get }
  /// The keys that no other style has; their values are in `PaginationSettings.own`.
  static var ownKeys: [PaginationKey] { get }

  /// The placeholders of `[request]` for its position: the position itself, then values computed from it. Empty if it
  /// does not send one as a single value.
  static var placeholders: [String] { get }

  /// - Throws: If the settings are invalid for this style; the error names the key.
  init(_ settings: PaginationSettings) throws(PaginationError)

  var first: Position { get }
  /// The unit of the numbers of positions; nil if a page is known only from the previous one.
  var numbering: Numbering? { get }
  /// The slots for its position; empty if the position is in the URL or known only from a response.
  var slots: [Slot] { get }
  /// The slots for other values of the previous response.
  var carriedSlots: [Slot] { get }

  func apply(_ position: Position, to draft: inout RequestDraft)
  func continuation(after page: PageFacts, at position: Position) throws(PaginationError) -> Continuation
  /// Validates a position read from a file as strictly as `continuation(after:at:)` validates a response: it
  /// must be one that this style produces, and must not lead anywhere a response could not.
  ///
  /// - Parameter origin: The origin that the source is configured for.
  func check(_ position: Position, origin: Origin) throws(PaginationError)
  /// The number of pages, if this response determines it; nil otherwise.
  func pageCount(in page: PageFacts) -> Int?
}

extension PaginationStyle {
  package static var ownKeys: [PaginationKey] { [] }
  package static var placeholders: [String] { [] }

  package var first: Position { .start }
  package var numbering: Numbering? { nil }
  package var slots: [Slot] { [] }
  package var carriedSlots: [Slot] { [] }

  package func pageCount(in page: PageFacts) -> Int? { nil }
}

/// The unit of the numbers of positions, for styles that can request any page directly.
package enum Numbering: Sendable, Hashable {
  /// Pages, starting at this number.
  case pages(from: Int)
  /// Rows, starting at this number.
  case rows(from: Int)

  package var first: Int {
    switch self {
    case .pages(let first), .rows(let first): first
    }
  }

  /// The position of a page by its ordinal; nil if it is located by its first row and the size is unknown.
  func position(of ordinal: Int, pageSize: Int?) -> Position? {
    switch self {
    case .pages(let first): Position(ordinal: ordinal, value: .number(first + ordinal))
    case .rows(let first): pageSize.map { Position(ordinal: ordinal, value: .number(first + ordinal * $0)) }
    }
  }
}

/// All pagination styles, by name.
package enum PaginationStyles {
  package static let all: [any PaginationStyle.Type] = [
    PagePagination.self, OffsetPagination.self, LinkPagination.self, CursorPagination.self,
    MergePagination.self, SinglePage.self,
  ]

  /// The keys shared by all styles that have a next page.
  static let sharedKeys: Set = [
    "size", "more", "done", "cap", "end_on", "end_status", "max_empty_pages", "hosts",
  ]
  /// The keys of styles that take the next position from the response.
  static let followingKeys = sharedKeys.union(["next", "end_values", "repeat", "overlap", "expired_status"])
  /// The keys of styles that compute the next position themselves.
  static let numberedKeys = sharedKeys.union(["param", "into", "first", "next", "pages"])

  /// The keys that other styles support and this one does not.
  package static func meaninglessKeys(of style: any PaginationStyle.Type) -> [String] {
    all.reduce(into: Set<String>()) { $0.formUnion(names($1)) }.subtracting(names(style)).sorted()
  }

  private static func names(_ style: any PaginationStyle.Type) -> Set<String> {
    style.keys.union(style.ownKeys.map(\.name))
  }

  package static func named(_ name: String) -> (any PaginationStyle.Type)? { all.first { $0.name == name } }
}

/// A key of `[pagination]` that belongs to one style.
package struct PaginationKey: Sendable {
  package enum Kind: Sendable {
    /// The value is one of these words.
    case choice([String])
    case slot
    /// The value is the location of a value in a response.
    case response
  }

  package enum Value: Sendable, Hashable {
    case word(String)
    case slot(Slot)
    case response(ValueExpression)
  }

  package let name: String
  package let kind: Kind
  /// A description for the manual.
  package let meaning: String
}

/// `none`: all rows are on one page.
package struct SinglePage: PaginationStyle {
  package static let name = "none"
  package static let meaning = "There is only one page."
  package static let keys: Set = ["size", "hosts"]

  package init(_ settings: PaginationSettings) {}

  package func apply(_ position: Position, to draft: inout RequestDraft) {}

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationError) -> Continuation { .end(.last) }

  package func check(_ position: Position, origin: Origin) throws(PaginationError) {
    if position != first { throw .foreignPosition }
  }
}

/// A pagination that cannot work, or a response that it cannot use: the key, and the problem.
package struct PaginationError: Error, Sendable, Hashable {
  package let key: String
  package let problem: String

  package init(key: String, _ problem: String) {
    self.key = key
    self.problem = problem
  }
}

extension PaginationError {
  /// The error for a position that the style does not produce.
  static let foreignPosition = PaginationError(key: "type", "does not support this position")
}

/// The facts about a response that a style may use.
package struct PageFacts: Sendable {
  /// The number of rows received, including null entries.
  package var rowCount: Int
  /// The page size that the response reports, or else the requested one; nil if neither is known.
  package var pageSize: Int?
  package var response: ResponseValues
  /// The origin that the source is configured for; nil for the origin of the response.
  package var origin: Origin?
  /// The path of the rows.
  package var rows: JSONPath?

  /// Whether an expression reads a row of the page.
  func readsRows(_ expression: ValueExpression?) -> Bool {
    expression?.paths.contains { $0.leadsInto(rows) } ?? false
  }
}

/// The end conditions that all styles share, in the order of rule 1: an explicit flag, the next value, the
/// page count, the total, an empty page, a short page. The first one that the source declares decides.
/// (Total, empty, and short pages are evaluated by the session, which knows the earlier pages.)
struct EndConditions {
  let settings: PaginationSettings

  /// Whether the response says that more pages follow; nil if the source declares no flag.
  private func flag(in response: ResponseValues) -> Bool? {
    settings.more.map { response.isTrue($0) } ?? settings.done.map { !response.isTrue($0) }
  }

  /// The next value; nil if none is declared, or it is "" (unless that is a value here), null, false, {}, [],
  /// absent, or one of `end_values` (rule 2).
  private func nextValue(in response: ResponseValues) -> ResponseValue? {
    guard let next = settings.next else { return nil }
    let value =
      response.presentValue(of: next)
      ?? (settings.takesEmptyNext && response.isEmptyText(next) ? .text("") : nil)
    guard let text = value?.scalar, settings.endValues.contains(text) else { return value }
    return nil
  }

  /// For styles that follow the next value: that value and the evidence for it; nil if the list has ended
  /// because a flag says so, the value is missing, or the source ends on empty pages.
  ///
  /// - Throws: If `more` says that the list continues but there is no next value, or if the next value is a
  ///   field of the last row, which lacks it: rows would be missing.
  func promise(after page: PageFacts) throws(PaginationError) -> (value: ResponseValue, evidence: Evidence)? {
    let flag = flag(in: page.response)
    guard flag != false, !isEmptyEnd(page) else { return nil }
    if let value = nextValue(in: page.response) { return (value, flag == true ? .flag : .value) }
    if flag == true, settings.more != nil {
      throw PaginationError(key: "next", "is missing, although the response says that there are more rows")
    }
    let isMissing = settings.next.map { page.response.presentValue(of: $0) == nil } ?? false
    if page.rowCount > 0, isMissing, page.readsRows(settings.next) {
      throw PaginationError(key: "next", "is missing in the last row of the page")
    }
    return nil
  }

  /// For styles that compute the next page themselves: a declared `next` is only a flag (rule 1).
  ///
  /// - Parameters:
  ///   - pagesSoFar: The number of pages so far, including this one.
  ///   - first: The number of the first page or row.
  func continuation(
    after page: PageFacts, to next: Position, pagesSoFar: Int, first: Int
  ) -> Continuation {
    if isEmptyEnd(page) { return .end(.emptyPage) }
    if let more = flag(in: page.response) { return more ? .next(next, .flag) : .end(.last) }
    if settings.next != nil {
      // After the last page, some services name the first one, or page 0.
      let value = nextValue(in: page.response)
      let number = value?.scalar.flatMap { Int($0) }
      let leadsBack = number.map { $0 < first || $0 == first && pagesSoFar > 1 } ?? false
      return value == nil || leadsBack ? .end(.last) : .next(next, .value)
    }
    // A count below the number of pages with rows is a count of something else (rule 12).
    if let count = pageCount(in: page.response), pagesSoFar <= count || page.rowCount == 0 {
      let isOneFullPage = count == 1 && page.rowCount >= page.pageSize ?? .max
      if pagesSoFar < count { return .next(next, .pageCount) }
      if !isOneFullPage { return .end(.last) }
    }
    let isShort = page.pageSize.map { page.rowCount < $0 } ?? false
    return .next(next, isShort && settings.endConditions.contains(.short) ? .shortPage : .none)
  }

  /// The number of pages, where the source declares it.
  func pageCount(in response: ResponseValues) -> Int? {
    settings.pages.flatMap { response.text(of: $0) }.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  private func isEmptyEnd(_ page: PageFacts) -> Bool {
    page.rowCount == 0 && settings.endConditions.contains(.empty)
  }

  /// The declared signs that the response contains, whatever their values. Header fields and values of rows do not
  /// count, because their presence depends on the page.
  func signs(in response: ResponseValues, rowsAt rows: JSONPath?) -> PageSigns {
    func stands(_ expression: ValueExpression?) -> Bool {
      guard let expression else { return false }
      return expression.paths.contains { path in
        !path.leadsInto(rows)
          && path.firstNode(in: response.document, from: response.document.rootNode) != nil
      }
    }
    var signs: PageSigns = []
    if stands(settings.more) || stands(settings.done) { signs.insert(.flag) }
    if stands(settings.next) { signs.insert(.next) }
    return signs
  }
}

/// The declared signs of the end of a list that a response contains.
package struct PageSigns: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The sign at `more` or `done`.
  package static let flag = PageSigns(rawValue: 1)
  /// The sign at `next`, in the body and not in a row.
  package static let next = PageSigns(rawValue: 2)
}

/// The position of a page: its ordinal in the run, and the value that locates it, which only its style reads.
package struct Position: Sendable, Hashable, Codable {
  package enum Value: Sendable, Hashable, Codable {
    /// The first page, for styles that send nothing for it.
    case start
    case number(Int)
    /// A cursor. It keeps its JSON type if it is sent in a body.
    case token(JSONToken)
    case link(WebURL)
    /// All fields of the object that the response says to send.
    case members([Member])
  }

  package struct Member: Sendable, Hashable, Codable {
    package let name: String
    package let value: JSONToken
  }

  /// A value carried along with a cursor.
  package struct CarriedValue: Sendable, Hashable, Codable {
    package let slot: Slot
    package let value: JSONToken
  }

  /// A range of `Split.field` that is walked as a list of its own, in units. Both limits belong to it.
  package struct Part: Sendable, Hashable, Codable {
    package var from: Int
    package var to: Int
    /// The ordinal of its first page.
    package var firstOrdinal: Int
  }

  /// 0 for the first page of a run.
  package var ordinal: Int
  package var value: Value
  package var carried: [CarriedValue] = []
  /// The part of the list that the page belongs to; nil for the whole list.
  package var part: Part?

  /// The first page, for styles that send nothing for it.
  package static let start = Position(ordinal: 0, value: .start)

  /// The position of the page after this one.
  package func next(_ value: Value) -> Position {
    Position(ordinal: ordinal + 1, value: value, carried: carried, part: part)
  }

  /// The number of pages before this one in its list or part.
  var index: Int { ordinal - (part?.firstOrdinal ?? 0) }

  /// The same page in a list that is only its part, as a style sees it.
  var inItsPart: Position { Position(ordinal: index, value: value, carried: carried) }

  /// A page of a list that is only this part, as a page of the run.
  func inRun(_ part: Part?) -> Position {
    guard let part else { return self }
    return Position(ordinal: ordinal + part.firstOrdinal, value: value, carried: carried, part: part)
  }

  /// The texts that the request for this page contains because of it, with their secrets.
  package var texts: [String] {
    let texts =
      switch value {
      case .start, .number: [String]()
      case .token(let token): [token.json]
      case .link(let url): ["\(url)"]
      case .members(let members): members.flatMap { [$0.name, $0.value.json] }
      }
    return texts + carried.map(\.value.json)
  }

  /// Whether both positions produce the same request.
  package func requestsSamePage(as other: Position) -> Bool {
    value == other.value && carried == other.carried && part?.from == other.part?.from
      && part?.to == other.part?.to
  }
}

/// The facts about the next page in a response.
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
  /// Like `none`, but the page was short, which ends the list in this source unless a total says otherwise.
  case shortPage = "short-page"

  package var survivesAnEmptyPage: Bool { [.flag, .value, .pageCount].contains(self) }
}

extension Position: JSONChecked {
  package func check() throws(JSONCodingError) {
    try ordinal.check("ordinal")
    // Small enough to count the following pages without overflow.
    if case .number(let number) = value { try number.check("number", in: -1 << 53...1 << 53) }
    if let part {
      try part.from.check("from", in: -Split.largest...Split.largest)
      try part.to.check("to", in: part.from...Split.largest)
      try part.firstOrdinal.check("part", in: 0...ordinal)
    }
  }
}
