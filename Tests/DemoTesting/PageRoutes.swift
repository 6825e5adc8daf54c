import Demo
import HTTPValues
import JSON

/// A route with the text that shows how to use it.
package struct ListedRoute: Sendable {
  package let path: String
  let route: Route
  /// A one-line description, including the parameters.
  let summary: String
  let example: Example
  private let settings: Settings

  /// The part of a source document for a route after the line with `url`, in TOML.
  struct Settings: Sendable, ExpressibleByStringLiteral {
    let lines: [String]

    init(stringLiteral text: String) { lines = text.split(separator: "\n").map(String.init) }

    /// Settings of a route that has the query in `q` and the page size in another parameter.
    ///
    /// - Parameters:
    ///   - pagination: More keys of the table with this type.
    ///   - rows: The path of the rows.
    ///   - keys: More keys of their table; by default, the code point is the key of a row.
    init(
      _ type: String, _ pagination: String..., size: String, rows: String, _ keys: String...,
      total: String? = nil
    ) {
      lines =
        [
          "params = { q = '{query}' }", "[pagination]", "type = '\(type)'",
          "size = { param = '\(size)', default = 30, max = 100 }",
        ] + pagination + ["[rows]", "path = '\(rows)'"] + (keys.isEmpty ? ["id = 'code_point'"] : keys)
        + (total.map { ["total = '\($0)'"] } ?? [])
    }
  }

  /// An example request for the route.
  struct Example: Sendable {
    /// The query including its question mark, or "".
    var query: String
    var body: String?

    init(_ query: String, body: String? = nil) {
      self.query = query
      self.body = body
    }
  }

  init(
    _ path: String, also aliases: [String] = [], methods: [String] = ["GET", "HEAD"], summary: String,
    example: Example, settings: Settings,
    response: @escaping @Sendable (Request) throws(DemoError) -> Response
  ) {
    self.path = path
    route = Route([path] + aliases, methods: methods, response: response)
    self.summary = summary
    self.example = example
    self.settings = settings
  }

  /// The lines of a source document that lets riffle page through the route.
  package func document(baseURL: String) -> [String] {
    let id = "demo" + path.replacing("/", with: "-")
    let head = ["schema = 1", "id = '\(id)'", "[request]", "url = '\(baseURL)\(path)'"]
    return head + settings.lines
  }

  /// All routes except the index. To add one, write it next to similar ones and add it here.
  package static let listed: [ListedRoute] = [
    pages, pagesFromZero, offset, cursor, cursorInHeader, keyset, inclusiveKeyset, searchAfter, link,
    linkInBody, relativeLink, queryLink, merge, graphQL, mapRows, columnRows, scalarRows, single,
  ]

  static let all = [index] + listed
}

extension ListedRoute {
  /// A list of the routes, for a user who opens the server's URL.
  static let index = ListedRoute("/", summary: "this list", example: Example(""), settings: "") { request in
    Response(
      json: [
        "routes": listed.map { $0.listing(baseURL: request.baseURL) },
        "faults": Fault.all.map { $0.listing(baseURL: request.baseURL) },
        "parameters": [
          "delay": "milliseconds before the first byte of any response",
          "from": "with a fault: first request of a search that fails (1)",
          "times": "with a fault: how many requests of a search fail",
          "every": "with a fault: only every Nth request fails (1)",
          "fault": "several, separated by commas, alternate",
          "run": "with a fault: a new value restarts the request count",
        ] as JSONObject,
      ] as JSONObject)
  }

  private func listing(baseURL: String) -> JSONObject {
    let body = example.body.map { [("body", $0 as any JSONConvertible)] } ?? []
    return JSONObject(
      [("path", path), ("summary", summary), ("example", baseURL + path + example.query)] + body
        + [("source", document(baseURL: baseURL))])
  }
}

extension Fault {
  fileprivate func listing(baseURL: String) -> JSONObject {
    [
      "fault": name, "summary": summary,
      "example": "\(baseURL)/pages?q=arrow&fault=\(name)\(example)",
    ]
  }
}

extension ListedRoute {
  /// The route of the demo server.
  static let pages = ListedRoute(
    "/pages", also: ["/characters"],
    summary: "numbered pages with a total and Link headers, as in GitHub: q, page (from 1), per_page",
    example: Example("?q=arrow&page=2&per_page=5"),
    settings: Settings(
      "page", "param = 'page'", "next = 'link:next'", size: "per_page", rows: "items", total: "total_count"),
    response: Route.characters.response)
}

extension ListedRoute {
  /// Pages numbered from 0, with their count.
  static let pagesFromZero = ListedRoute(
    "/pages/zero",
    summary: "pages numbered from 0 with their count, as in Hacker News: q, page, hitsPerPage",
    example: Example("?q=arrow&page=1&hitsPerPage=5"),
    settings: Settings(
      "page", "param = 'page'", "first = 0", "pages = 'nbPages'", size: "hitsPerPage", rows: "hits",
      total: "nbHits")
  ) { request throws(DemoError) in
    let number = try request.number("page", from: 0, standard: 0)
    let size = try PageSize.requested(by: "hitsPerPage", of: request)
    let page = try CharacterSearch(request).page(from: number * size, size: size)
    return Response(
      json: [
        "hits": page.characters, "nbHits": page.total, "page": number,
        "nbPages": (page.total + size - 1) / size, "hitsPerPage": size,
      ] as JSONObject)
  }
}

extension ListedRoute {
  /// Pages located by the number of preceding rows.
  static let offset = ListedRoute(
    "/offset",
    summary: "pages by offset, with next and previous URLs, as in Django REST framework: q, limit, offset",
    example: Example("?q=arrow&limit=5&offset=5"),
    settings: Settings(
      "offset", "param = 'offset'", "next = 'next'", size: "limit", rows: "results", total: "count")
  ) { request throws(DemoError) in
    let start = try request.number("offset", from: 0, standard: 0)
    let size = try PageSize.requested(by: "limit", of: request)
    let page = try CharacterSearch(request).page(from: start, size: size)
    let previous = start > 0 ? max(0, start - size) : nil
    let url = { (offset: Int) in "\(request.url(setting: "offset", to: String(offset)))" }
    return Response(
      json: [
        "count": page.total, "next": page.next.map(url), "previous": previous.map(url),
        "results": page.characters,
      ] as JSONObject)
  }
}

extension ListedRoute {
  /// Pages linked only by the `Link` field.
  static let link = ListedRoute(
    "/link", summary: "pages by the Link header, only rows in the body: q, page, per_page",
    example: Example("?q=arrow&per_page=5"),
    settings: Settings("link", "next = 'link:next'", size: "per_page", rows: "$")
  ) { request throws(DemoError) in
    let number = try PageNumber(request)
    let page = try CharacterPage(number, of: request)
    var response = Response(json: page.characters)
    response.addLinks(number.links(after: page).filter { $0.relation == "next" }, of: request)
    return response
  }

  /// The absolute URL of the next page in the body.
  static let linkInBody = bodyLink(
    "/link/body", also: ["/characters/link"], "a whole URL in next: q, page, per_page"
  ) { "\($0)" }

  /// A path without scheme and host.
  static let relativeLink = bodyLink(
    "/link/relative", "a path with a query in next: q, page, per_page"
  ) { $0.requestTarget }

  /// Only a query.
  static let queryLink = bodyLink(
    "/link/query", "only a query in next, ?q=…&page=2: q, page, per_page"
  ) { "?" + ($0.query ?? "") }

  private static func bodyLink(
    _ path: String, also aliases: [String] = [], _ summary: String,
    next: @escaping @Sendable (WebURL) -> String
  ) -> ListedRoute {
    ListedRoute(
      path, also: aliases, summary: "pages by " + summary, example: Example("?q=arrow&per_page=5"),
      settings: Settings("link", "next = 'next'", size: "per_page", rows: "items")
    ) { request throws(DemoError) in
      let number = try PageNumber(request)
      let page = try CharacterPage(number, of: request)
      let target = number.next(after: page).map { next(request.url(setting: "page", to: String($0))) }
      return Response(json: ["items": page.characters, "next": target] as JSONObject)
    }
  }
}

extension ListedRoute {
  /// Rows as the values of a map.
  static let mapRows = ListedRoute(
    "/rows/map", summary: "rows as a map from code point to character: q, page, per_page",
    example: Example("?q=arrow&per_page=5"),
    settings: Settings(
      "page", "param = 'page'", size: "per_page", rows: "characters", "shape = 'map'", "id = '@key'",
      total: "total")
  ) { request throws(DemoError) in
    let page = try CharacterPage(PageNumber(request), of: request)
    let characters = JSONObject(page.characters.map { ($0.codePoint, $0) })
    return Response(json: ["total": page.total, "characters": characters] as JSONObject)
  }

  /// Rows as arrays, with a separate list of their column names.
  static let columnRows = ListedRoute(
    "/rows/columns",
    summary: "rows as arrays with separate column names, as in Datasette: q, limit, cursor",
    example: Example("?q=arrow&limit=5"),
    settings: Settings(
      "cursor", "into = 'query:cursor'", "next = 'next'", size: "limit", rows: "rows", "shape = 'columns'",
      "names = 'columns'", "id = 'code_point'", total: "total")
  ) { request throws(DemoError) in
    let page = try CharacterPage(byCursor: request)
    let rows = page.characters.map { [$0.codePoint, String(Character($0.scalar)), $0.name] }
    return Response(
      json: [
        "columns": ["code_point", "character", "name"], "rows": rows, "total": page.total,
        "next": page.next.map(Cursor(request).token),
      ] as JSONObject)
  }

  /// Rows as plain values.
  static let scalarRows = ListedRoute(
    "/rows/scalars", summary: "rows as plain strings: q, page, per_page",
    example: Example("?q=arrow&per_page=5"),
    settings: Settings("page", "param = 'page'", size: "per_page", rows: "$", "shape = 'scalars'")
  ) { request throws(DemoError) in
    let page = try CharacterPage(PageNumber(request), of: request)
    return Response(json: page.characters.map(\.name))
  }

  /// A single page, as in autocomplete services.
  static let single = ListedRoute(
    "/none", summary: "one page of the first matches: q, limit", example: Example("?q=arrow&limit=5"),
    settings: Settings("none", size: "limit", rows: "items")
  ) { request throws(DemoError) in
    let size = try PageSize.requested(by: "limit", of: request)
    let page = try CharacterSearch(request).page(from: 0, size: size)
    return Response(json: ["items": page.characters] as JSONObject)
  }
}
