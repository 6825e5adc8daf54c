extension Route {
  /// POST with the sort values of the last row in the body, as an array.
  static let searchAfter = Route(
    "/search-after", method: .post,
    summary:
      "POST; pages after the last row's sort values, as in Elasticsearch: query, size, search_after",
    example: Example("", body: #"{"query":"arrow","size":5,"search_after":[8595,"U+2193"]}"#),
    settings: """
      method = 'POST'
      safe = true
      body = { query = '{query}' }
      [pagination]
      type = 'cursor'
      into = 'body:search_after'
      size = { body = 'size', default = 30, max = 100 }
      next = 'hits.hits[-1].sort'
      [rows]
      path = 'hits.hits'
      key = '_id'
      total = 'hits.total.value'
      """
  ) { request throws(Refusal) in
    let body = try request.jsonBody(SearchAfterBody.self)
    let search = try CharacterSearch(body.query ?? "", paging: request.paging)
    let start = try body.searchAfter.map { key throws(Refusal) in
      guard UInt32(codePoint: key.codePoint) == key.number else {
        throw Refusal(400, "search_after must be the sort values of a row")
      }
      return search.position(notBefore: key.number + 1)
    }
    let page = search.page(from: start ?? 0, size: PageSize.requested(body.size))
    return Reply(json: [
      "hits": [
        "total": ["value": page.totalCount, "relation": "eq"],
        "hits": .array(page.characters.map(\.hit)),
      ]
    ])
  }
}

private struct SearchAfterBody: Decodable {
  var query: String?
  var size: Int?
  var searchAfter: SortValues?

  enum CodingKeys: String, CodingKey {
    case query, size
    case searchAfter = "search_after"
  }

  /// A number and a string, to be sent back unchanged.
  struct SortValues: Decodable {
    var number: UInt32
    var codePoint: String

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      number = try values.decode(UInt32.self)
      codePoint = try values.decode(String.self)
    }
  }
}

extension NamedCharacter {
  fileprivate var hit: JSONValue {
    [
      "_id": .string(codePoint), "_source": json,
      "sort": [.number(Double(scalar.value)), .string(codePoint)],
    ]
  }
}
