/// A source guessed from one reply: the request, the location of the rows, their columns, and how the service
/// may page, most certain first.
package struct SourceGuess: Sendable, Hashable {
  package let request: RequestGuess
  package let rowsPath: String
  let shape: RowsGuess.Shape
  let columnNames: String?
  package let rowCount: Int
  package let columns: [ColumnGuess]
  package let identity: RowIdentity
  package let total: TotalGuess?
  /// The maximum number of rows per page, if the reply shows or states it.
  package let largestPage: Int?
  /// At least one; the last one is a single page.
  package let paginations: [PaginationGuess]

  /// Analyzes one page. O(bytes).
  ///
  /// - Throws: If the URL contains a credential, or the reply is not a page of rows.
  package init(_ reply: HTTPReply) throws(DetectionFailure) {
    request = try RequestGuess(reply.url)
    let body = MemberIndex(try Self.document(of: reply))
    let rows = try Self.rows(body)
    let members = FieldStatistics(rows, in: body.document)
    let identity = RowIdentity(members)
    let total = TotalGuess(body, rows: rows, headers: reply.headers)
    rowsPath = "\(rows.path)"
    shape = rows.shape
    columnNames = rows.names.map { "\($0)" }
    rowCount = rows.count
    columns = rows.columns(members, in: body.document)
    self.identity = rows.identity(identity)
    self.total = total
    paginations = PaginationSignal.paginations(
      DetectionContext(
        request: request, headers: reply.headers, body: body, rows: rows, identity: identity, total: total))
    let isFirst = request.page?.value ?? 0 <= 1 && request.offset?.value ?? 0 == 0 && request.cursor == nil
    let isMore =
      isFirst && total?.count ?? 0 > rows.count || paginations.contains { $0.isCertain && $0.style != .none }
    largestPage = Self.largestPage(body, requested: request.pageSize?.value, got: rows.count, isMore: isMore)
  }

  /// The maximum page size that the reply states; otherwise the number of rows received, if more were
  /// requested and more exist.
  private static func largestPage(_ body: MemberIndex, requested: Int?, got: Int, isMore: Bool) -> Int? {
    let stated = body.places.first { sizeLimits.contains($0.word) }.flatMap { body.count($0) }
    if let stated, 1...1_000_000 ~= stated, stated >= got { return stated }
    guard isMore, let requested, got > 0, got < requested else { return nil }
    return got
  }

  /// In the form that `ParameterRole.word` produces.
  private static let sizeLimits: Set = [
    "maxperpage", "perpagemax", "maxpagesize", "pagesizemax", "maximumpagesize", "maxpagelimit", "maxlimit",
    "limitmax", "maxresultsperpage", "maxrecordcount", "maxrows", "maxsize",
  ]

  private static func document(of reply: HTTPReply) throws(DetectionFailure) -> JSONDocument {
    let type = reply.headers.first("Content-Type")
    guard 200..<300 ~= reply.status else {
      if reply.refusesForLimits {
        let wait = RequestedWait.seconds(headers: reply.headers, budget: nil, now: reply.arrivedAt)
        throw .rateLimited(reply.status, wait: wait)
      }
      let beginning = String(decoding: reply.body.prefix(200), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if [401, 403].contains(reply.status) {
        let scheme = ChallengeScheme(reply.headers)
        throw .unauthorized(reply.status, scheme: scheme, contentType: type, beginning: beginning)
      }
      throw .status(reply.status, contentType: type, beginning: beginning)
    }
    do { return try JSONDocument(reply.body) } catch {
      throw .notJSON(reason: "\(error)", isMarkup: error.isMarkup, contentType: type)
    }
  }

  private static func rows(_ body: MemberIndex) throws(DetectionFailure) -> RowsGuess {
    let document = body.document
    guard let rows = RowsGuess(body) else {
      let keys = document.members(of: document.rootNode).prefix(12).compactMap {
        document.string(of: $0.name)
      }
      throw .noRows(kind: document.kind(of: document.rootNode).phrase, keys: keys)
    }
    if rows.count == 0 { throw .emptyRows(path: "\(rows.path)") }
    return rows
  }
}

extension RowsGuess {
  fileprivate func columns(_ members: FieldStatistics, in document: JSONDocument) -> [ColumnGuess] {
    switch shape {
    case .list: ColumnGuess.guesses(from: members)
    case .map: [ColumnGuess(name: "key", path: "@key")] + ColumnGuess.guesses(from: members, limit: 5)
    case .columns: names == nil ? numberedColumns(in: document) : []
    case .scalars: [ColumnGuess(name: "value", path: "$")]
    }
  }

  /// One column for each position in a row that has a value in some row, at most six.
  private func numberedColumns(in document: JSONDocument) -> [ColumnGuess] {
    var places: Set<Int> = []
    for row in sample {
      for (place, value) in document.elements(of: row).enumerated().prefix(100)
      where document.kind(of: value) != .null {
        places.insert(place)
      }
    }
    return places.sorted().prefix(6).map { ColumnGuess(name: "column_\($0 + 1)", path: "[\($0)]") }
  }

  fileprivate func identity(_ found: RowIdentity) -> RowIdentity {
    switch shape {
    case .list, .columns: found
    case .map: RowIdentity(key: "@key", link: found.link)
    case .scalars: RowIdentity(key: "$", link: nil)
    }
  }
}

extension HTTPReply {
  /// The `[limits]` of the source are not known yet, so only the common names are checked.
  fileprivate var refusesForLimits: Bool {
    if status == 429 { return true }
    guard status == 403 else { return false }
    let words = (try? JSONDocument(body)).flatMap { CommonErrorFields.found(in: $0) }
    if words.map(CommonErrorFields.mentionsRateLimit) ?? false { return true }
    return headers.first("Retry-After") != nil || headers.first("X-RateLimit-Remaining") == "0"
      || RateLimitField(headers)?.exhaustedFor != nil
  }
}
