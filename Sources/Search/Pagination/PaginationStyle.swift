package import HTTPValues
package import JSON

/// How a service pages. A style has two tasks: put a position into a request, and find the next position in a
/// reply. A new style is one file and one entry in `PaginationStyles.all`.
package protocol PaginationStyle: Sendable {
  /// The value of `type`.
  static var name: String { get }
  /// The keys of `[pagination]`, in addition to `type`, that this style supports; any other key is an error.
  static var keys: Set<String> { get }

  /// - Throws: If the settings are invalid for this style; the error names the key.
  init(_ settings: PaginationSettings) throws(PaginationProblem)

  var first: Position { get }
  /// What the numbers of positions count; nil if a page is known only from the previous one.
  var numbering: Numbering? { get }

  func apply(_ position: Position, to draft: inout RequestDraft)
  func continuation(after page: PageFacts, at position: Position) throws(PaginationProblem) -> Continuation
  /// Validates a position read from a file as strictly as `continuation(after:at:)` validates a reply: it
  /// must be one that this style produces, and must not lead anywhere a reply could not.
  ///
  /// - Parameter origin: The origin that the source is configured for.
  func check(_ position: Position, origin: Origin) throws(PaginationProblem)
  /// The number of pages, if this reply determines it; nil otherwise.
  func pageCount(in page: PageFacts) -> Int?
}

extension PaginationStyle {
  package var numbering: Numbering? { nil }

  package func pageCount(in page: PageFacts) -> Int? { nil }
}

/// What the numbers of positions count, for styles that can request any page directly.
package enum Numbering: Sendable, Hashable, Codable {
  /// Pages, starting at this number.
  case pages(from: Int)
  /// Rows, starting at this number.
  case rows(from: Int)

  package var first: Int {
    switch self {
    case .pages(let first), .rows(let first): first
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
  /// The keys of styles that take the next position from the reply.
  static let followingKeys = sharedKeys.union(["next", "repeat", "overlap", "expired_status"])
  /// The keys of styles that compute the next position themselves.
  static let numberedKeys = sharedKeys.union(["param", "into", "first", "next", "pages"])

  /// The keys that other styles support and this one does not.
  package static func meaninglessKeys(of style: any PaginationStyle.Type) -> [String] {
    all.reduce(into: Set<String>()) { $0.formUnion($1.keys) }.subtracting(style.keys).sorted()
  }

  package static func named(_ name: String) -> (any PaginationStyle.Type)? { all.first { $0.name == name } }
}

/// A pagination that cannot work, or a reply that it cannot use: the key, and the problem.
package struct PaginationProblem: Error, Sendable, Hashable {
  package let key: String
  package let problem: String

  package init(key: String, _ problem: String) {
    self.key = key
    self.problem = problem
  }
}

extension PaginationProblem {
  /// For a position that the style does not produce.
  static let foreignPosition = PaginationProblem(key: "type", "does not support this position")
}

/// The facts about a reply that a style may use.
package struct PageFacts: Sendable {
  /// The number of rows received, including null entries.
  package var rowCount: Int
  /// The page size that the reply reports, or else the requested one; nil if neither is known.
  package var pageSize: Int?
  package var reply: ReplyValues
  /// The origin that the source is configured for; nil for the origin of the reply.
  package var origin: Origin?
}

/// The end conditions that all styles share, in the order of rule 1: an explicit flag, the next value, the
/// page count, the total, an empty page, a short page. The first one that the source declares decides.
/// (Total, empty, and short pages are evaluated by the session, which knows the earlier pages.)
struct EndConditions {
  let settings: PaginationSettings

  /// Whether the reply says that more pages follow; nil if the source declares no flag.
  private func flag(in reply: ReplyValues) -> Bool? {
    if let more = settings.more { return reply.isTrue(more) }
    if let done = settings.done { return !reply.isTrue(done) }
    return nil
  }

  /// The next value; nil if none is declared, or it is "", null, false, {}, [], or absent (rule 2).
  private func nextValue(in reply: ReplyValues) -> ReplyValue? {
    settings.next.flatMap { reply.presentValue(of: $0) }
  }

  /// For styles that follow the next value: that value and the evidence for it; nil if the list has ended
  /// because a flag says so, the value is missing, or the source ends on empty pages.
  ///
  /// - Throws: If `more` says that the list continues but there is no next value: rows would be missing.
  func promise(
    after page: PageFacts
  ) throws(PaginationProblem) -> (value: ReplyValue, evidence: Evidence)? {
    let flag = flag(in: page.reply)
    guard flag != false, !isEmptyEnd(page) else { return nil }
    if let value = nextValue(in: page.reply) { return (value, flag == true ? .flag : .value) }
    guard let more = settings.more, page.reply.isTrue(more) else { return nil }
    throw PaginationProblem(key: "next", "is missing, although the reply says there are more rows")
  }

  /// For styles that compute the next page themselves: a declared `next` is only a flag (rule 1).
  ///
  /// - Parameters:
  ///   - next: The position of the next page.
  ///   - pagesSoFar: The number of pages so far, including this one.
  func continuation(after page: PageFacts, to next: Position, pagesSoFar: Int) -> Continuation {
    if isEmptyEnd(page) { return .end(.emptyPage) }
    if let more = flag(in: page.reply) { return more ? .next(next, .flag) : .end(.last) }
    if settings.next != nil { return nextValue(in: page.reply) == nil ? .end(.last) : .next(next, .value) }
    if let count = pageCount(in: page.reply) {
      return pagesSoFar < count ? .next(next, .pageCount) : .end(.last)
    }
    return .next(next, isShortEnd(page) ? .shortPage : .none)
  }

  /// The number of pages, where the source declares it.
  func pageCount(in reply: ReplyValues) -> Int? {
    settings.pages.flatMap { reply.text(of: $0) }.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  private func isEmptyEnd(_ page: PageFacts) -> Bool {
    page.rowCount == 0 && settings.endConditions.contains(.empty)
  }

  private func isShortEnd(_ page: PageFacts) -> Bool {
    guard settings.endConditions.contains(.short), let size = page.pageSize else { return false }
    return page.rowCount < size
  }
}

/// The request for one page before it is built. A style puts its position here.
package struct RequestDraft: Sendable, Hashable {
  /// If set, replaces the URL, its parameters, and its path: a link is followed unchanged (rule 16).
  package var target: WebURL?
  /// Query parameters that replace those with the same name.
  package var parameters: [Item] = []
  package var headers: [Item] = []
  /// Values for the body; they override the values that the source puts there.
  package var body: [BodyItem] = []

  /// A name and a value, not yet encoded or validated.
  package struct Item: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  /// A value, and the member names that lead to its location in the body.
  package struct BodyItem: Sendable, Hashable {
    package let path: [String]
    package let value: JSONToken
  }

  /// Puts a value into the slot. A value that a query or a header cannot carry is left out.
  package mutating func put(_ value: JSONToken, into slot: Slot) {
    switch slot {
    case .query(let name): if let text = value.text { parameters.append(Item(name: name, value: text)) }
    case .header(let name): if let text = value.text { headers.append(Item(name: name, value: text)) }
    case .body(let path): body.append(BodyItem(path: path, value: value))
    }
  }
}

/// Where a page number, a cursor, or a page size is sent: `query:x`, `header:x`, or `body:a.b`.
package enum Slot: Sendable, Hashable, Codable {
  case query(String)
  case header(String)
  /// The member names from the body's root; empty for the body itself.
  case body([String])

  /// Whether the slot can hold values other than strings and numbers.
  package var takesAnyValue: Bool { if case .body = self { true } else { false } }

  /// A value of a reply in a form that this slot can hold (rule 2): any value unchanged in a body, elsewhere
  /// only strings and numbers.
  ///
  /// - Parameter key: The key of `[pagination]` that produced the value.
  func token(of value: ReplyValue, from key: String) throws(PaginationProblem) -> JSONToken {
    guard let token = value.token, takes(token) else {
      throw PaginationProblem(
        key: key, "returned \(value.kindName), which cannot be sent in a query or header")
    }
    return token
  }

  /// The same validation for a stored value.
  func check(_ token: JSONToken, from key: String) throws(PaginationProblem) {
    if !takes(token) {
      throw PaginationProblem(key: key, "returned a value that cannot be sent in a query or header")
    }
  }

  private func takes(_ token: JSONToken) -> Bool { token.text != nil || takesAnyValue }
}

/// `none`: all rows are on one page.
package struct SinglePage: PaginationStyle {
  package static let name = "none"
  package static let keys: Set = ["size", "hosts"]

  package init(_ settings: PaginationSettings) throws(PaginationProblem) {}

  package var first: Position { Position(ordinal: 0, value: .start) }

  package func apply(_ position: Position, to draft: inout RequestDraft) {}

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationProblem) -> Continuation { .end(.last) }

  package func check(_ position: Position, origin: Origin) throws(PaginationProblem) {
    if position != first { throw .foreignPosition }
  }
}
