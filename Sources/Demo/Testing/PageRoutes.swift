extension Route {
  /// A list of the routes, for a user who opens the server's URL.
  static let index = Route("/", summary: "this list", example: Example(""), settings: "") { request in
    let base = request.baseURL
    return Reply(json: [
      "routes": .array(listed.map { $0.entry(baseURL: base) }),
      "faults": .array(Fault.all.map { $0.entry(baseURL: base) }),
      "parameters": [
        "delay": "milliseconds before the first byte of any reply",
        "from": "with a fault: first request of a search that fails (1)",
        "times": "with a fault: how many requests of a search fail",
        "every": "with a fault: only every Nth request fails (1)",
        "fault": "several, separated by commas, alternate",
        "run": "with a fault: a new value restarts the request count",
      ],
    ])
  }

  private func entry(baseURL: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "path", value: .string(path)),
      .init(name: "summary", value: .string(summary)),
      .init(name: "example", value: .string(baseURL + path + example.query)),
    ]
    if let body = example.body { members.append(.init(name: "body", value: .string(body))) }
    let lines = document(baseURL: baseURL).map { JSONValue.string($0) }
    members.append(.init(name: "source", value: .array(lines)))
    return .object(members)
  }
}

extension Fault {
  fileprivate func entry(baseURL: String) -> JSONValue {
    [
      "fault": .string(name), "summary": .string(summary),
      "example": .string("\(baseURL)/pages?q=arrow&fault=\(name)\(example)"),
    ]
  }
}

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

extension Route {
  /// Pages linked only by the `Link` field.
  static let link = Route(
    "/link", summary: "pages by the Link header, only rows in the body: q, page, per_page",
    example: Example("?q=arrow&per_page=5"),
    settings: linkSettings(next: "link:next", rows: "$")
  ) { request throws(Refusal) in
    let number = try PageNumber(request)
    let page = try CharacterPage(number, of: request)
    var reply = Reply(json: page.items)
    reply.addLinks(number.links(after: page).filter { $0.relation == "next" }, of: request)
    return reply
  }

  /// The absolute URL of the next page in the body.
  static let linkInBody = bodyLink(
    "/link/body", also: ["/characters/link"], "a whole URL in next: q, page, per_page"
  ) { request, page in request.url(setting: "page", to: page) }

  /// A path without scheme and host.
  static let relativeLink = bodyLink(
    "/link/relative", "a path with a query in next: q, page, per_page"
  ) { request, page in "\(request.path)?\(request.query.setting("page", to: page).text)" }

  /// Only a query.
  static let queryLink = bodyLink(
    "/link/query", "only a query in next, ?q=…&page=2: q, page, per_page"
  ) { request, page in "?" + request.query.setting("page", to: page).text }

  private static func bodyLink(
    _ path: String, also aliases: [String] = [], _ summary: String,
    next: @escaping @Sendable (Request, String) -> String
  ) -> Route {
    Route(
      path, also: aliases, summary: "pages by " + summary, example: Example("?q=arrow&per_page=5"),
      settings: linkSettings(next: "next", rows: "items")
    ) { request throws(Refusal) in
      let number = try PageNumber(request)
      let page = try CharacterPage(number, of: request)
      let target = number.next(after: page).map { next(request, String($0)) }
      return Reply(json: ["items": page.items, "next": .optional(target)])
    }
  }

  private static func linkSettings(next: String, rows: String) -> String {
    """
    params = { q = '{query}' }
    [pagination]
    type = 'link'
    size = { param = 'per_page', default = 30, max = 100 }
    next = '\(next)'
    [rows]
    path = '\(rows)'
    key = 'code_point'
    """
  }
}

extension Route {
  /// Rows as the values of a map.
  static let mapRows = Route(
    "/rows/map", summary: "rows as a map from code point to character: q, page, per_page",
    example: Example("?q=arrow&per_page=5"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'page'
      param = 'page'
      size = { param = 'per_page', default = 30, max = 100 }
      [rows]
      path = 'characters'
      shape = 'map'
      key = '@key'
      total = 'total'
      """
  ) { request throws(Refusal) in
    let page = try CharacterPage(PageNumber(request), of: request)
    let members = page.characters.map { JSONValue.Member(name: $0.codePoint, value: $0.json) }
    return Reply(json: ["total": page.totalCount, "characters": .object(members)])
  }

  /// Rows as arrays, with a separate list of their column names.
  static let columnRows = Route(
    "/rows/columns",
    summary: "rows as arrays with separate column names, as in Datasette: q, limit, cursor",
    example: Example("?q=arrow&limit=5"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'cursor'
      into = 'query:cursor'
      size = { param = 'limit', default = 30, max = 100 }
      next = 'next'
      [rows]
      path = 'rows'
      shape = 'columns'
      names = 'columns'
      key = 'code_point'
      total = 'total'
      """
  ) { request throws(Refusal) in
    let page = try CharacterPage(byCursor: request)
    let rows = page.characters.map { character -> JSONValue in
      [.string(character.codePoint), .string(String(Character(character.scalar))), .string(character.name)]
    }
    return Reply(json: [
      "columns": ["code_point", "character", "name"], "rows": .array(rows), "total": page.totalCount,
      "next": .optional(page.next.map(Cursor(request).token)),
    ])
  }

  /// Rows as plain values.
  static let scalarRows = Route(
    "/rows/scalars", summary: "rows as plain strings: q, page, per_page",
    example: Example("?q=arrow&per_page=5"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'page'
      param = 'page'
      size = { param = 'per_page', default = 30, max = 100 }
      [rows]
      path = '$'
      shape = 'scalars'
      """
  ) { request throws(Refusal) in
    let page = try CharacterPage(PageNumber(request), of: request)
    return Reply(json: .array(page.characters.map { .string($0.name) }))
  }

  /// A single page, as in autocomplete services.
  static let single = Route(
    "/none", summary: "one page of the first matches: q, limit", example: Example("?q=arrow&limit=5"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'none'
      size = { param = 'limit', default = 30, max = 100 }
      [rows]
      path = 'items'
      key = 'code_point'
      """
  ) { request throws(Refusal) in
    let size = try PageSize.requested(by: "limit", of: request)
    return Reply(json: ["items": try CharacterSearch(request).page(from: 0, size: size).items])
  }
}
