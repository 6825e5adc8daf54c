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

  package init(
    rowCount: Int, pageSize: Int?, reply: ReplyValues, origin: Origin? = nil
  ) {
    self.rowCount = rowCount
    self.pageSize = pageSize
    self.reply = reply
    self.origin = origin
  }
}
