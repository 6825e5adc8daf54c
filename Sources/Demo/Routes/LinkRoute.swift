extension Route {
  /// Numbered pages whose body names the next page's URL.
  static let charactersByLink = Route(
    "/characters/link", "pages by URL: q, page, per_page; next in the body is the next page's address"
  ) { request throws(Refusal) in
    let page = try PageNumber(request)
    let search = try CharacterSearch(request)
    let next = page.links(total: search.rows.count).first { $0.relation == "next" }
    return Reply(json: [
      "items": search.items(from: page.start, size: page.size),
      "next": .optional(next.map { request.url(setting: "page", to: String($0.page)) }),
    ])
  }
}
