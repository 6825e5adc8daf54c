extension Source {
  /// The request that asks how many rows a query has, apart from its pages; nil when the source has none.
  ///
  /// - Throws: as `request(for:in:)`; and when it would go to another origin than the pages come from.
  package func totalRequest(for query: Query, in run: RunContext) throws(PageError) -> HTTPRequest? {
    guard let total = rows.totalRequest, let asking = asking(total.endpoint) else { return nil }
    let request = try asking.request(for: firstPage(of: query), in: run)
    guard request.url.origin == origin(for: query, in: run) else {
      throw PageError(
        .unaskable, message: "rows.total_request of source \(id) leads to \(request.url.origin)",
        remedy: "it may ask the origin of request.url only")
    }
    return request
  }

  /// The number in the reply to `totalRequest`; nil when it is not there.
  package func total(answering query: Query, in reply: HTTPReply, _ run: RunContext) -> Total? {
    guard (200..<300).contains(reply.status), let expression = rows.totalRequest?.total,
      let document = try? JSONDocument(reply.body)
    else { return nil }
    let values = ReplyValues(
      document: document, headers: reply.headers, url: reply.url, options: optionValues(of: query, in: run))
    return values.text(of: expression).flatMap(Self.count).map { .exact($0) }
  }

  /// This source with another request and a single page.
  func asking(_ endpoint: Endpoint) -> Source? {
    guard let pagination = try? Pagination(SinglePage.self, PaginationSettings()) else { return nil }
    var source = self
    source.endpoint = endpoint
    source.pagination = pagination
    return source
  }

  /// Of a source with a single page.
  func firstPage(of query: Query) -> PageRequest {
    PageRequest(query: query, position: Position(ordinal: 0, value: .start), generation: 0)
  }
}
