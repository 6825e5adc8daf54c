extension Route {
  /// Pages numbered from 0, with their count.
  static let pagesFromZero = Route(
    "/pages/zero",
    summary: "pages numbered from 0 with their count, as in Hacker News: q, page, hitsPerPage",
    example: Example("?q=arrow&page=1&hitsPerPage=5"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'page'
      param = 'page'
      first = 0
      size = { param = 'hitsPerPage', default = 30, max = 100 }
      pages = 'nbPages'
      [rows]
      path = 'hits'
      key = 'code_point'
      total = 'nbHits'
      """
  ) { request throws(Refusal) in
    let number = try request.query.number("page", in: 0...1_000_000_000, standard: 0)
    let size = try PageSize.requested(by: "hitsPerPage", of: request)
    let page = try CharacterSearch(request).page(from: number * size, size: size)
    return Reply(json: [
      "hits": page.items,
      "nbHits": page.totalCount,
      "page": .number(Double(number)),
      "nbPages": .number(Double((page.total + size - 1) / size)),
      "hitsPerPage": .number(Double(size)),
    ])
  }
}
