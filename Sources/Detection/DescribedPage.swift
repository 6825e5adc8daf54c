import Algorithms
package import HTTPValues
import JSON
import Search
import Text

/// A described list and its first page. The page takes precedence over a description that it contradicts.
package struct DescribedPage: SourceDraft {
  package let paginations: [PaginationGuess]
  package let rowCount: Int
  package let total: TotalGuess?
  /// The parts that the user added to the request.
  let given: RequestExample
  package let contradictions: [String]
  let endpoint: DescribedEndpoint
  let rows: RowsDraft
  let largestPage: Int?
}

/// The contents of the `[rows]` and `[[columns]]` tables of a source.
struct RowsDraft: Sendable, Hashable {
  var path: String
  var shape: RowsGuess.Shape
  /// The path of the names of columns.
  var names: String?
  // Value expressions.
  var key: String?
  var link: String?
  var total: String?
  var incomplete: String?
  var columns: [ColumnGuess]
}

extension RowsDraft {
  /// Creates the contents that the description suggests.
  init(_ endpoint: DescribedEndpoint) {
    let response = endpoint.response
    self.init(
      path: endpoint.rowsPath, shape: response.shape, names: nil, key: response.key, link: response.link,
      total: endpoint.total, columns: response.columns)
  }

  /// The table of the rows.
  ///
  /// - Parameter trial: The findings of a second page.
  func table(_ trial: PaginationGuess.Trial) -> String {
    var lines = ["[rows]"]
    lines += texts([
      "path": path, "missing": trial.mayRowsBeMissing ? "empty" : nil,
      "shape": shape == .list ? nil : shape.rawValue, "names": names,
      "id": trial.isKeyAmbiguous ? nil : key,
    ])
    if trial.isKeyAmbiguous {
      lines.append(TOMLText.comment("Different rows have the same \((key ?? "id")), so it is not a row id."))
    } else if key == nil, link == nil {
      lines += [
        TOMLText.comment("No field looks like a row id. With one, duplicate rows are dropped:"),
        "# id = \"id\"",
      ]
    }
    lines += texts(["total": trial.isTotalWrong ? nil : total, "incomplete": incomplete, "link": link])
    return lines.joined(separator: "\n") + "\n"
  }
}

extension DescribedPage {
  package var rowsPath: String { rows.path }
  package var key: String? { rows.key }
  package var link: String? { rows.link }
  package var searchText: String? { nil }
  package var searchName: String? { endpoint.searchName }
  package var hasPosition: Bool { false }
  package var fixedPositions: [String] { [] }

  /// Reads a page that was requested without a position. O(bytes).
  ///
  /// - Parameter given: A request with the headers that the user gave.
  /// - Throws: If the response is not a page of rows.
  package init(
    _ endpoint: DescribedEndpoint, _ response: HTTPResponse, given: RequestExample
  ) throws(DetectionError) {
    let body = MemberIndex(try SourceGuess.document(of: response))
    let described = RowsDraft(endpoint)
    let request = RequestGuess(of: response, endpoint, given)
    let (rows, isElsewhere) = try Self.rows(body, endpoint, size: request.pageSize?.value)
    let members = FieldStatistics(rows, in: body.document)
    let identity = RowIdentity(members)
    let seen = rows.identity(identity)
    var contradictions: [String] = []
    if isElsewhere { contradictions.append("rows at \(described.path): the page has them at \(rows.path)") }
    var result = described
    (result.path, result.shape) = ("\(rows.path)", rows.shape)
    result.names = rows.names.map { "\($0)" }
    let total = TotalGuess(body, rows: rows, headers: response.headers)
    if described.total.map({ body.total($0, response.headers) == nil }) ?? true {
      if let path = described.total { contradictions.append("the total at \(path): the page has none there") }
      result.total = total?.expression
    }
    if rows.shape != described.shape || isElsewhere || !members.isKey(described.key) { result.key = seen.key }
    if described.link.map({ !members.isLink($0) }) ?? true { result.link = seen.link }
    result.columns = Self.columns(described, rows, members, body)
    let context = DetectionContext(
      request: request, headers: response.headers, body: body, rows: rows, identity: identity, total: total)
    let (ways, lacking) = Self.ways(endpoint, context)
    contradictions += lacking
    self.init(
      paginations: ways, rowCount: rows.count,
      total: result.total == total?.expression ? total : body.total(result.total, response.headers),
      given: given, contradictions: contradictions, endpoint: endpoint, rows: result,
      largestPage: SourceGuess.largestPage(
        body, requested: request.pageSize?.value, got: rows.count,
        isMore: (total?.count ?? 0) > rows.count || ways.contains { $0.isCertain && $0.style != .none }))
  }

  /// The rows where the description has them, or else where the page does.
  ///
  /// - Parameter size: The number of rows that the page was requested with.
  private static func rows(
    _ body: MemberIndex, _ endpoint: DescribedEndpoint, size: Int?
  ) throws(DetectionError) -> (rows: RowsGuess, isElsewhere: Bool) {
    guard let rows = RowsGuess(body, at: endpoint.response.rowsPath) else {
      return (try SourceGuess.rows(body, size: size), true)
    }
    // If the response has two lists, the rows are in the one with as many elements as were requested.
    if let size, rows.count < size, let other = RowsGuess(body, size: size), other.count == size {
      return (other, true)
    }
    if rows.count == 0 { throw .emptyRows(path: "\(rows.path)") }
    return (rows, false)
  }

  /// The described columns that have values here; those of the page if too few are left.
  private static func columns(
    _ described: RowsDraft, _ rows: RowsGuess, _ members: FieldStatistics, _ body: MemberIndex
  ) -> [ColumnGuess] {
    let seen = rows.columns(members, in: body.document)
    guard rows.shape == .list, described.shape == .list else { return seen }
    let known = described.columns.filter { column in
      (try? JSONPath(column.path)).map { path in
        rows.sample.contains { node in
          path.firstNode(in: body.document, from: node).map { body.document.kind(of: $0) != .null } ?? false
        }
      } ?? false
    }
    // A column with the same value in all rows does not distinguish them.
    let telling = known.filter { column in
      members.members.first { "\($0.path)" == column.path }.map { $0.texts.count > 1 || $0.count <= 1 }
        ?? true
    }
    return telling.count >= min(2, seen.count) ? telling : known.count >= seen.count ? known : seen
  }

  /// The paginations of the description, those that the page shows, and then the doubtful ones of the description.
  private static func ways(
    _ endpoint: DescribedEndpoint, _ context: DetectionContext
  ) -> (ways: [PaginationGuess], contradictions: [String]) {
    var contradictions: [String] = []
    var sure: [PaginationGuess] = []
    var doubtful: [PaginationGuess] = []
    for guess in endpoint.paginations where guess.style != .none {
      var guess = guess.located(in: context, endpoint)
      let isLacking = guess.next.map { context.mayHaveMore && !context.has($0) } ?? false
      guess.removeMissing(context)
      if isLacking, let next = guess.next, sure.isEmpty, !guess.isDoubtful {
        contradictions.append("\(guess): the page has no \(next)")
      }
      // These guesses need a second page with new rows.
      guess.isTentative = !sure.isEmpty || guess.isDoubtful || isLacking
      let ways = PaginationSignal.withOrigin(guess, context)
      if guess.isDoubtful || isLacking { doubtful += ways } else { sure += ways }
    }
    let all = sure + seen(endpoint, context).dropLast() + doubtful + [.onePage]
    return (all.uniqued(on: \.requests), contradictions)
  }

  /// The paginations that the page shows. The usual parameters are tried if none is described, or if more rows exist.
  private static func seen(_ endpoint: DescribedEndpoint, _ context: DetectionContext) -> [PaginationGuess] {
    let isOpen = !endpoint.parameters.contains { $0.role.isPosition && $0.role != .pageSize }
    let isMore = context.total.map { $0.count > context.rows.count } ?? isOpen
    return PaginationSignal.paginations(context).compactMap { guess in
      var guess = guess
      let described = guess.parameter.flatMap(endpoint.position)
      guess.parameter = described?.name ?? guess.parameter
      // A parameter that is not described would be sent in the URL.
      if endpoint.method != "GET", guess.parameter != nil, described == nil { return nil }
      return !guess.isBlind || described != nil || isMore ? guess : nil
    }
  }

  package func document(
    id: String, title: String, pagination: PaginationGuess, remarks: [String]
  ) -> String {
    DescribedSource(
      endpoint, rows, pagination, given: given, largestPage: largestPage,
      remarks: remarks + contradictions.map { "not as described: \($0)" }
    ).document(id: id, title: title)
  }
}

extension PaginationGuess {
  /// The guess with the key of the last row at the location where the page has it.
  fileprivate func located(in context: DetectionContext, _ endpoint: DescribedEndpoint) -> PaginationGuess {
    let described = "\(JSONPath(steps: endpoint.response.rowsPath.steps + [.element(-1)]))"
    guard let next, next.hasPrefix(described) else { return self }
    var guess = self
    guess.next =
      "\(JSONPath(steps: context.rows.path.steps + [.element(-1)]))\(next.dropFirst(described.count))"
    return guess
  }

  /// Removes the signs of the end that the page does not have.
  fileprivate mutating func removeMissing(_ context: DetectionContext) {
    func kept(_ expression: String?) -> String? { expression.flatMap { context.has($0) ? $0 : nil } }
    (more, done, pages) = (kept(more), kept(done), kept(pages))
    if style == .page || style == .offset { next = kept(next) }
  }
}

extension DetectionContext {
  /// Whether the response has a value at an expression, even if it is null.
  fileprivate func has(_ expression: String) -> Bool {
    if expression.hasPrefix("header:") { return headers.first(String(expression.dropFirst(7))) != nil }
    if expression.hasPrefix("link:") { return headers.first("Link") != nil }
    let path = try? JSONPath(expression)
    return path?.firstNode(in: body.document, from: body.document.rootNode) != nil
  }
}

extension MemberIndex {
  /// The total at an expression; nil if there is no whole number.
  fileprivate func total(_ expression: String?, _ headers: HTTPFields) -> TotalGuess? {
    guard let expression else { return nil }
    let text: String?
    if expression.hasPrefix("header:") {
      text = headers.first(String(expression.dropFirst(7)))
    } else {
      let node = (try? JSONPath(expression))?.firstNode(in: document, from: document.rootNode)
      text = node.flatMap { document.byteRange(of: $0).count <= 40 ? document.text(of: $0) : nil }
    }
    return text.flatMap { Int($0) }.flatMap { $0 >= 0 ? TotalGuess(expression: expression, count: $0) : nil }
  }
}

extension FieldStatistics {
  /// Whether the field has a different value in each row. A key that is not a field of a row, such as `@key`, always
  /// has.
  fileprivate func isKey(_ expression: String?) -> Bool {
    guard let expression else { return false }
    if expression.hasPrefix("@") || expression == "$" { return true }
    return members.first { "\($0.path)" == expression }.map(isUnique) ?? false
  }

  fileprivate func isLink(_ expression: String) -> Bool {
    members.first { "\($0.path)" == expression }.map { $0.isAddress && isCommon($0) } ?? false
  }
}
