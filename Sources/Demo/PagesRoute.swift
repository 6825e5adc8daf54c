import JSON
import NIOHTTP1

extension Route {
  /// Numbered pages with a total, and `Link` fields as in RFC 8288.
  package static let characters = Route(["/characters", "/pages"]) { request throws(DemoError) in
    try Response(page: PageNumber(request), of: CharacterSearch(request), request)
  }
}

extension Response {
  /// A numbered page of a search.
  package init(page number: PageNumber, of search: CharacterSearch, _ request: Request) {
    let page = search.page(from: number.start, size: number.size)
    self.init(json: ["total_count": page.total, "items": page.characters] as JSONObject)
    headers.add(name: "X-Total-Count", value: String(page.total))
    addLinks(number.links(after: page), of: request)
  }
}

/// A numbered page of a given size.
package struct PageNumber {
  /// The number of the page; at least 1.
  let page: Int
  package let size: Int

  package init(_ request: Request) throws(DemoError) {
    page = try request.number("page", from: 1, standard: 1)
    size = try PageSize.requested(by: "per_page", of: request)
  }

  /// The number of rows before it.
  package var start: Int { (page - 1) * size }

  package struct Link: Equatable {
    package let relation: String
    let page: Int
  }

  /// The number of the next page; nil after the last.
  package func next(after page: CharacterPage) -> Int? { page.next.map { $0 / size + 1 } }

  /// The pages linked from here, without duplicates and none beyond the last.
  package func links(after page: CharacterPage) -> [Link] {
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
  package init(_ number: PageNumber, of request: Request) throws(DemoError) {
    self = try CharacterSearch(request).page(from: number.start, size: number.size)
  }
}

extension Response {
  /// Adds a `Link` field with these links, unless there are none.
  package mutating func addLinks(_ links: [PageNumber.Link], of request: Request) {
    let targets = links.map { link in
      "<\(request.url(setting: "page", to: String(link.page)))>; rel=\"\(link.relation)\""
    }
    if !targets.isEmpty { headers.add(name: "Link", value: targets.joined(separator: ", ")) }
  }
}

/// One page of a search.
package struct CharacterPage {
  package let characters: [NamedCharacter]
  /// The position of the next page; nil on the last.
  package let next: Int?
  /// The number of matching characters on all pages.
  package let total: Int
}

/// The characters that match a query, to be divided into pages.
package struct CharacterSearch {
  /// All matches, in ascending order.
  package var scalars: [Unicode.Scalar]
  private let paging: Paging

  /// Searches for the parameter `q`; all characters without it.
  package init(_ request: Request) throws(DemoError) {
    try self.init(request["q"] ?? "", paging: request.paging)
  }

  package init(_ text: String, paging: Paging) throws(DemoError) {
    guard text.utf8.count <= Self.maxTextLength else {
      throw DemoError(422, "q can be up to \(Self.maxTextLength) bytes")
    }
    scalars = UnicodeCatalog.standard.scalars(matching: text)
    self.paging = paging
  }

  /// The maximum length of a query in bytes, so that a long query cannot keep the server busy.
  private static let maxTextLength = 256

  /// The page at a position, with at most `size` characters; empty beyond the end.
  package func page(from start: Int, size: Int) -> CharacterPage {
    let span = paging.span(start, size, scalars.count)
    return CharacterPage(
      characters: scalars[span.rows].compactMap(NamedCharacter.init), next: span.next, total: scalars.count)
  }
}

/// The number of rows per page.
package enum PageSize {
  package static let standard = 30
  package static let range = 1...100

  /// The page size in a parameter, limited to 100.
  package static func requested(by name: String, of request: Request) throws(DemoError) -> Int {
    try request.number(name, from: range.lowerBound, to: range.upperBound, standard: standard)
  }
}

/// The division of a list into pages.
package struct Paging: Sendable {
  /// The page at a position.
  ///
  /// - Parameters:
  ///   - start: The number of preceding rows; beyond the end, the page is empty and has no next page.
  ///   - size: At least 1.
  ///   - count: The number of rows in the list.
  package let span: @Sendable (_ start: Int, _ size: Int, _ count: Int) -> PageSpan

  package init(span: @escaping @Sendable (_ start: Int, _ size: Int, _ count: Int) -> PageSpan) {
    self.span = span
  }

  package static let regular = Paging { start, size, count in
    PageSpan(from: start, to: start + size, next: start + size, count: count)
  }
}

/// The rows of a list that are on a page, and the position of the next page; nil after the last.
package struct PageSpan: Sendable, Equatable {
  package var rows: Range<Int>
  package var next: Int?

  package init(rows: Range<Int>, next: Int?) {
    self.rows = rows
    self.next = next
  }

  /// Creates a span clamped to a list of `count` rows, with a next page if rows remain.
  package init(from start: Int, to end: Int, next: Int, count: Int) {
    let first = min(max(start, 0), count)
    rows = first..<min(max(end, first), count)
    self.next = end < count ? next : nil
  }
}
