extension Route {
  /// Pages located by the number of preceding rows.
  static let offset = Route(
    "/offset",
    summary: "pages by offset, with next and previous URLs, as in Django REST framework: q, limit, offset",
    example: Example("?q=arrow&limit=5&offset=5"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'offset'
      param = 'offset'
      size = { param = 'limit', default = 30, max = 100 }
      next = 'next'
      [rows]
      path = 'results'
      key = 'code_point'
      total = 'count'
      """
  ) { request throws(Refusal) in
    let start = try request.query.number("offset", in: 0...1_000_000_000, standard: 0)
    let size = try PageSize.requested(by: "limit", of: request)
    let page = try CharacterSearch(request).page(from: start, size: size)
    let previous = start > 0 ? max(0, start - size) : nil
    let url = { (offset: Int) in request.url(setting: "offset", to: String(offset)) }
    return Reply(json: [
      "count": page.totalCount,
      "next": .optional(page.next.map(url)),
      "previous": .optional(previous.map(url)),
      "results": page.items,
    ])
  }
}
