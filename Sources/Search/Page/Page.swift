package import HTTPValues
package import JSON
import Text

/// A parsed response: its rows, and its facts about the list.
package struct Page: Sendable {
  package var content: PageContent
  /// The hash of each row's key, in row order; empty if the source has no key. 0 for a row without a key.
  package var keys: [UInt64] = []
  /// The hash of all rows received, which identifies the page if the source has no key, or if a filter
  /// removed some rows; nil if the keys suffice.
  package var fingerprint: UInt64?
  /// A hash that recognizes the page when it is received again: of all rows, or of their keys and the first and last
  /// row. Nil if the page has no rows.
  package var mark: UInt64?
  /// The number of rows received, with null entries and filtered rows; the basis of offsets and totals.
  package var received: Int
  /// The number of objects with lists of rows, if all of these are empty: such a page is not the end. Nil for others.
  package var groupCount: Int?
  /// The page size that the response reports, or else the requested one.
  package var pageSize: Int?
  package var continuation: Continuation
  /// The next position as it may be stored on disk; nil if it contains a secret that cannot be removed.
  package var storedNext: Position? {
    get { replacedNext ?? next }
    set { replacedNext = .some(newValue) }
  }
  /// Nil if the next position contains no secret.
  private var replacedNext: Position??
  package var total: Total?
  /// The number of pages, if the response determines it.
  package var pageCount: Int?
  package var budget: RateBudget?
  package var bucket: RateBucket?
  /// The pause that the service requests before the next request, in seconds.
  package var backoff: Double?
  /// Warnings that do not stop the run.
  package var notes: [String] = []
  /// The reason, as a clause, why rows may be missing although the page is valid; nil if there is none.
  package var doubt: String?
  package var signs: PageSigns = []
  /// Whether the response lacks the path of the rows; not recorded.
  package var lacksRows = false
  /// The hash of each whole row, in row order, if the key is only a guess; else empty. 0 for a row without a key.
  package var contents: [UInt64] = []
  /// Whether two rows have the same key but differ: the guess is wrong.
  var isKeyAmbiguous: Bool { Self.isAmbiguous(keys, contents) }
  package var exchange = Exchange()
  /// The version of the response; nil if the service names none, or the page cannot be requested with a condition.
  package var validators: Validators?
  /// Whether the response may be shown again for a later query: not if it says `no-store` (RFC 9111, section 5.2.2.5).
  package var mayBeKept = true
  /// Whether the service has confirmed the page that it sent before, instead of sending it again (304).
  package var isNotModified = false

  package init(content: PageContent, continuation: Continuation) {
    self.content = content
    self.continuation = continuation
    received = content.rowCount
  }

  package var rowCount: Int { content.rowCount }

  private var next: Position? { if case .next(let next, _) = continuation { next } else { nil } }

  /// The page without the texts of its rows, most of its size: the session's decisions do not depend on them.
  var withoutTexts: Page {
    var page = self
    page.content = .cells(CellTable(withoutTextsOf: content.rowCount))
    return page
  }

  /// The identities of its rows: their keys, or their whole contents if the keys are only a guess.
  package var identities: [UInt64] { contents.isEmpty ? keys : contents }

  /// The page without keys, as if its source declared none.
  var withoutKeys: Page {
    var page = self
    page.fingerprint = mark
    (page.keys, page.contents) = ([], [])
    return page
  }

  /// Whether two rows have the same key but differ. False without contents. O(rows).
  package static func isAmbiguous(_ keys: [UInt64], _ contents: [UInt64]) -> Bool {
    guard !contents.isEmpty else { return false }
    var known: [UInt64: UInt64] = [:]
    return zip(keys, contents).contains { key, content in
      guard key != RowKey.none else { return false }
      let first = known[key]
      known[key] = first ?? content
      return first.map { $0 != content } ?? false
    }
  }
}

/// The retained content of a page's rows: cells in the pager, the document in one-shot mode until it is written, and
/// the parents of further lists until those are requested.
package enum PageContent: Sendable {
  case cells(CellTable)
  indirect case document(DocumentRows)
  /// Rows that are parents of lists; nil for a row that has no list.
  case parents([ParentRow?])

  package var rowCount: Int {
    switch self {
    case .cells(let table): table.rowCount
    case .document(let rows): rows.nodes.count
    case .parents(let parents): parents.count
    }
  }
}

/// Rows inside the document that contains them.
package struct DocumentRows: Sendable {
  package let response: ResponseValues
  package let nodes: [JSONNode]

  package init(response: ResponseValues, nodes: [JSONNode]) {
    self.response = response
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

/// Converts a page's rows. This is the only difference between how the pager and the one-shot writer read a page.
package typealias RowMapper = @Sendable (DocumentRows) -> PageContent

extension Source {
  /// Parses a complete response as the requested page.
  ///
  /// - Parameter makeContent: Converts the rows to the content that is retained.
  /// - Throws: `PageError`. A status in `endStatuses` after the first page ends the list instead.
  package func page(
    from response: HTTPResponse, for request: PageRequest, in run: RunContext, makeContent: RowMapper
  ) throws(PageError) -> Page {
    let run = run.with(request.pageSize)
    if response.status == 304, request.validators != nil {
      return confirmation(response, of: request.query, in: run)
    }
    let (values, verdict, errors) = try read(
      response, of: request.query, in: run, isFirst: request.position.index == 0)
    var page: Page
    if verdict == .pastTheEnd {
      page = Page(
        content: makeContent(DocumentRows(response: values, nodes: [])),
        continuation: .end(.status(response.status)))
      page.notes = ["the service ended this list with status \(response.status)"]
    } else if verdict == .page, response.status == 204 || response.body.isEmpty {
      page = try emptyPage(values, response, for: request, in: run, makeContent)
    } else {
      if let error = values.error { throw unreadable(response, error) }
      page = try self.page(in: values, errors, for: request, in: run, makeContent: makeContent)
      if verdict == .pageWithErrors { page.doubt = errors.warning }
    }
    page.budget = errors.budget
    page.bucket = errors.bucket
    page.mayBeKept = response.mayBeKept
    page.exchange = Exchange(sentAt: response.sentAt, arrivedAt: response.arrivedAt)
    // A redirect may lead elsewhere next time.
    if verdict == .page, endpoint.method == .get, response.requests == 1 {
      page.validators = Validators(response.headers, now: response.arrivedAt)
    }
    return page
  }

  /// The page for a 304, from its header fields.
  private func confirmation(_ response: HTTPResponse, of query: Query, in run: RunContext) -> Page {
    let (values, errors) = opened(response, of: query, in: run, isFirst: false)
    var page = Page.notModified
    // The confirmed page may contain an older total.
    page.total = total(in: values, for: query)
    page.budget = errors.budget
    page.bucket = errors.bucket
    page.mayBeKept = response.mayBeKept
    page.exchange = Exchange(sentAt: response.sentAt, arrivedAt: response.arrivedAt)
    page.validators = Validators(response.headers, now: response.arrivedAt)
    return page
  }

  /// The values of a response that is no error by the rules of the source.
  package func values(
    in response: HTTPResponse, of query: Query, _ run: RunContext
  ) throws(PageError) -> ResponseValues {
    try read(response, of: query, in: run, isFirst: true).values
  }

  /// The values of a response and its verdict. Throws if the response is an error.
  func read(
    _ response: HTTPResponse, of query: Query, in run: RunContext, isFirst: Bool
  ) throws(PageError) -> (values: ResponseValues, verdict: ResponseVerdict, errors: ErrorResponse) {
    let (values, errors) = opened(response, of: query, in: run, isFirst: isFirst)
    let verdict = ResponseVerdict.of(response, values, source: self, isFirst: isFirst)
    if case .failure(let kind, let canRepeat, let rule) = verdict {
      throw errors.error(kind, canRepeat, rule)
    }
    return (values, verdict, errors)
  }

  private func opened(
    _ response: HTTPResponse, of query: Query, in run: RunContext, isFirst: Bool
  ) -> (values: ResponseValues, errors: ErrorResponse) {
    var values = ResponseValues(response, options: optionValues(of: query, in: run))
    values.namesRows = rows.form == .map
    let credentials = credentials(of: run, sentTo: response.url.origin, query)
    // The option that a row of the parent supplies was not chosen by the user.
    let chosen = query.parent == nil ? query.options : query.options.filter { $0.key != parent?.name }
    let errors = ErrorResponse(
      source: self, credentials: credentials, response: response, values: values, options: chosen,
      isFirst: isFirst)
    return (values, errors)
  }

  /// The page for a response without a body: it has no rows, but a header may link to the next page.
  ///
  /// - Throws: If the status promises a body and no next page is known, because rows may be missing.
  private func emptyPage(
    _ values: ResponseValues, _ response: HTTPResponse, for request: PageRequest, in run: RunContext,
    _ makeContent: RowMapper
  ) throws(PageError) -> Page {
    var page = Page(
      content: makeContent(DocumentRows(response: values, nodes: [])), continuation: .end(.emptyPage))
    let facts = PageFacts(
      rowCount: 0, pageSize: run.pageSize, response: values, origin: origin(for: request.query, in: run))
    let continuation = continuation(after: facts, at: request.position)
    if case .next(_, let evidence) = continuation {
      page.continuation = continuation
      if evidence.survivesAnEmptyPage { return page }
    }
    guard response.status == 204 || rows.mayBeMissing else {
      let remedy = "if an empty response means no rows, set rows.missing = \"empty\" in source \(id)"
      throw PageError(
        .unreadable, status: response.status,
        message: "\(response.url.withoutQuery) returned an empty response",
        remedy: "\(remedy) and start riffle again", commandLineRemedy: remedy,
        canRepeat: PageError.Repeat.atMost(1).allowed(forSafe: endpoint.isSafe))
    }
    page.total = total(in: values, for: request.query)
    if isPromisedEnd(at: request.position, page.continuation) {
      page.notes = [
        "page \(request.position.ordinal + 1) is empty (status \(response.status)): end of results"
      ]
    }
    return page
  }

  private func page(
    in values: ResponseValues, _ errors: ErrorResponse, for request: PageRequest, in run: RunContext,
    makeContent: RowMapper
  ) throws(PageError) -> Page {
    let found = try besideParent(of: request.query, try foundRows(in: values))
    let isFirst = request.position.index == 0
    if found.received == 0,
      let refusal = MissingRows(absence: found.absence, isFirst: isFirst).refusal(errors, path: rows.path)
    {
      throw refusal
    }
    let pageSize = pagination.settings.size.used(in: values, requested: run.pageSize)
    let facts = PageFacts(
      rowCount: found.received, pageSize: pageSize, response: values,
      origin: origin(for: request.query, in: run), rows: rows.path)
    let continuation = continuation(after: facts, at: request.position)
    let rows = try matching(
      DocumentRows(response: found.response, nodes: found.nodes), request.query, run.filter,
      now: run.startedAt,
      isFirst: isFirst)
    var page = Page(content: makeContent(rows), continuation: continuation)
    page.keys = keys(of: rows)
    page.contents = contents(of: rows, keys: page.keys)
    if page.keys.isEmpty || rows.nodes.count < found.nodes.count || found.elements != nil {
      page.fingerprint = found.fingerprint
    }
    page.mark = page.fingerprint ?? mark(of: rows, page.identities)
    page.signs = pagination.signs(in: values, rowsAt: self.rows.path)
    if let incomplete = self.rows.incomplete, values.isAnyTrue(incomplete) {
      page.doubt = "the service says that its response is incomplete"
    }
    page.groupCount = found.groupCount
    page.lacksRows = found.isMissing
    page.received = found.received
    page.pageSize = pageSize
    page.total = total(in: values, for: request.query)
    page.pageCount = pagination.style.pageCount(in: facts)
    page.backoff = limits.backoff.flatMap { values.text(of: $0) }.flatMap { WaitSeconds.seconds($0) }
    page.notes = notes(of: found, at: request.position, continuation)
    if isFirst {
      page.notes += notes(on: run.filter, in: DocumentRows(response: found.response, nodes: found.nodes))
    }
    return page
  }

  /// Where the list continues. An error here does not invalidate the rows received.
  private func continuation(after facts: PageFacts, at position: Position) -> Continuation {
    do { return try pagination.continuation(after: facts, at: position) } catch {
      return .end(.refusedNext("pagination.\(error.key) of source \(id) \(error.problem)"))
    }
  }

  private func keys(of rows: DocumentRows) -> [UInt64] {
    guard let expression = self.rows.key ?? self.rows.link else { return [] }
    let keys = rows.nodes.map { node in
      rows.response.text(of: expression, at: node).map { RowKey.hash($0) } ?? RowKey.none
    }
    // If no row has the key, pages are compared as a whole, as for a source without a key.
    return keys.allSatisfy { $0 == RowKey.none } ? [] : keys
  }

  /// A hash of keys, and of the first and the last row, because different rows may have the same keys.
  private func mark(of rows: DocumentRows, _ identities: [UInt64]) -> UInt64? {
    guard let first = rows.nodes.first, let last = rows.nodes.last, !identities.isEmpty else { return nil }
    return RowKey.combined(identities + [RowKey.fingerprint([first, last], in: rows.response.document)])
  }

  /// The hashes of whole rows, where the key of a row is only a guess (rule 11).
  private func contents(of rows: DocumentRows, keys: [UInt64]) -> [UInt64] {
    guard self.rows.isKeyGuessed, !keys.isEmpty else { return [] }
    return zip(rows.contents, keys).map { content, key in key == RowKey.none ? key : content }
  }

  package func unreadable(_ response: HTTPResponse, _ error: JSONError) -> PageError {
    let type = response.headers.first("Content-Type") ?? "no content type"
    if error.isXML {
      return PageError(
        .unreadable, status: response.status, message: "\(response.url.withoutQuery) returned XML, not JSON",
        remedy: "look for a URL or header of the service that returns JSON")
    }
    if error.isMarkup {
      let remedy = "open it in a browser, or correct \(endpoint.table).url in source \(id)"
      let title = WebPage.title(in: response.body).map { " (its title: \"\($0)\")" } ?? ""
      return PageError(
        .unreadable, status: response.status,
        message:
          "\(response.url.withoutQuery) returned HTML, not JSON: probably a sign-in page or a wrong URL\(title)",
        remedy: "\(remedy) and start riffle again", commandLineRemedy: remedy)
    }
    let cutOff = error.isTruncated ? "incomplete JSON" : "invalid JSON"
    return PageError(
      .unreadable, status: response.status,
      message:
        "\(response.url.withoutQuery) returned \(cutOff) (\(response.body.count) bytes, \(type)): \(error)",
      canRepeat: error.isTruncated ? PageError.Repeat.atMost(1).allowed(forSafe: endpoint.isSafe) : .never)
  }
}

extension DocumentRows {
  /// The hash of each whole row; never 0.
  package var contents: [UInt64] {
    let document = response.document
    return nodes.map { max(RowKey.hash(document.bytes[document.byteRange(of: $0)]), 1) }
  }
}

extension Source {
  /// The total of a query; nil if riffle filters the rows itself, because the total then counts other rows (rule 12).
  private func total(in values: ResponseValues, for query: Query) -> Total? {
    isFiltering(query) ? nil : total(in: values)
  }

  /// The number of rows that the service reports, as a number or a string, and its certainty; nil if there is none.
  func total(in values: ResponseValues) -> Total? {
    guard let count = rows.total.flatMap({ values.text(of: $0) }).flatMap(Self.count) else { return nil }
    if let incomplete = rows.incomplete, values.isAnyTrue(incomplete) { return .estimate(count) }
    if let bound = rows.totalAtLeast, values.holds(bound) { return .atLeast(count) }
    if let exact = rows.totalExact, !values.isTrue(exact) { return .estimate(count) }
    return .exact(count)
  }

  /// A count in digits, without sign, separators, or fraction. In a `Content-Range` (RFC 9110, section 14.4),
  /// `0-24/70`, the count after the slash.
  static func count(_ text: String) -> Int? {
    let digits = text.lastIndex(of: "/").map { text[text.index(after: $0)...] } ?? text[...]
    return digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(digits) : nil
  }

  /// The warning about null in place of the rows on the first page, where the path may be wrong.
  private func notes(of found: FoundRows, at position: Position, _ continuation: Continuation) -> [String] {
    if found.isOnlyRow {
      return [
        "page \(position.ordinal + 1) has one object instead of a list. riffle treats it as the only row"
      ]
    }
    guard found.absence != nil, position.index == 0 else { return [] }
    return ["no rows: \(pathText) is null"]
  }

  /// Whether a list ends with a page that the previous page linked to.
  func isPromisedEnd(at position: Position, _ continuation: Continuation) -> Bool {
    guard case .end = continuation else { return false }
    return position.index > 0 && pagination.style.numbering == nil
  }
}
