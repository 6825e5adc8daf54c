/// What a page's rows are turned into; the pager and the one-shot writer differ here alone.
package typealias ContentMaker = @Sendable (DocumentRows) -> PageContent

extension Source {
  /// Reads a whole reply as the page that was asked for.
  ///
  /// - Parameters:
  ///   - makeContent: turns the rows into what is kept of them.
  /// - Throws: `PageError`; a status of `endStatuses` after the first page is a quiet end instead.
  package func page(
    from reply: HTTPReply, for request: PageRequest, in run: RunContext, makeContent: ContentMaker
  ) throws(PageError) -> Page {
    let document = parsed(reply.body)
    let values = (try? document.get()).map {
      ReplyValues(
        document: $0, headers: reply.headers, url: reply.url,
        options: optionValues(of: request.query, in: run))
    }
    let exchange = Exchange(sentAt: reply.sentAt, arrivedAt: reply.arrivedAt)
    let budget = RateBudget(limits: limits, headers: reply.headers, values: values, now: reply.arrivedAt)
    let isFirst = request.position.ordinal == 0
    switch ReplyVerdict.of(
      status: reply.status, source: self, reply: values, headers: reply.headers, isFirst: isFirst)
    {
    case .failure(let kind, let canRepeat):
      throw ErrorReply(
        source: self, credentials: credentials(of: run, sentTo: reply.url.origin, request.query),
        reply: reply,
        values: values, budget: budget
      ).error(kind, canRepeat)
    case .pastTheEnd:
      return Page(
        content: nothing(reply, makeContent), continuation: .end(.status(reply.status)), budget: budget,
        notes: ["the service ends this list with status \(reply.status)"], exchange: exchange)
    case .empty:
      return Page(
        content: nothing(reply, makeContent), continuation: .end(.emptyPage), budget: budget,
        exchange: exchange)
    case .page where reply.body.isEmpty:
      return Page(
        content: nothing(reply, makeContent), continuation: .end(.emptyPage), budget: budget,
        exchange: exchange)
    case .page:
      guard let values else { throw unreadable(reply, document) }
      var page = try page(in: values, for: request, pageSize: run.pageSize, makeContent: makeContent)
      page.budget = budget
      page.exchange = exchange
      return page
    }
  }

  private func parsed(_ body: [UInt8]) -> Result<JSONDocument, JSONError> {
    do { return .success(try JSONDocument(body)) } catch { return .failure(error) }
  }

  private func nothing(_ reply: HTTPReply, _ makeContent: ContentMaker) -> PageContent {
    guard case .success(let document) = parsed(Array("[]".utf8)) else {
      return .cells(.empty)
    }
    let values = ReplyValues(document: document, headers: reply.headers, url: reply.url)
    return makeContent(DocumentRows(reply: values, nodes: []))
  }

  private func page(
    in values: ReplyValues, for request: PageRequest, pageSize: Int?, makeContent: ContentMaker
  ) throws(PageError) -> Page {
    var notes: [String] = []
    let position = request.position
    let found = try foundRows(in: values, isFirst: position.ordinal == 0, notes: &notes)
    let facts = PageFacts(rowCount: found.received, pageSize: pageSize, reply: values)
    let continuation: Continuation
    do { continuation = try pagination.style.continuation(after: facts, at: position) } catch {
      // The rows that came are good; only the way on is not.
      continuation = .end(.refusedNext("pagination.\(error.key) of source \(id) \(error.problem)"))
    }
    let rows = matching(found.documentRows, request.query)
    let keys = keys(of: rows)
    return Page(
      content: makeContent(rows), received: found.received, keys: keys,
      fingerprint: keys.isEmpty ? RowKey.fingerprint(found.nodes, in: found.reply.document) : nil,
      continuation: continuation, total: isFiltering(request.query) ? nil : total(in: values),
      backoff: limits.backoff.flatMap { values.text(of: $0) }.flatMap { Double($0) }, notes: notes)
  }

  private func keys(of rows: DocumentRows) -> [UInt64] {
    guard let expression = self.rows.key ?? self.rows.link else { return [] }
    let keys = rows.nodes.map { node in
      rows.reply.text(of: expression, at: node).map { RowKey.hash($0) } ?? RowKey.none
    }
    // Rows none of which has the key are compared page by page, as those of a source without one.
    return keys.allSatisfy { $0 == RowKey.none } ? [] : keys
  }

  private func unreadable(_ reply: HTTPReply, _ result: Result<JSONDocument, JSONError>) -> PageError {
    guard case .failure(let error) = result else { return PageError(.unreadable, message: "no JSON") }
    let type = reply.headers.first("Content-Type") ?? "no content type"
    if error.isMarkup {
      return PageError(
        .unreadable, status: reply.status,
        message: "\(reply.url.origin) sent HTML, not JSON: a sign-in page or a wrong address?",
        remedy: "open \(reply.url.origin) in a browser, or check request.url of source \(id)")
    }
    let cutOff = error.isTruncated ? "JSON that is cut off" : "no valid JSON"
    return PageError(
      .unreadable, status: reply.status,
      message: "\(reply.url.origin) sent \(cutOff) (\(reply.body.count) bytes, \(type)): \(error)",
      canRepeat: error.isTruncated ? .atMost(1) : .never)
  }
}
