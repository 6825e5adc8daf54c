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
