/// A way a service pages. Two requirements: put a position into a request, and find the next one in a
/// reply. A new style is one file and one entry in `PaginationStyles.all`.
package protocol PaginationStyle: Sendable {
  /// What `type =` calls it.
  static var name: String { get }
  /// The keys of `[pagination]`, beside `type`, that mean something to this style; any other is a mistake.
  static var keys: Set<String> { get }

  /// - Throws: when the settings do not make sense for this style; the key at fault is named.
  init(_ settings: PaginationSettings) throws(PaginationProblem)

  var first: Position { get }
  /// How far apart the numbers of neighbouring pages are; nil when a page is known only from the one
  /// before it.
  var stride: Int? { get }

  func apply(_ position: Position, to draft: inout RequestDraft)
  func continuation(after page: PageFacts, at position: Position) throws(PaginationProblem) -> Continuation
}

extension PaginationStyle {
  package var stride: Int? { nil }
}

package enum PaginationStyles {
  package static let all: [any PaginationStyle.Type] = [
    PagePagination.self, OffsetPagination.self, LinkPagination.self, CursorPagination.self, SinglePage.self,
  ]

  /// What every style with a next page understands.
  static let sharedKeys: Set = ["size", "more", "done", "cap", "end_status", "max_empty_pages"]

  /// Keys that some style understands and this one does not.
  package static func meaninglessKeys(of style: any PaginationStyle.Type) -> [String] {
    all.reduce(into: Set<String>()) { $0.formUnion($1.keys) }.subtracting(style.keys).sorted()
  }

  package static func named(_ name: String) -> (any PaginationStyle.Type)? { all.first { $0.name == name } }
}

/// A pagination that cannot work, or a reply it cannot use: the key, and what is wrong with it.
package struct PaginationProblem: Error, Sendable, Hashable {
  package let key: String
  package let problem: String

  package init(key: String, _ problem: String) {
    self.key = key
    self.problem = problem
  }
}

/// The request of one page before it is built: a style puts its position here.
package struct RequestDraft: Sendable, Hashable {
  /// Replaces address, parameters and path when set: a link is followed unchanged (rule 16).
  package var target: WebURL?
  /// Query parameters that take the place of those with the same name.
  package var parameters: [Item] = []
  package var headers: [Item] = []
  /// Values put into the body, over what the source places there.
  package var body: [BodyItem] = []

  /// A value with its name, not encoded or checked yet.
  package struct Item: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  /// A value and the member names that lead to its place in the body.
  package struct BodyItem: Sendable, Hashable {
    package let path: [String]
    package let value: JSONToken
  }

  /// Puts a value where the slot says. What a query or a header cannot carry is left out.
  package mutating func put(_ value: JSONToken, into slot: Slot) {
    switch slot {
    case .query(let name): if let text = value.text { parameters.append(Item(name: name, value: text)) }
    case .header(let name): if let text = value.text { headers.append(Item(name: name, value: text)) }
    case .body(let path): body.append(BodyItem(path: path, value: value))
    }
  }
}

/// Where a page number, a cursor or a page size goes: `query:x`, `header:x` or `body:a.b`.
package enum Slot: Sendable, Hashable {
  case query(String)
  case header(String)
  /// The member names from the body's root on.
  case body([String])

  /// Whether it can carry more than text and numbers.
  package var takesAnyValue: Bool { if case .body = self { true } else { false } }
}

/// What a style may look at in a reply.
package struct PageFacts: Sendable {
  package var rowCount: Int
  package var pageSize: Int?
  package var reply: ReplyValues

  package init(rowCount: Int, pageSize: Int?, reply: ReplyValues) {
    self.rowCount = rowCount
    self.pageSize = pageSize
    self.reply = reply
  }
}
