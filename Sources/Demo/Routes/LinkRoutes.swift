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
