extension Route {
  /// Pages linked by an opaque token in the body, without a total.
  static let cursor = Route(
    "/cursor", also: ["/characters/cursor"],
    summary: "pages by a token in the body: q, limit, cursor (next_cursor of the previous page)",
    example: Example("?q=arrow&limit=5"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'cursor'
      into = 'query:cursor'
      size = { param = 'limit', default = 30, max = 100 }
      next = 'next_cursor'
      [rows]
      path = 'items'
      key = 'code_point'
      """
  ) { request throws(Refusal) in
    let page = try CharacterPage(byCursor: request)
    return Reply(json: [
      "items": page.items, "next_cursor": .optional(page.next.map(Cursor(request).token)),
    ])
  }

  /// The same with the token in a header field; the body contains only the rows.
  static let cursorInHeader = Route(
    "/cursor/header",
    summary: "pages by a token in the X-Next-Cursor header, only rows in the body: q, limit, cursor",
    example: Example("?q=arrow&limit=5"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'cursor'
      into = 'query:cursor'
      size = { param = 'limit', default = 30, max = 100 }
      next = 'header:X-Next-Cursor'
      [rows]
      path = '$'
      key = 'code_point'
      """
  ) { request throws(Refusal) in
    let page = try CharacterPage(byCursor: request)
    var reply = Reply(json: page.items)
    if let next = page.next { reply.add("X-Next-Cursor", Cursor(request).token(next)) }
    return reply
  }
}

extension CharacterPage {
  /// The page for `limit` and `cursor`.
  init(byCursor request: Request) throws(Refusal) {
    let size = try PageSize.requested(by: "limit", of: request)
    let start = try Cursor(request).position(request.query["cursor"])
    self = try CharacterSearch(request).page(from: start, size: size)
  }
}
