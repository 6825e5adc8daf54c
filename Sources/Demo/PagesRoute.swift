extension Route {
  /// Numbered pages with a total, and `Link` fields as in RFC 8288.
  static let pages = Route(
    "/pages", also: ["/characters"],
    summary: "numbered pages with a total and Link headers, as in GitHub: q, page (from 1), per_page",
    example: Example("?q=arrow&page=2&per_page=5"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'page'
      param = 'page'
      size = { param = 'per_page', default = 30, max = 100 }
      next = 'link:next'
      [rows]
      path = 'items'
      key = 'code_point'
      total = 'total_count'
      """
  ) { request throws(Refusal) in
    let number = try PageNumber(request)
    let page = try CharacterPage(number, of: request)
    var reply = Reply(json: ["total_count": page.totalCount, "items": page.items])
    reply.add("X-Total-Count", String(page.total))
    reply.addLinks(number.links(after: page), of: request)
    return reply
  }
}

/// A numbered page of a given size.
struct PageNumber {
  /// At least 1.
  var page: Int
  var size: Int

  init(_ request: Request) throws(Refusal) {
    page = try request.query.number("page", in: 1...1_000_000_000, standard: 1)
    size = try PageSize.requested(by: "per_page", of: request)
  }

  /// The number of rows before it.
  var start: Int { (page - 1) * size }

  struct Link: Equatable {
    var relation: String
    var page: Int
  }

  /// The number of the next page; nil after the last.
  func next(after page: CharacterPage) -> Int? { page.next.map { $0 / size + 1 } }

  /// The pages linked from here, without duplicates and none beyond the last.
  func links(after page: CharacterPage) -> [Link] {
    let last = max(1, (page.total + size - 1) / size)
    let forward = next(after: page).map { next in
      [Link(relation: "next", page: next), Link(relation: "last", page: last)]
    }
    let back = [Link(relation: "prev", page: min(self.page - 1, last)), Link(relation: "first", page: 1)]
    return (forward ?? []) + (self.page > 1 ? back : [])
  }
}

extension CharacterPage {
  /// The page with this number.
  init(_ number: PageNumber, of request: Request) throws(Refusal) {
    self = try CharacterSearch(request).page(from: number.start, size: number.size)
  }
}

extension Reply {
  /// Adds a `Link` field with these links, unless there are none.
  mutating func addLinks(_ links: [PageNumber.Link], of request: Request) {
    let targets = links.map { link in
      "<\(request.url(setting: "page", to: String(link.page)))>; rel=\"\(link.relation)\""
    }
    if !targets.isEmpty { add("Link", targets.joined(separator: ", ")) }
  }
}

/// One page of a search.
struct CharacterPage {
  let characters: [NamedCharacter]
  /// The position of the next page; nil on the last.
  let next: Int?
  /// The number of matching characters on all pages.
  let total: Int

  var items: JSONValue { .array(characters.map(\.json)) }
  var totalCount: JSONValue { .number(Double(total)) }
}

extension NamedCharacter {
  var json: JSONValue {
    [
      "code_point": .string(codePoint),
      "character": .string(String(Character(scalar))),
      "name": .string(name),
      "category": .string(category),
      "category_code": .string(categoryCode),
      "age": .optional(age),
      "numeric": .optional(numericValue),
      "url": .string(url),
    ]
  }
}

/// The characters that match a query, to be divided into pages.
struct CharacterSearch {
  /// All matches, in ascending order.
  private let rows: [Int]
  private let paging: Paging
  private let catalog = UnicodeCatalog.standardLibrary

  /// Searches for the parameter `q`; all characters without it.
  init(_ request: Request) throws(Refusal) {
    try self.init(request.query["q"] ?? "", paging: request.paging)
  }

  init(_ text: String, paging: Paging) throws(Refusal) {
    guard text.utf8.count <= Self.longestText else {
      throw Refusal(422, "q must have at most \(Self.longestText) bytes")
    }
    rows = Self.recent.rows(matching: text, in: catalog)
    self.paging = paging
  }

  private static let recent = RecentSearches()

  /// In bytes, so that a long query cannot keep the server busy.
  private static let longestText = 256

  /// The number of matches.
  var count: Int { rows.count }

  /// The page at a position, with at most `size` characters (a few more with faulty paging); empty beyond the
  /// end.
  func page(from start: Int, size: Int) -> CharacterPage {
    let span = paging.span(from: start, size: size, count: count)
    return CharacterPage(
      characters: rows[span.rows].compactMap { catalog.character(at: $0) }, next: span.next, total: count)
  }

  /// The position of the first match whose code point is at least this one. O(log n).
  func position(notBefore codePoint: UInt32) -> Int {
    let row = catalog.firstRow(notBefore: codePoint)
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The number of rows per page.
enum PageSize {
  static let standard = 30
  static let range = 1...100

  /// The page size in a parameter, limited to 100.
  static func requested(by name: String, of request: Request) throws(Refusal) -> Int {
    try request.query.number(name, in: range, standard: standard)
  }

  /// The page size in a request body.
  static func requested(_ size: Int?) -> Int {
    min(max(size ?? standard, range.lowerBound), range.upperBound)
  }
}

/// How a list is divided into pages, correctly or not.
enum Paging: Sendable, Equatable {
  case regular
  /// The first page forever; its next page is itself.
  case looping
  /// Each page begins with the last rows of the previous one.
  case overlapping
  /// Every second page is empty but has a next page.
  case gapped

  /// The number of rows that an overlapping page repeats.
  static let overlap = 3

  /// The page at a position, which is the number of preceding rows (in `gapped`: of rows and gaps).
  ///
  /// - Parameters:
  ///   - start: At least 0; beyond the end, the page is empty and has no next page.
  ///   - size: At least 1.
  func span(from start: Int, size: Int, count: Int) -> PageSpan {
    switch self {
    case .regular:
      return PageSpan(from: start, to: start + size, next: start + size, count: count)
    case .looping:
      return PageSpan(rows: 0..<min(size, count), next: start)
    case .overlapping:
      return PageSpan(from: start - Self.overlap, to: start + size, next: start + size, count: count)
    case .gapped:
      let slot = start / size
      if slot % 2 == 1 { return PageSpan(rows: 0..<0, next: start + size) }
      let first = slot / 2 * size
      var span = PageSpan(from: first, to: first + size, next: first + size, count: count)
      if span.next != nil { span.next = start + size }
      return span
    }
  }
}

/// The rows of a list that are on a page, and the position of the next page; nil after the last.
struct PageSpan: Sendable, Equatable {
  var rows: Range<Int>
  var next: Int?

  init(rows: Range<Int>, next: Int?) {
    self.rows = rows
    self.next = next
  }

  /// Clamped to a list of `count` rows; there is a next page if rows remain.
  fileprivate init(from start: Int, to end: Int, next: Int, count: Int) {
    let first = min(max(start, 0), count)
    rows = first..<min(max(end, first), count)
    self.next = end < count ? next : nil
  }
}
