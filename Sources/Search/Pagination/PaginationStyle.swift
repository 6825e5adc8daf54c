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
  /// What the numbers of positions count; nil when a page is known only from the one before it.
  var numbering: Numbering? { get }

  func apply(_ position: Position, to draft: inout RequestDraft)
  func continuation(after page: PageFacts, at position: Position) throws(PaginationProblem) -> Continuation
  /// Checks a position that comes from a file as `continuation(after:at:)` checks a reply: it must be one that this
  /// style makes, and lead nowhere that a reply could not lead.
  ///
  /// - Parameter origin: that the source is configured for.
  func check(_ position: Position, origin: Origin) throws(PaginationProblem)
  /// How many pages there are, as far as this reply tells; nil when it does not.
  func pageCount(in page: PageFacts) -> Int?
}

extension PaginationStyle {
  package var numbering: Numbering? { nil }

  package func pageCount(in page: PageFacts) -> Int? { nil }
}

/// What the numbers of positions count, where pages can be asked without the page before them.
package enum Numbering: Sendable, Hashable {
  /// Pages, from this number on.
  case pages(from: Int)
  /// Rows, from this number on.
  case rows(from: Int)

  package var first: Int {
    switch self {
    case .pages(let first), .rows(let first): first
    }
  }
}

package enum PaginationStyles {
  package static let all: [any PaginationStyle.Type] = [
    PagePagination.self, OffsetPagination.self, LinkPagination.self, CursorPagination.self,
    MergePagination.self, SinglePage.self,
  ]

  /// What every style with a next page understands.
  static let sharedKeys: Set = [
    "size", "more", "done", "cap", "end_on", "end_status", "max_empty_pages", "hosts",
  ]
  /// What the styles understand whose next position comes from the reply.
  static let followingKeys = sharedKeys.union(["next", "repeat", "overlap", "expired_status"])
  /// What the styles understand that reckon the next position themselves.
  static let numberedKeys = sharedKeys.union(["param", "into", "first", "next", "pages"])

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

extension PaginationProblem {
  /// Of a position that the style does not make.
  static let foreignPosition = PaginationProblem(key: "type", "has no such position")
}

/// What a style may look at in a reply.
package struct PageFacts: Sendable {
  /// Rows received, null entries included.
  package var rowCount: Int
  /// The page size the reply says it used, else the one that was asked for; nil when neither is known.
  package var pageSize: Int?
  package var reply: ReplyValues
  /// The origin the source is configured for; nil means that of the reply.
  package var origin: Origin?

  package init(
    rowCount: Int, pageSize: Int?, reply: ReplyValues, origin: Origin? = nil
  ) {
    self.rowCount = rowCount
    self.pageSize = pageSize
    self.reply = reply
    self.origin = origin
  }
}
