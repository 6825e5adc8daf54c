extension Route {
  /// Numbered pages with a total, and `Link` fields as RFC 8288 has them.
  static let characters = Route(
    "/characters", "numbered pages: q, page (from 1), per_page (30, at most 100)"
  ) { request throws(Refusal) in
    let page = try PageNumber(request)
    let search = try CharacterSearch(request)
    let total = search.rows.count
    var reply = Reply(json: [
      "total_count": .number(Double(total)),
      "items": search.items(from: page.start, size: page.size),
    ])
    reply.add("X-Total-Count", String(total))
    let links = page.links(total: total).map { link in
      "<\(request.url(setting: "page", to: String(link.page)))>; rel=\"\(link.relation)\""
    }
    if !links.isEmpty { reply.add("Link", links.joined(separator: ", ")) }
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
    size = try CharacterSearch.size("per_page", of: request)
  }

  /// How many rows come before it.
  var start: Int { (page - 1) * size }

  struct Link: Equatable {
    var relation: String
    var page: Int
  }

  /// The pages to go to from here: none twice, none beyond the last.
  func links(total: Int) -> [Link] {
    let last = max(1, (total + size - 1) / size)
    let forward = [Link(relation: "next", page: page + 1), Link(relation: "last", page: last)]
    let back = [Link(relation: "prev", page: min(page - 1, last)), Link(relation: "first", page: 1)]
    return (page < last ? forward : []) + (page > 1 ? back : [])
  }
}
