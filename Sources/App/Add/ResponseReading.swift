import HTTPValues
import JSON
import Search
import Text

/// The head of a response as saved by curl: a status line and header lines. If there are several heads
/// (redirects), the last one is used.
struct ResponseHead: Sendable, Hashable {
  private(set) var status = 200
  private(set) var fields: HTTPFields = []

  init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("HTTP/") {
        let words = line.split(separator: " ")
        status = words.count > 1 ? Int(words[1]) ?? 200 : 200
        fields = []
      } else if let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        let end = value.lastIndex { $0 != " " && $0 != "\t" }
        fields.append(
          HTTPField(received: String(line[..<colon]), value: end.map { String(value[...$0]) } ?? ""))
      }
    }
  }
}

/// Describes to a source's author, line by line, what the source reads from one response.
struct ResponseReading {
  let lines: [String]
  /// Whether the response is a valid page and contains everything that the source reads.
  let isRead: Bool

  private init(_ page: Page, of source: Source, status: Int?, dependencies: Dependencies) {
    let findings = MissingPaths.lines(page, of: source)
    let ids =
      page.keys.isEmpty
      ? "none: repeated pages are detected, repeated rows are not" : "\(Set(page.keys).count) distinct"
    var facts = [
      ("status", status.map { "\($0)" } ?? "none"),
      ("rows", "\(page.rowCount) at \(source.rows.path.map { "\($0)" } ?? "$")"),
    ]
    if page.rowCount > 0 { facts.append(("ids", ids)) }
    facts += [
      ("total", page.total?.text ?? "not reported"), ("next page", Self.next(page.continuation)),
    ]
    if case .document(let rows) = page.content, !rows.nodes.isEmpty {
      let read =
        [source.rows.link.map { ("rows.link", $0) }].compactMap(\.self)
        + source.columns.map { ("column \($0.name)", $0.value) }
      facts += read.filter { key, _ in !findings.contains { $0.hasPrefix("\(key):") } }
        .map { ($0, Self.values(of: $1, in: rows)) }
    }
    facts += Self.limits(page.budget).map { [("limits", $0)] } ?? []
    if page.rowCount == 0 {
      facts.append(("not checked", "ids, links and columns: the response has no rows. Use one that has some"))
    }
    facts += page.notes.map { ("note", $0) } + findings.map { ("problem", $0) }
    var lines = ColumnList.lines(facts.map { [$0.0, $0.1] })
    if case .document(let rows) = page.content, !rows.nodes.isEmpty {
      lines +=
        [""] + Preview.lines(rows, of: source, atMost: Self.maxRows, width: 100, dependencies: dependencies)
      if rows.nodes.count > Self.maxRows { lines.append("… and \(rows.nodes.count - Self.maxRows) more") }
    }
    self.lines = lines
    if case .end(.refusedNext) = page.continuation { isRead = false } else { isRead = findings.isEmpty }
  }

  private init(_ error: PageError) {
    let facts = [
      ("status", error.status.map { "\($0)" }), ("error", error.message), ("remedy", error.remedy),
      ("retry", Self.retry(error.kind)), ("wait", error.wait.map { "\(Int($0.rounded(.up))) s" }),
    ]
    lines = ColumnList.lines(facts.compactMap { name, text in text.map { [name, $0] } })
    isRead = false
  }

  /// Reads a response from files, as if the source had received it now.
  ///
  /// - Parameters:
  ///   - file: The name of the body's file, for messages.
  ///   - head: A status line and header lines, each optional.
  ///   - page: The page number of the response, from 1.
  init(
    body: [UInt8], from file: String, head: [UInt8]?, of source: Source, page: Int, dependencies: Dependencies
  ) throws(CommandError) {
    let head = ResponseHead(String(decoding: head ?? [], as: UTF8.self))
    var source = source
    // The query of the saved request is unknown, so it must not filter rows.
    source.input.filter = .server
    let run = RunContext(pageSize: source.pagination.settings.size.standard, version: Version.number)
    var request = PageRequest(first: source, Query("QUERY"))
    request.position.ordinal = page - 1
    if case .pages(let first)? = source.pagination.style.numbering {
      request.position.value = .number(first + page - 1)
    }
    var response: HTTPResponse
    do {
      let url = try source.request(for: request, in: run).url
      response = HTTPResponse(status: head.status, headers: head.fields, body: body, url: url)
    } catch { throw CommandError(error.fullMessage, .usage) }
    response.arrivedAt = dependencies.now()
    do {
      let page = try source.page(from: response, for: request, in: run) { .document($0) }
      self.init(page, of: source, status: response.status, dependencies: dependencies)
    } catch {
      var error = error
      // Nothing was requested: the file is what cannot be read.
      if error.kind == .unreadable {
        let source = "\(response.url.withoutQuery) returned"
        error.message = error.message.replacing(source, with: "\(file) contains")
      }
      self.init(error)
    }
  }

  /// Reads the first page as the service sends it now.
  init(live run: Run, dependencies: Dependencies) async {
    let loader = run.loader()
    switch await loader.page(for: PageRequest(first: run.source, run.query), makeContent: { .document($0) }) {
    case .success(let page):
      self.init(page, of: run.source, status: page.exchange.status, dependencies: dependencies)
    case .failure(let error): self.init(error)
    }
  }

  /// In how many rows an expression finds a value, and the first one.
  private static func values(of expression: ValueExpression, in rows: DocumentRows) -> String {
    let texts = rows.nodes.compactMap { rows.response.value(of: expression, at: $0) }
    guard let first = rows.nodes.lazy.compactMap({ rows.response.text(of: expression, at: $0) }).first else {
      return texts.isEmpty ? "no value in any row" : "\(texts.count) of \(rows.nodes.count) rows"
    }
    let line = Sanitized(first).string
    let sample = line.count > 50 ? "\(line.prefix(50))…" : line
    return "\(texts.count) of \(rows.nodes.count) rows, like \(sample)"
  }

  private static func limits(_ budget: RateBudget?) -> String? {
    guard let remaining = budget?.remaining else { return nil }
    return "\(remaining)\(budget?.limit.map { " of \($0)" } ?? "") requests left"
  }

  private static let maxRows = 10

  private static func next(_ continuation: Continuation) -> String {
    switch continuation {
    case .next(let position, let evidence): "\(words(for: position.value)) (\(words(for: evidence)))"
    case .end(.last): "none (last page)"
    case .end(.emptyPage): "none (empty page)"
    case .end(.status(let status)): "none (status \(status))"
    case .end(.refusedNext(let why)): "refused: \(why)"
    case .end(let reason): "none (\(reason.name))"
    }
  }

  private static func words(for value: Position.Value) -> String {
    switch value {
    case .start: "the first"
    case .number(let number): "\(number)"
    case .token(let token): token.text ?? token.json
    case .link(let url): "\(url)"
    case .members(let members):
      members.map { "\($0.name)=\($0.value.text ?? $0.value.json)" }.joined(separator: ", ")
    }
  }

  private static func words(for evidence: Evidence) -> String {
    switch evidence {
    case .flag: "the response reports more pages"
    case .value: "from the response"
    case .pageCount: "from the page count"
    case .none: "counted, until the total or an empty page"
    case .shortPage: "counted, though the page is short"
    }
  }

  private static func retry(_ kind: PageError.Kind) -> String {
    switch kind {
    case .rateLimited: "after a wait"
    case .offline, .connection, .server: "yes"
    case .unauthorized, .rejected, .unreadable, .invalidRequest: "no"
    }
  }
}

/// Paths that a source reads but a response does not contain, with the names that the response has instead.
private enum MissingPaths {
  static func lines(_ page: Page, of source: Source) -> [String] {
    guard case .document(let rows) = page.content else { return [] }
    var found: [String?] = []
    let body = (rows.response.document, [rows.response.document.rootNode])
    found.append(source.rows.path.flatMap { missing([[$0]], in: body).map { "rows.path: \($0)" } })
    found.append(missing(source.rows.total, in: body).map { "rows.total: \($0)" })
    if page.rowCount > 0, !mayBeLast(page, source) {
      found.append(next(source, in: body, rows.response.headers).map { "pagination.next: \($0)" })
    }
    let all = (rows.response.document, rows.nodes)
    if !isStandard(source.rows.key) {
      found.append(missing(source.rows.key, in: all).map { "rows.id: \($0)" })
    }
    found.append(missing(source.rows.link, in: all).map { "rows.link: \($0)" })
    for column in source.columns {
      found.append(missing(column.value, in: all).map { "column \(column.name): \($0)" })
    }
    return found.compactMap(\.self)
  }

  /// Whether the list may end with this page: it has fewer rows than requested, or the whole total.
  private static func mayBeLast(_ page: Page, _ source: Source) -> Bool {
    if case .next = page.continuation { return true }
    if let total = page.total?.count { return total <= page.received }
    return page.pageSize.map { page.received < $0 } ?? false
  }

  /// Why the declared next value is not found in the response.
  private static func next(
    _ source: Source, in body: (JSONDocument, [JSONNode]), _ headers: HTTPFields
  ) -> String? {
    let settings = source.pagination.settings
    guard let next = settings.next, settings.more == nil, settings.done == nil else { return nil }
    for alternative in next.alternatives {
      switch alternative {
      case .header(let name):
        if headers.first(name) == nil { return "the response has no header \(name)" }
      case .link(let relation):
        if headers.first("Link") == nil { return "the response has no Link header with rel=\"\(relation)\"" }
      case .path, .template: break
      }
    }
    return missing(next, in: body)
  }

  /// Whether the key is the one used when the source declares none.
  private static func isStandard(_ key: ValueExpression?) -> Bool {
    if case .path(let path)? = key?.alternatives.first { "\(path)" == "id" } else { key == nil }
  }

  /// Why an expression yields no value in any of the given nodes; nil if it may yield one.
  private static func missing(
    _ expression: ValueExpression?, in places: (JSONDocument, [JSONNode])
  ) -> String? {
    guard let expression else { return nil }
    var alternatives: [[JSONPath]] = []
    for alternative in expression.alternatives {
      switch alternative {
      case .path(let path): alternatives.append([path])
      case .template(let template): alternatives.append(template.paths)
      case .header, .link: return nil
      }
    }
    return missing(alternatives, in: places)
  }

  /// - Parameter alternatives: For each alternative, the paths that must all resolve.
  private static func missing(_ alternatives: [[JSONPath]], in places: (JSONDocument, [JSONNode])) -> String?
  {
    let (document, nodes) = places
    var first: String?
    for node in nodes {
      for paths in alternatives {
        let gap = paths.lazy.compactMap { path in
          path.missingMember(in: document, from: node).map { (path, $0) }
        }.first
        guard let (path, (value, name)) = gap else { return nil }
        first = first ?? words(path, name, JSONValue(document: document, node: value))
      }
    }
    return first
  }

  private static func words(_ path: JSONPath, _ name: String, _ value: JSONValue) -> String {
    let place = "\(path)" == name ? "" : " (of \(path))"
    guard value.kind == .object else {
      return "\"\(name)\"\(place): expected an object, found \(value.kind.phrase)"
    }
    let names = value.members.map(\.name)
    let advice =
      NearestName.question(name, among: names)
      ?? "Available: \(names.prefix(12).joined(separator: ", "))\(names.count > 12 ? ", …" : "")"
    return "not in the response: \"\(name)\"\(place). \(advice)"
  }
}
