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
