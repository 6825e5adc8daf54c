package import HTTPValues
package import JSON
import Text

/// A parsed reply: its rows, and what it says about the list.
package struct Page: Sendable {
  package var content: PageContent
  /// The hash of each row's key, in row order; empty if the source has no key. 0 for a row without a key.
  package var keys: [UInt64] = []
  /// The hash of all rows received, which identifies the page if the source has no key, or if a filter
  /// removed some rows; nil if the keys suffice.
  package var fingerprint: UInt64?
  /// A hash by which the page is recognized if it comes again: of all rows, or of their keys and the first and last
  /// row. Nil if it has no rows.
  package var mark: UInt64?
  /// The number of rows received, with null entries and filtered rows; the basis of offsets and totals.
  package var received: Int
  /// The number of objects with lists of rows, if all of these are empty: such a page is not the end. Nil for others.
  package var groupCount: Int?
  /// The page size that the reply reports, or else the requested one.
  package var pageSize: Int?
  package var continuation: Continuation
  /// The next position as it may be stored on disk; nil if it contains a secret that cannot be removed.
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
  package var notes: [String] = []
  /// Why rows may be missing although the page is sound, as a clause; nil if nothing says so.
  package var doubt: String?
  package var signs: PageSigns = []
  /// Whether the place of the rows is not in the response; not recorded.
  package var lacksRows = false
  /// The hash of each whole row, in row order, if the key is only a guess; else empty. 0 for a row without a key.
  package var contents: [UInt64] = []
  /// Whether two rows have the same key but differ: the guess is wrong.
  var isKeyAmbiguous: Bool { Self.isAmbiguous(keys, contents) }
  package var exchange = Exchange()
  /// The version of the reply; nil if the service names none, or the page cannot be requested with a condition.
  package var validators: Validators?
  /// Whether the service has confirmed the page that it sent before, instead of sending it again (304).
  package var isNotModified: Bool {
    get { notModified ?? false }
    set { notModified = newValue ? true : nil }
  }
  private var notModified: Bool?

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

  /// What tells its rows apart: their keys, or all of their contents if the keys are only a guess.
  package var identities: [UInt64] { contents.isEmpty ? keys : contents }

  /// The page without keys, as of a source that declares none.
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

/// What is kept of a page's rows: cells in the pager, the document in one-shot mode until it is written, and the
/// parents of further lists until those are requested.
package enum PageContent: Sendable {
  case cells(CellTable)
  indirect case document(DocumentRows)
  /// Nil for a row that has no list.
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
  /// - Parameter makeContent: Converts the rows to the content that is kept.
  /// - Throws: `PageError`. A status in `endStatuses` after the first page ends the list instead.
  package func page(
    from reply: HTTPReply, for request: PageRequest, in run: RunContext, makeContent: RowMapper
  ) throws(PageError) -> Page {
    if reply.status == 304, request.validators != nil {
      return confirmation(reply, of: request.query, in: run)
    }
    let (values, verdict, errors) = try read(
      reply, of: request.query, in: run, isFirst: request.position.ordinal == 0)
    var page: Page
    if verdict == .pastTheEnd {
      page = Page(
        content: makeContent(DocumentRows(reply: values, nodes: [])),
        continuation: .end(.status(reply.status)))
      page.notes = ["the service ended this list with status \(reply.status)"]
    } else if verdict == .page, reply.status == 204 || reply.body.isEmpty {
      page = try emptyPage(values, reply, for: request, in: run, makeContent)
    } else {
      if let error = values.error { throw unreadable(reply, error) }
      page = try self.page(in: values, errors, for: request, in: run, makeContent: makeContent)
      if verdict == .pageWithErrors { page.doubt = errors.warning }
    }
    page.budget = errors.budget
    page.bucket = errors.bucket
    page.exchange = Exchange(sentAt: reply.sentAt, arrivedAt: reply.arrivedAt)
    // A redirect may lead elsewhere next time.
    if verdict == .page, endpoint.method == .get, reply.requests == 1 {
      page.validators = Validators(reply.headers, now: reply.arrivedAt)
    }
    return page
  }

  /// The page for a 304: what its header fields say.
  private func confirmation(_ reply: HTTPReply, of query: Query, in run: RunContext) -> Page {
    let values = ReplyValues(reply, options: optionValues(of: query, in: run))
    let errors = ErrorReply(
      source: self, credentials: credentials(of: run, sentTo: reply.url.origin, query), reply: reply,
      values: values)
    var page = Page.notModified
    // The page that is confirmed may name an older one.
    page.total = total(in: values, for: query)
    page.budget = errors.budget
    page.bucket = errors.bucket
    page.exchange = Exchange(sentAt: reply.sentAt, arrivedAt: reply.arrivedAt)
    page.validators = Validators(reply.headers, now: reply.arrivedAt)
    return page
  }

  /// The values of a reply and what it is. Throws the error that it is if it is one.
  func read(
    _ reply: HTTPReply, of query: Query, in run: RunContext, isFirst: Bool
  ) throws(PageError) -> (values: ReplyValues, verdict: ReplyVerdict, errors: ErrorReply) {
    let values = ReplyValues(reply, options: optionValues(of: query, in: run))
    let errors = ErrorReply(
      source: self, credentials: credentials(of: run, sentTo: reply.url.origin, query), reply: reply,
      values: values)
    let verdict = ReplyVerdict.of(reply, values, source: self, isFirst: isFirst)
    if case .failure(let kind, let canRepeat, let rule) = verdict {
      throw errors.error(kind, canRepeat, rule)
    }
    return (values, verdict, errors)
  }

  /// The page for a reply without a body: no rows, but a header may lead to the next page.
  ///
  /// - Throws: If the status promises a body, and nothing leads on: rows may be missing.
  private func emptyPage(
    _ values: ReplyValues, _ reply: HTTPReply, for request: PageRequest, in run: RunContext,
    _ makeContent: RowMapper
  ) throws(PageError) -> Page {
    var page = Page(
      content: makeContent(DocumentRows(reply: values, nodes: [])), continuation: .end(.emptyPage))
    let facts = PageFacts(
      rowCount: 0, pageSize: run.pageSize, reply: values, origin: origin(for: request.query, in: run))
    let continuation = continuation(after: facts, at: request.position)
    if case .next(_, let evidence) = continuation {
      page.continuation = continuation
      if evidence.survivesAnEmptyPage { return page }
    }
    guard reply.status == 204 || rows.mayBeMissing else {
      throw PageError(
        .unreadable, status: reply.status, message: "\(reply.url.origin) returned an empty response",
        remedy: "if it has no rows then, set rows.missing = \"empty\" in source \(id)",
        canRepeat: PageError.Repeat.atMost(1).allowed(forSafe: endpoint.isSafe))
    }
    page.total = total(in: values, for: request.query)
    if isPromisedEnd(at: request.position, page.continuation) {
      page.notes = ["page \(request.position.ordinal + 1) is empty (status \(reply.status)): end of results"]
    }
    return page
  }

  private func page(
    in values: ReplyValues, _ errors: ErrorReply, for request: PageRequest, in run: RunContext,
    makeContent: RowMapper
  ) throws(PageError) -> Page {
    let found = try besideParent(of: request.query, try foundRows(in: values))
    let isFirst = request.position.ordinal == 0
    if found.received == 0,
      let refusal = MissingRows(absence: found.absence, isFirst: isFirst).refusal(errors, path: rows.path)
    {
      throw refusal
    }
    let pageSize = pagination.settings.size.used(in: values, requested: run.pageSize)
    let facts = PageFacts(
      rowCount: found.received, pageSize: pageSize, reply: values,
      origin: origin(for: request.query, in: run), rows: rows.path)
    let continuation = continuation(after: facts, at: request.position)
    let rows = try matching(
      DocumentRows(reply: found.reply, nodes: found.nodes), request.query, run.filter, now: run.startedAt,
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
      let all = DocumentRows(reply: found.reply, nodes: found.nodes)
      page.notes += emptyPaths(of: run.filter, in: all).map {
        "the filter names \($0), but no row of the first page has a value there"
      }
    }
    return page
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

  /// A hash of keys, and of the first and the last row. Rows with known keys may be others with the same keys.
  private func mark(of rows: DocumentRows, _ identities: [UInt64]) -> UInt64? {
    guard let first = rows.nodes.first, let last = rows.nodes.last, !identities.isEmpty else { return nil }
    return RowKey.combined(identities + [RowKey.fingerprint([first, last], in: rows.reply.document)])
  }

  /// The hashes of whole rows, where the key of a row is only a guess (rule 11).
  private func contents(of rows: DocumentRows, keys: [UInt64]) -> [UInt64] {
    guard self.rows.isKeyGuessed, !keys.isEmpty else { return [] }
    return zip(rows.contents, keys).map { content, key in key == RowKey.none ? key : content }
  }

  func unreadable(_ reply: HTTPReply, _ error: JSONError) -> PageError {
    let type = reply.headers.first("Content-Type") ?? "no content type"
    if error.isXML {
      return PageError(
        .unreadable, status: reply.status, message: "\(reply.url.origin) returned XML, not JSON",
        remedy: "look for an address or header of the service that returns JSON")
    }
    if error.isMarkup {
      let title = WebPage.title(in: reply.body).map { " (its title: \"\($0)\")" } ?? ""
      return PageError(
        .unreadable, status: reply.status,
        message:
          "\(reply.url.origin) returned HTML, not JSON: probably a sign-in page or a wrong address\(title)",
        remedy: "open \(reply.url.origin) in a browser, or check \(endpoint.table).url of source \(id)")
    }
    let cutOff = error.isTruncated ? "truncated JSON" : "invalid JSON"
    return PageError(
      .unreadable, status: reply.status,
      message: "\(reply.url.origin) returned \(cutOff) (\(reply.body.count) bytes, \(type)): \(error)",
      canRepeat: error.isTruncated ? PageError.Repeat.atMost(1).allowed(forSafe: endpoint.isSafe) : .never)
  }
}

extension DocumentRows {
  /// The hash of each whole row; never 0.
  package var contents: [UInt64] {
    let document = reply.document
    return nodes.map { max(RowKey.hash(document.bytes[document.byteRange(of: $0)]), 1) }
  }
}

extension Source {
  /// The total of a query; nil if riffle filters the rows itself, because the total counts other ones (rule 12).
  private func total(in values: ReplyValues, for query: Query) -> Total? {
    isFiltering(query) ? nil : total(in: values)
  }

  /// The number of rows that the service reports, maybe as a string, and its certainty; nil if there is none.
  func total(in values: ReplyValues) -> Total? {
    guard let count = rows.total.flatMap({ values.text(of: $0) }).flatMap(Self.count) else { return nil }
    if let incomplete = rows.incomplete, values.isAnyTrue(incomplete) { return .estimate(count) }
    if let bound = rows.totalAtLeast, values.holds(bound) { return .atLeast(count) }
    if let exact = rows.totalExact, !values.isTrue(exact) { return .estimate(count) }
    return .exact(count)
  }

  /// Digits only: no sign, no separators, no fraction. In a `Content-Range` (RFC 9110, section 14.4), `0-24/70`,
  /// those behind the slash.
  static func count(_ text: String) -> Int? {
    let digits = text.lastIndex(of: "/").map { text[text.index(after: $0)...] } ?? text[...]
    return digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(digits) : nil
  }
}

/// The rows found in a reply.
private struct FoundRows {
  /// The reply that contains the rows; it has a new body if the rows had to be assembled.
  var reply: ReplyValues
  var nodes: [JSONNode]
  /// The number of rows received, including null entries; the basis of offsets and totals.
  var received: Int
  /// What was found instead of rows; nil if there are rows, or an empty list of them.
  var absence: MissingRows.Absence?
  /// All elements with the document they are in, if the source leaves some of them out.
  var elements: (nodes: [JSONNode], document: JSONDocument)?
  /// The number of objects that have lists of rows, if all of these are empty.
  var groupCount: Int?
  /// Whether the place of the rows is not there.
  var isMissing = false

  /// The hash of all that was received.
  var fingerprint: UInt64? {
    elements.map { RowKey.fingerprint($0.nodes, in: $0.document) }
      ?? RowKey.fingerprint(nodes, in: reply.document)
  }
}

extension Source {
  /// The rows of a reply (rules 5, 23); null entries are skipped. Anything that does not have the source's form is
  /// an error that says what was found. What null and a missing path mean, `MissingRows` decides.
  private func foundRows(in values: ReplyValues) throws(PageError) -> FoundRows {
    let document = values.document
    let path = rows.path ?? .root
    let all: [JSONNode]?
    switch rows.form {
    case .columns(let names)?: return try arrayRows(at: path, in: values, names: names)
    case .columnar(let names)?: return try columnarRows(at: path, in: values, names: names)
    case .map?:
      all = try value(at: path, in: values).map { node throws(PageError) in
        try members(of: node, in: document)
      }
    case .object?:
      all = try value(at: path, in: values).map { node throws(PageError) in try object(node, in: document) }
    case .objectOrList?:
      let node = value(at: path, in: values)
      let isObject = node.map { document.kind(of: $0) == .object } ?? false
      all = isObject ? node.map { [$0] } : try selected(by: path, in: values)
    case nil where isOnlyRow(at: path, in: values): all = value(at: path, in: values).map { [$0] }
    case .list?, .scalars?, nil: all = try selected(by: path, in: values)
    }
    guard let all else { return try missingRows(in: values, at: path) }
    let nodes = all.filter { document.kind(of: $0) != .null && isWanted($0, in: values) }
    if let odd = nodes.first(where: { !isRow(document.kind(of: $0)) }) {
      throw oddRow(document.kind(of: odd), expected: rows.form == .scalars ? "text or a number" : "an object")
    }
    try checkAreAlike(nodes, in: document)
    var found = FoundRows(reply: values, nodes: nodes, received: all.count)
    if rows.condition != nil { found.elements = (all, document) }
    if all.isEmpty, let outer = path.outerList {
      found.groupCount = outer.nodes(in: document, from: document.rootNode).count
    }
    return rows.hasEnclosing && readsEnclosing ? try enclosed(found, at: path) : found
  }

  /// Whether there is one object in place of a list, which has a key as rows have.
  private func isOnlyRow(at path: JSONPath, in values: ReplyValues) -> Bool {
    guard rows.path != nil, !path.isPlural, let key = rows.key, let node = value(at: path, in: values) else {
      return false
    }
    return values.document.kind(of: node) == .object && values.text(of: key, at: node) != nil
  }

  /// Whether an expression reads the object around a row (`^`).
  private var readsEnclosing: Bool {
    let columns = columns + detail.fields + [detail.body].compactMap(\.self)
    let expressions = columns.map(\.value) + [rows.key, rows.link, detail.request?.url].compactMap(\.self)
    return expressions.contains(where: \.readsEnclosing)
      || actions.contains { action in
        switch action.effect {
        case .open(let value), .copy(let value): value.readsEnclosing
        case .run(let program): program.paths.contains(where: \.readsEnclosing)
        }
      }
  }

  /// The rows with a member `^`: the plain members of the object around each, which is one level up.
  private func enclosed(_ found: FoundRows, at path: JSONPath) throws(PageError) -> FoundRows {
    let document = found.reply.document
    let objects = Dictionary(
      path.nodesInObjects(in: document, from: document.rootNode).map { ($0.node, $0.object) },
      uniquingKeysWith: { first, _ in first })
    let rows = found.nodes.filter { document.kind(of: $0) == .object }
    let texts = rows.map { row in
      // Of members with one name, the last one counts.
      text(
        of: row, in: document,
        adding: Array("\"^\":{".utf8) + plainMembers(of: objects[row] ?? row, in: document) + Array("}".utf8))
    }
    return try reading(Array("[".utf8) + texts.joined(separator: ",".utf8) + Array("]".utf8), as: found)
  }

  /// The rows with a member `parent` that holds what is copied from the row that their list hangs under. A row
  /// that has such a member keeps its own.
  private func besideParent(of query: Query, _ found: FoundRows) throws(PageError) -> FoundRows {
    let document = found.reply.document
    guard let copies = query.parent?.copies, !found.nodes.isEmpty,
      found.nodes.allSatisfy({ document.kind(of: $0) == .object })
    else { return found }
    let addition = Array("\"parent\":\(copies)".utf8)
    let texts = found.nodes.map { row in
      let hasOwn = document.members(of: row).contains { document.string(of: $0.name) == "parent" }
      return hasOwn
        ? Array(document.bytes[document.byteRange(of: row)]) : text(of: row, in: document, adding: addition)
    }
    // The rows of a map keep their names.
    guard rows.form == .map else {
      return try reading(Array("[".utf8) + texts.joined(separator: ",".utf8) + Array("]".utf8), as: found)
    }
    let members = zip(found.nodes, texts).map { node, text in
      let name = document.name(of: node).map { Array(document.bytes[document.byteRange(of: $0)]) } ?? []
      return name + Array(":".utf8) + text
    }
    return try reading(Array("{".utf8) + members.joined(separator: ",".utf8) + Array("}".utf8), as: found)
  }

  /// The text of an object with one more member at its end.
  private func text(of object: JSONNode, in document: JSONDocument, adding member: [UInt8]) -> [UInt8] {
    let inner = document.bytes[document.byteRange(of: object)].dropFirst().dropLast()
    let comma = document.members(of: object).contains { _ in true } ? "," : ""
    return Array("{".utf8) + inner + Array(comma.utf8) + member + Array("}".utf8)
  }

  /// The members of an object that are neither objects nor lists, as they are written.
  private func plainMembers(of object: JSONNode, in document: JSONDocument) -> [UInt8] {
    let plain = document.members(of: object).filter {
      ![.object, .array].contains(document.kind(of: $0.value))
    }
    return Array(
      plain.map { member in
        document.bytes[
          document.byteRange(of: member.name).lowerBound..<document.byteRange(of: member.value).upperBound]
      }.joined(separator: ",".utf8))
  }

  /// Rows that are read from a list, or an object, made of those found.
  private func reading(_ list: [UInt8], as found: FoundRows) throws(PageError) -> FoundRows {
    guard list.count <= Self.mostBytes else { throw tooManyBytes }
    do {
      let assembled = try JSONDocument(list)
      var result = found
      result.reply.document = assembled
      result.nodes =
        assembled.kind(of: assembled.rootNode) == .object
        ? assembled.members(of: assembled.rootNode).map(\.value)
        : Array(assembled.elements(of: assembled.rootNode))
      return result
    } catch {
      throw PageError(.unreadable, message: "cannot assemble the rows of source \(id): \(error)")
    }
  }

  /// Whether a value is one of the rows (`rows.where`).
  private func isWanted(_ node: JSONNode, in values: ReplyValues) -> Bool {
    rows.condition.map { values.holds($0, at: node) } ?? true
  }

  /// Rows that are arrays; with names they are read as objects.
  private func arrayRows(
    at path: JSONPath, in values: ReplyValues, names: ColumnNames?
  ) throws(PageError) -> FoundRows {
    let document = values.document
    guard let all = try selected(by: path, in: values) else { return try missingRows(in: values, at: path) }
    let nodes = all.filter { document.kind(of: $0) != .null }
    if let odd = nodes.first(where: { document.kind(of: $0) != .array }) {
      throw oddRow(document.kind(of: odd), expected: "an array")
    }
    guard let names else { return FoundRows(reply: values, nodes: nodes, received: all.count) }
    let parts = RowParts(count: nodes.count, received: all.count, width: 0) {
      Array(document.elements(of: nodes[$0]))
    }
    return try assembledRows(parts, in: values, names: names)
  }

  /// Rows assembled across arrays; with names they are read as objects, otherwise as arrays.
  private func columnarRows(
    at path: JSONPath, in values: ReplyValues, names: ColumnNames?
  ) throws(PageError) -> FoundRows {
    guard let all = try selected(by: path, in: values) else { return try missingRows(in: values, at: path) }
    return try assembledRows(try parts(columns: all, in: values.document), in: values, names: names)
  }

  /// The value at a path; nil if there is none, or null.
  private func value(at path: JSONPath, in values: ReplyValues) -> JSONNode? {
    path.firstNode(in: values.document, from: values.document.rootNode).flatMap {
      values.document.kind(of: $0) == .null ? nil : $0
    }
  }

  /// The elements of the list at a path, or all values of a plural path; nil if there is no list.
  private func selected(by path: JSONPath, in values: ReplyValues) throws(PageError) -> [JSONNode]? {
    let document = values.document
    guard let list = value(at: path.singularPrefix, in: values) else { return nil }
    let elements = try elements(of: list, in: document)
    return path.isPlural ? try bounded(path.nodes(in: document, from: document.rootNode)) : elements
  }

  private func elements(of node: JSONNode, in document: JSONDocument) throws(PageError) -> [JSONNode] {
    if ReplyValue.node(node, document).isEmptyScalar { return [] }
    guard document.kind(of: node) == .array else { throw noRows(document.kind(of: node), "an array") }
    return try bounded(Array(document.elements(of: node)))
  }

  private func object(_ node: JSONNode, in document: JSONDocument) throws(PageError) -> [JSONNode] {
    guard document.kind(of: node) == .object else { throw noRows(document.kind(of: node), "an object") }
    return [node]
  }

  /// The values of an object; of duplicate names only the last. PHP writes an empty object as `[]`.
  private func members(of node: JSONNode, in document: JSONDocument) throws(PageError) -> [JSONNode] {
    if document.kind(of: node) == .array, document.count(of: node) == 0 { return [] }
    if ReplyValue.node(node, document).isEmptyScalar { return [] }
    guard document.kind(of: node) == .object else { throw noRows(document.kind(of: node), "an object") }
    return try bounded(JSONValue(document: document, node: node).members.map(\.value.node))
  }

  private func bounded(_ nodes: [JSONNode]) throws(PageError) -> [JSONNode] {
    guard nodes.count <= 100_000 else {
      throw PageError(.unreadable, message: "a page has \(nodes.count) rows, more than the limit of 100,000")
    }
    return nodes
  }

  /// Whether a value can be a row. The values of a map are rows regardless of their type.
  private func isRow(_ kind: JSONKind) -> Bool {
    switch kind {
    case _ where rows.form == .map: true
    case .object: rows.form != .scalars
    case .string, .number, .bool: takesScalars
    case .array, .null: false
    }
  }

  /// Whether plain values are rows: if the source says so, or says nothing and reads `$` itself.
  private var takesScalars: Bool {
    switch rows.form {
    case .scalars?: true
    case .list?, .map?, .columns?, .columnar?, .object?, .objectOrList?: false
    case nil: columns.isEmpty || columns.contains(where: \.value.readsRoot) || rows.key?.readsRoot ?? false
    }
  }

  private func missingRows(in values: ReplyValues, at path: JSONPath) throws(PageError) -> FoundRows {
    let document = values.document
    let place = path.singularPrefix.firstNode(in: document, from: document.rootNode)
    guard document.kind(of: document.rootNode) == .object, !rows.isRequired || rows.mayBeMissing else {
      throw PageError(
        .unreadable,
        message: "no rows at \(pathText): the reply is \(document.kind(of: document.rootNode).phrase)",
        remedy: "correct rows.path of source \(id)")
    }
    if rows.mayBeMissing { return FoundRows(reply: values, nodes: [], received: 0, isMissing: place == nil) }
    return FoundRows(reply: values, nodes: [], received: 0, absence: place == nil ? .nothing : .null)
  }

  /// The warning about rows that are null on the first page, whose path may be wrong.
  private func notes(of found: FoundRows, at position: Position, _ continuation: Continuation) -> [String] {
    if rows.form == nil, isOnlyRow(at: rows.path ?? .root, in: found.reply) {
      return [
        "page \(position.ordinal + 1) has one object in place of a list, which is taken as its only row"
      ]
    }
    guard found.absence != nil, position.ordinal == 0 else { return [] }
    return ["no rows at \(pathText): it is null"]
  }

  /// Whether a list ends with a page that the previous page linked to.
  func isPromisedEnd(at position: Position, _ continuation: Continuation) -> Bool {
    guard case .end = continuation else { return false }
    return position.ordinal > 0 && pagination.style.numbering == nil
  }
}

extension Source {
  /// Throws if the source does not declare the form of its rows, and some are objects but others are not.
  private func checkAreAlike(_ nodes: [JSONNode], in document: JSONDocument) throws(PageError) {
    guard rows.form == nil, let first = nodes.first.map(document.kind) else { return }
    if let odd = nodes.map(document.kind).first(where: { ($0 == .object) != (first == .object) }) {
      throw PageError(
        .unreadable,
        message:
          "rows at \(pathText) of source \(id) are of different kinds: \(first.phrase) and \(odd.phrase)")
    }
  }

  private func noRows(_ kind: JSONKind, _ expected: String) -> PageError {
    PageError(
      .unreadable,
      message: "rows.path of source \(id) (\(pathText)) is \(kind.phrase) in the reply, not \(expected)",
      remedy: kind == .object
        ? "correct rows.path, or set rows.shape = \"map\" to use the values of an object as rows"
        : "correct rows.path")
  }

  private func oddRow(_ kind: JSONKind, expected: String) -> PageError {
    PageError(
      .unreadable, message: "a row at \(pathText) of source \(id) is \(kind.phrase), not \(expected)",
      remedy: kind.matchingShape.map { "set rows.shape = \"\($0)\" for such rows" })
  }

  private var pathText: String { rows.path.map { "\($0)" } ?? "$" }
}

extension JSONKind {
  /// The shape for rows of this kind.
  fileprivate var matchingShape: String? {
    switch self {
    case .object: "list"
    case .array: "columns"
    case .string, .number, .bool: "scalars"
    case .null: nil
    }
  }
}

/// Rows assembled from values, for a reply that does not contain them as objects.
private struct RowParts {
  /// The number of rows that are not null.
  let count: Int
  /// The number of rows received, including null entries.
  let received: Int
  /// The maximum number of values in a row.
  let width: Int
  /// The values of a row; nil for missing ones.
  let values: (Int) -> [JSONNode?]
}

extension Source {
  /// Rows across several arrays, each of which contains one value of every row.
  private func parts(columns nodes: [JSONNode], in document: JSONDocument) throws(PageError) -> RowParts {
    let columns = try nodes.map { node throws(PageError) in try elements(of: node, in: document) }
    let count = columns.map(\.count).max() ?? 0
    return RowParts(count: count, received: count, width: columns.count) { row in
      columns.map { row < $0.count ? $0[row] : nil }
    }
  }

  /// The rows serialized as one list: objects if there are names, otherwise arrays.
  ///
  /// Values are copied byte by byte, so numbers keep their text. Values without a name are left out.
  private func assembledRows(
    _ parts: RowParts, in values: ReplyValues, names: ColumnNames?
  ) throws(PageError) -> FoundRows {
    let document = values.document
    guard parts.count > 0 else { return FoundRows(reply: values, nodes: [], received: parts.received) }
    let texts: [String]? = if let names { try texts(of: names, in: document) } else { nil }
    let writer = RowWriter(document: document, names: texts)
    guard let list = writer.list(of: parts, atMost: Self.mostBytes) else { throw tooManyBytes }
    return try reading(list, as: FoundRows(reply: values, nodes: [], received: parts.received))
  }

  private var tooManyBytes: PageError {
    PageError(.unreadable, message: "the rows of source \(id), with their column names, exceed 64 MiB")
  }

  private static var mostBytes: Int { 64 << 20 }

  private func texts(of names: ColumnNames, in document: JSONDocument) throws(PageError) -> [String] {
    switch names {
    case .stated(let names): return names
    case .path(let path):
      let found = path.nodes(in: document, from: document.rootNode)
      let nodes = path.isPlural ? found : found.first.map { Array(document.elements(of: $0)) } ?? []
      let names = nodes.compactMap { document.text(of: $0) }
      guard !names.isEmpty, names.count == nodes.count else {
        throw PageError(
          .unreadable, message: "rows.names of source \(id) (\(path)) is not a list of names in the reply",
          remedy: "correct rows.names, or list the names in it")
      }
      return names
    }
  }
}

/// Writes rows as JSON.
private struct RowWriter {
  private let document: JSONDocument
  /// Encoded as JSON, including the colon.
  private let names: [[UInt8]]?

  init(document: JSONDocument, names: [String]?) {
    self.document = document
    self.names = names.map { $0.map { Array("\(JSONText.quoted($0)):".utf8) } }
  }

  /// Nil if the result would exceed the limit in bytes.
  func list(of rows: RowParts, atMost limit: Int) -> [UInt8]? {
    // Short rows with long names can expand a small reply enormously.
    guard rows.count * rows.width <= limit else { return nil }
    var output: [UInt8] = [UInt8(ascii: "[")]
    for index in 0..<rows.count {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      append(rows.values(index), to: &output)
      guard output.count < limit else { return nil }
    }
    output.append(UInt8(ascii: "]"))
    return output
  }

  private func append(_ row: [JSONNode?], to output: inout [UInt8]) {
    output.append(names == nil ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    for (place, node) in row.prefix(names?.count ?? row.count).enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      if let names { output += names[place] }
      if let node { output += document.bytes[document.byteRange(of: node)] } else { output += "null".utf8 }
    }
    output.append(names == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
  }
}
