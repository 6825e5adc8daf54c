/// Converts a page's rows; the only difference between the pager and the one-shot writer in reading a page.
package typealias RowMapper = @Sendable (DocumentRows) -> PageContent

extension Source {
  /// Parses a complete reply as the requested page.
  ///
  /// - Parameters:
  ///   - makeContent: Converts the rows to the content that is kept.
  /// - Throws: `PageError`. A status in `endStatuses` after the first page ends the list instead.
  package func page(
    from reply: HTTPReply, for request: PageRequest, in run: RunContext, makeContent: RowMapper
  ) throws(PageError) -> Page {
    let (document, values) = read(reply, of: request.query, in: run)
    let isFirst = request.position.ordinal == 0
    let verdict = ReplyVerdict.of(reply, values, source: self, isFirst: isFirst)
    let errors = errors(in: reply, values, of: request.query, in: run)
    var page: Page
    switch verdict {
    case .failure(let kind, let canRepeat, let rule): throw errors.error(kind, canRepeat, rule)
    case .pastTheEnd:
      page = Page(content: nothing(reply, makeContent), continuation: .end(.status(reply.status)))
      page.notes = ["the service ended this list with status \(reply.status)"]
    case .page where reply.status == 204 || reply.body.isEmpty:
      page = emptyPage(reply, for: request, in: run, makeContent)
    case .page, .partialPage:
      guard let values else { throw unreadable(reply, document) }
      page = try self.page(in: values, for: request, in: run, makeContent: makeContent)
      if verdict == .partialPage { page.notes.append(errors.warning) }
    }
    page.budget = errors.budget
    page.bucket = errors.bucket
    page.exchange = Exchange(sentAt: reply.sentAt, arrivedAt: reply.arrivedAt)
    return page
  }

  /// The body as JSON, and the values of the reply if it is JSON.
  func read(
    _ reply: HTTPReply, of query: Query, in run: RunContext
  ) -> (Result<JSONDocument, JSONError>, ReplyValues?) {
    let document = parsed(reply.body)
    let values = (try? document.get()).map {
      ReplyValues(
        document: $0, headers: reply.headers, url: reply.url, options: optionValues(of: query, in: run))
    }
    return (document, values)
  }

  func errors(
    in reply: HTTPReply, _ values: ReplyValues?, of query: Query, in run: RunContext
  ) -> ErrorReply {
    ErrorReply(
      source: self, credentials: credentials(of: run, sentTo: reply.url.origin, query), reply: reply,
      values: values)
  }

  private func parsed(_ body: [UInt8]) -> Result<JSONDocument, JSONError> {
    do { return .success(try JSONDocument(body)) } catch { return .failure(error) }
  }

  /// The page for a reply without a body: no rows, but a header may lead to the next page.
  private func emptyPage(
    _ reply: HTTPReply, for request: PageRequest, in run: RunContext, _ makeContent: RowMapper
  ) -> Page {
    var page = Page(content: nothing(reply, makeContent), continuation: .end(.emptyPage))
    guard case .success(let document) = parsed(Array("{}".utf8)) else { return page }
    let values = ReplyValues(document: document, headers: reply.headers, url: reply.url)
    let facts = PageFacts(
      rowCount: 0, pageSize: run.pageSize, reply: values, origin: origin(for: request.query, in: run))
    if case .next(let next, let evidence) = continuation(after: facts, at: request.position),
      evidence.survivesAnEmptyPage
    {
      page.continuation = .next(next, evidence)
    }
    if isPromisedEnd(at: request.position, page.continuation) {
      page.notes = [
        "page \(request.position.ordinal + 1) is empty (status \(reply.status)): end of results"
      ]
    }
    return page
  }

  private func nothing(_ reply: HTTPReply, _ makeContent: RowMapper) -> PageContent {
    guard case .success(let document) = parsed(Array("[]".utf8)) else {
      return .cells(.empty)
    }
    let values = ReplyValues(document: document, headers: reply.headers, url: reply.url)
    return makeContent(DocumentRows(reply: values, nodes: []))
  }

  private func page(
    in values: ReplyValues, for request: PageRequest, in run: RunContext, makeContent: RowMapper
  ) throws(PageError) -> Page {
    let found = try foundRows(in: values)
    let total = total(in: values)
    let pageSize = pagination.settings.size.used(in: values, requested: run.pageSize)
    let facts = PageFacts(
      rowCount: found.received, pageSize: pageSize, reply: values,
      origin: origin(for: request.query, in: run))
    let continuation = continuation(after: facts, at: request.position)
    let rows = try matching(
      found.documentRows, request.query, run.filter, isFirst: request.position.ordinal == 0)
    let keys = keys(of: rows)
    let isKnownByKeys = !keys.isEmpty && rows.nodes.count == found.nodes.count
    return Page(
      content: makeContent(rows), keys: keys,
      fingerprint: isKnownByKeys ? nil : RowKey.fingerprint(found.nodes, in: found.reply.document),
      received: found.received, pageSize: pageSize, continuation: continuation,
      total: isFiltering(request.query) ? nil : total, pageCount: pagination.style.pageCount(in: facts),
      backoff: limits.backoff.flatMap { values.text(of: $0) }.flatMap { WaitSeconds.seconds($0) },
      notes: notes(of: found, at: request.position, continuation))
  }

  /// Where the list continues. An error here does not invalidate the rows received.
  private func continuation(after facts: PageFacts, at position: Position) -> Continuation {
    do { return try pagination.style.continuation(after: facts, at: position) } catch {
      return .end(.refusedNext("pagination.\(error.key) of source \(id) \(error.problem)"))
    }
  }

  private func keys(of rows: DocumentRows) -> [UInt64] {
    guard let expression = self.rows.key ?? self.rows.link else { return [] }
    let keys = rows.nodes.map { node in
      rows.reply.text(of: expression, at: node).map { RowKey.hash($0) } ?? RowKey.none
    }
    // If no row has the key, pages are compared as a whole, as for a source without a key.
    return keys.allSatisfy { $0 == RowKey.none } ? [] : keys
  }

  func unreadable(_ reply: HTTPReply, _ result: Result<JSONDocument, JSONError>) -> PageError {
    guard case .failure(let error) = result else {
      return PageError(.unreadable, message: "the reply is not JSON")
    }
    let type = reply.headers.first("Content-Type") ?? "no content type"
    if error.isMarkup {
      return PageError(
        .unreadable, status: reply.status,
        message: "\(reply.url.origin) returned HTML, not JSON: probably a sign-in page or a wrong address",
        remedy: "open \(reply.url.origin) in a browser, or check request.url of source \(id)")
    }
    let cutOff = error.isTruncated ? "truncated JSON" : "invalid JSON"
    return PageError(
      .unreadable, status: reply.status,
      message: "\(reply.url.origin) returned \(cutOff) (\(reply.body.count) bytes, \(type)): \(error)",
      canRepeat: error.isTruncated ? PageError.Repeat.atMost(1).allowed(forSafe: endpoint.isSafe) : .never)
  }
}
