package import HTTPValues
import JSON

extension Source {
  /// The separate request for the number of rows of a query; nil if the source has none.
  ///
  /// - Throws: The errors of `request(for:in:)`, and an error if the request would go to a different origin than that
  ///   of the pages.
  package func totalRequest(for query: Query, in run: RunContext) throws(PageError) -> HTTPRequest? {
    guard let total = rows.totalRequest else { return nil }
    let requesting = requesting(total.endpoint, of: "rows.total_request")
    let request = try requesting.request(for: PageRequest(first: requesting, query), in: run)
    guard request.url.origin == origin(for: query, in: run) else {
      throw PageError(
        .invalidRequest,
        message: "rows.total_request of source \(id) uses another origin, \(request.url.origin)",
        remedy: "use a URL with the origin of request.url")
    }
    return request
  }

  /// The total in the response to `totalRequest`.
  ///
  /// - Throws: The error of a failed page, by the same rules.
  package func total(
    answering query: Query, in response: HTTPResponse, _ run: RunContext
  ) throws(PageError) -> TotalResponse {
    guard let total = rows.totalRequest else { return TotalResponse(nil) }
    let requesting = requesting(total.endpoint, of: "rows.total_request")
    let (values, _, errors) = try requesting.read(response, of: query, in: run, isFirst: true)
    var answer = TotalResponse(budget: errors.budget, bucket: errors.bucket)
    answer.total = values.text(of: total.total).flatMap(Self.count).map { .exact($0) }
    // A total in a header needs no body.
    if answer.total == nil, !response.body.isEmpty, let error = values.error {
      throw requesting.unreadable(response, error)
    }
    return answer
  }

  /// This source with another request and a single page.
  ///
  /// - Parameter table: The table that describes the request.
  func requesting(_ endpoint: Endpoint, of table: String) -> Source {
    var source = self
    source.endpoint = endpoint
    source.endpoint.table = table
    source.pagination = Pagination(settings: .standard, style: SinglePage(.standard))
    return source
  }
}

extension Source {
  /// The request for a more complete form of the first row (`[detail.request]`); nil if the source has none,
  /// or the row has no URL.
  ///
  /// - Throws: The errors of `request(for:in:)`, and an error if the URL is not on the origin of the source.
  package func detailRequest(
    for rows: DocumentRows, of query: Query, in run: RunContext
  ) throws(PageError) -> HTTPRequest? {
    guard let detail = detail.request, let row = rows.nodes.first,
      let address = rows.response.text(of: detail.url, at: row), let home = origin(for: query, in: run)
    else { return nil }
    guard var url = try? rows.response.url.resolving(address), url.origin == home else {
      throw PageError(
        .invalidRequest, message: "invalid URL in detail.request of source \(id): \(address)",
        remedy: "use a URL of \(home)")
    }
    for parameter in detail.parameters {
      let value = parameter.value.filled(
        option: { rows.response.options[$0] },
        value: {
          $0.firstNode(in: rows.response.document, from: row).flatMap { rows.response.document.text(of: $0) }
        })
      if let value { url.setQueryItem(name: parameter.name, value: value) }
    }
    var endpoint = endpoint
    endpoint.method = .get
    endpoint.body = nil
    endpoint.isSafe = true
    let requesting = requesting(endpoint, of: Self.detailTable)
    return try requesting.request(for: PageRequest(first: requesting, query), at: url, in: run)
  }

  /// The row in the response to `detailRequest`.
  package func detailRow(
    in response: HTTPResponse, of query: Query, in run: RunContext
  ) throws(PageError) -> DocumentRows {
    let values = try read(response, of: query, in: run, isFirst: true).values
    if let error = values.error {
      throw requesting(endpoint, of: Self.detailTable).unreadable(response, error)
    }
    let root = values.document.rootNode
    guard let path = detail.request?.path else { return DocumentRows(response: values, nodes: [root]) }
    guard let node = path.firstNode(in: values.document, from: root),
      values.document.kind(of: node) == .object
    else {
      throw PageError(
        .unreadable, status: response.status,
        message: "\(response.url.withoutQuery) returned no object at \(path)",
        remedy: "correct path in \(Self.detailTable) of source \(id)")
    }
    return DocumentRows(response: values, nodes: [node])
  }

  private static let detailTable = "detail.request"
}
