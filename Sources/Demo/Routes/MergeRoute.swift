extension Route {
  /// Pages located by an object of two values, both of which must be in the next request.
  static let merge = Route(
    "/merge",
    summary: "pages by every key of an object, as in MediaWiki: q, limit, and those of continue",
    example: Example("?q=arrow&limit=5&offset=5&continue=-%7C%7C"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'merge'
      size = { param = 'limit', default = 30, max = 100 }
      next = 'continue'
      [rows]
      path = 'query.search'
      key = 'code_point'
      total = 'query.totalhits'
      """
  ) { request throws(Refusal) in
    let start = try request.query.number("offset", in: 0...1_000_000_000, standard: 0)
    guard (request.query["offset"] == nil) == (request.query["continue"] == nil) else {
      throw Refusal(400, "send offset and continue as returned with the previous page, or neither")
    }
    let size = try PageSize.requested(by: "limit", of: request)
    let page = try CharacterSearch(request).page(from: start, size: size)
    let found: JSONValue.Member = .init(
      name: "query", value: ["totalhits": page.totalCount, "search": page.items])
    guard let next = page.next else { return Reply(json: .object([found])) }
    let rest: JSONValue = ["offset": .number(Double(next)), "continue": "-||"]
    return Reply(json: .object([.init(name: "continue", value: rest), found]))
  }
}
