package import HTTPValues
package import JSON
import Text

/// A parsed reply: its rows, and what it says about the list.
package struct Page: Sendable, Codable {
  package var content: PageContent
  /// The hash of each row's key, in row order; empty if the source has no key. 0 for a row without a key.
  package var keys: [UInt64]
  /// The hash of all rows received, which identifies the page if the source has no key, or if a filter
  /// removed some rows; nil if the keys suffice.
  package var fingerprint: UInt64?
  /// The number of rows received, including null entries and rows removed by a filter; the basis of offsets
  /// and totals.
  package var received: Int
  /// The page size that the reply reports, or else the requested one.
  package var pageSize: Int?
  package var continuation: Continuation
  /// The next position in a form that may be stored on disk; nil if it contains a secret that cannot be
  /// removed.
  package var keptNext: Position? {
    get { replacedNext ?? next }
    set { replacedNext = .some(newValue) }
  }
  /// Nil if the next position contains no secret.
  private var replacedNext: Position??
  package var total: Total?
  /// The number of pages, if the reply determines it.
  package var pageCount: Int?
  package var budget: RateBudget?
  package var bucket: RateBucket?
  /// The pause that the service requests before the next request, in seconds.
  package var backoff: Double?
  /// Warnings that do not stop the run.
  package var notes: [String]
  package var exchange: Exchange

  package init(
    content: PageContent, keys: [UInt64] = [], fingerprint: UInt64? = nil, received: Int? = nil,
    pageSize: Int? = nil, continuation: Continuation, total: Total? = nil, pageCount: Int? = nil,
    budget: RateBudget? = nil, bucket: RateBucket? = nil, backoff: Double? = nil, notes: [String] = [],
    exchange: Exchange = Exchange()
  ) {
    self.content = content
    self.keys = keys
    self.fingerprint = fingerprint
    self.received = received ?? content.rowCount
    self.pageSize = pageSize
    self.continuation = continuation
    self.total = total
    self.pageCount = pageCount
    self.budget = budget
    self.bucket = bucket
    self.backoff = backoff
    self.notes = notes
    self.exchange = exchange
  }

  private enum CodingKeys: String, CodingKey {
    case content = "rows"
    case keys, fingerprint, received, pageSize, continuation, total, pageCount, budget, bucket, backoff, notes
    case exchange
  }

  package var rowCount: Int { content.rowCount }

  private var next: Position? { if case .next(let next, _) = continuation { next } else { nil } }

  /// The next position, if it contains a secret.
  package var secretNext: Position? { next == keptNext ? nil : next }
}

/// What is kept of a page's rows: cells in the pager, the document in one-shot mode until it is written.
package enum PageContent: Sendable {
  case cells(CellTable)
  case document(DocumentRows)

  package var rowCount: Int {
    switch self {
    case .cells(let table): table.rowCount
    case .document(let rows): rows.nodes.count
    }
  }
}

/// Rows inside the document that contains them.
package struct DocumentRows: Sendable {
  package let reply: ReplyValues
  package let nodes: [JSONNode]

  package init(reply: ReplyValues, nodes: [JSONNode]) {
    self.reply = reply
    self.nodes = nodes
  }
}

/// The number of rows that a service reports.
package enum Total: Sendable, Hashable, Codable {
  case exact(Int)
  case atLeast(Int)
  case estimate(Int)

  package var count: Int {
    switch self {
    case .exact(let count), .atLeast(let count), .estimate(let count): count
    }
  }

  /// "1,234", "at least 1,234", or "about 1,234".
  package var text: String {
    switch self {
    case .exact(let count): Digits.grouped(count)
    case .atLeast(let count): "at least \(Digits.grouped(count))"
    case .estimate(let count): "about \(Digits.grouped(count))"
    }
  }
}

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
    let (values, verdict, errors) = read(
      reply, of: request.query, in: run, isFirst: request.position.ordinal == 0)
    var page: Page
    switch verdict {
    case .failure(let kind, let canRepeat, let rule): throw errors.error(kind, canRepeat, rule)
    case .pastTheEnd:
      page = Page(
        content: makeContent(DocumentRows(reply: values, nodes: [])),
        continuation: .end(.status(reply.status)))
      page.notes = ["the service ended this list with status \(reply.status)"]
    case .page where reply.status == 204 || reply.body.isEmpty:
      page = emptyPage(values, reply.status, for: request, in: run, makeContent)
    case .page, .partialPage:
      if let error = values.error { throw unreadable(reply, error) }
      page = try self.page(in: values, for: request, in: run, makeContent: makeContent)
      if verdict == .partialPage { page.notes.append(errors.warning) }
    }
    page.budget = errors.budget
    page.bucket = errors.bucket
    page.exchange = Exchange(sentAt: reply.sentAt, arrivedAt: reply.arrivedAt)
    return page
  }

  /// The values of a reply, what it is, and the error it is if it is one.
  func read(
    _ reply: HTTPReply, of query: Query, in run: RunContext, isFirst: Bool
  ) -> (values: ReplyValues, verdict: ReplyVerdict, errors: ErrorReply) {
    let values = ReplyValues(reply, options: optionValues(of: query, in: run))
    let errors = ErrorReply(
      source: self, credentials: credentials(of: run, sentTo: reply.url.origin, query), reply: reply,
      values: values)
    return (values, ReplyVerdict.of(reply, values, source: self, isFirst: isFirst), errors)
  }

  /// The page for a reply without a body: no rows, but a header may lead to the next page.
  private func emptyPage(
    _ values: ReplyValues, _ status: Int, for request: PageRequest, in run: RunContext,
    _ makeContent: RowMapper
  ) -> Page {
    var page = Page(
      content: makeContent(DocumentRows(reply: values, nodes: [])), continuation: .end(.emptyPage))
    let facts = PageFacts(
      rowCount: 0, pageSize: run.pageSize, reply: values, origin: origin(for: request.query, in: run))
    if case .next(let next, let evidence) = continuation(after: facts, at: request.position),
      evidence.survivesAnEmptyPage
    {
      page.continuation = .next(next, evidence)
    }
    if isPromisedEnd(at: request.position, page.continuation) {
      page.notes = [
        "page \(request.position.ordinal + 1) is empty (status \(status)): end of results"
      ]
    }
    return page
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

  func unreadable(_ reply: HTTPReply, _ error: JSONError) -> PageError {
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

extension Source {
  /// The number of rows that the service reports, and its certainty; nil if it reports no number. The number
  /// may be written as a string.
  func total(in values: ReplyValues) -> Total? {
    guard let text = rows.total.flatMap({ values.text(of: $0) }), let count = Self.count(text) else {
      return nil
    }
    if let incomplete = rows.incomplete, values.isTrue(incomplete) { return .estimate(count) }
    if let bound = rows.totalAtLeast, values.holds(bound) { return .atLeast(count) }
    if let exact = rows.totalExact, !values.isTrue(exact) { return .estimate(count) }
    return .exact(count)
  }

  /// Digits only: no sign, no separators, no fraction.
  static func count(_ text: String) -> Int? {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
  }
}

/// The identity of a row as a number: FNV-1a over the key's text. 64 bits, so that the keys of a page are one
/// flat array. `none` is for a row without a key.
package enum RowKey {
  package static let none: UInt64 = 0

  package static func hash(_ text: String) -> UInt64 {
    let hash = fold(text.utf8, into: basis)
    return hash == none ? 1 : hash
  }

  /// The hash of unmodified bytes.
  package static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 { fold(bytes, into: basis) }

  /// One hash over the bytes of all rows.
  static func fingerprint(_ nodes: [JSONNode], in document: JSONDocument) -> UInt64 {
    var hash = basis
    for node in nodes { hash = fold(document.bytes[document.byteRange(of: node)], into: hash) }
    return hash
  }

  private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325

  private static func fold(_ bytes: some Sequence<UInt8>, into start: UInt64) -> UInt64 {
    var hash = start
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
