package import HTTPValues
import JSON
import Search
private import Text

/// A source guessed from one response: the request, the location of the rows, their columns, and how the service
/// may page, most certain first.
package struct SourceGuess: Sendable, Hashable {
  package private(set) var request: RequestGuess
  package let rowsPath: String
  let shape: RowsGuess.Shape
  let columnNames: String?
  package let rowCount: Int
  package let columns: [ColumnGuess]
  package let identity: RowIdentity
  package let total: TotalGuess?
  /// The maximum number of rows per page, if the response shows or states it.
  package let largestPage: Int?
  package let saysMore: Bool
  /// The flag with which the service says that rows are missing.
  let incomplete: String?
  /// The paginations, at least one; the last one is a single page.
  package let paginations: [PaginationGuess]

  /// Analyzes one page. O(bytes).
  ///
  /// - Parameter example: The request of this page.
  /// - Throws: If a redirect leads to a URL with a credential, or the response is not a page of rows.
  package init(_ response: HTTPResponse, to example: RequestExample) throws(DetectionError) {
    let moved = example.moved(to: response.url)
    let secrets = moved.credentialsInAddress
    guard secrets.isEmpty else { throw .credential(parameters: secrets) }
    let body = MemberIndex(try Self.document(of: response))
    request = RequestGuess(moved, next: PaginationSignal.next(body, response), in: body)
    let rows = try Self.rows(body, size: request.pageSize?.value)
    let members = FieldStatistics(rows, in: body.document)
    let identity = RowIdentity(members)
    let total = rows.shape == .object ? nil : TotalGuess(body, rows: rows, headers: response.headers)
    rowsPath = "\(rows.path)"
    shape = rows.shape
    columnNames = rows.names.map { "\($0)" }
    rowCount = rows.count
    columns = rows.columns(members, in: body.document)
    self.identity = rows.identity(identity)
    self.total = total
    paginations =
      rows.shape == .object
      ? [.oneObject]
      : PaginationSignal.paginations(
        DetectionContext(
          request: request, headers: response.headers, body: body, rows: rows, identity: identity,
          total: total))
    saysMore = body.places.contains { place in
      place.kind == .bool && body.text(place) == "true" && ResponseWords.saysMore(place.word)
    }
    incomplete = body.places.first { $0.kind == .bool && ResponseWords.incomplete.contains($0.word) }
      .map { "\($0.path)" }
    if let name = Self.position(in: request, paginations, body) {
      request = RequestGuess(moved, next: PaginationSignal.next(body, response), in: body, position: name)
    }
    let isFirst =
      request.page?.value ?? 0 <= 1 && request.offset?.value ?? 0 == 0 && request.cursor?.value ?? "" == ""
    let isMore =
      isFirst && total?.count ?? 0 > rows.count || paginations.contains { $0.isCertain && $0.style != .none }
    largestPage = Self.largestPage(body, requested: request.pageSize?.value, got: rows.count, isMore: isMore)
  }

  /// A fixed parameter that is a position: it would send the key of the last row, and its value looks like one.
  private static func position(
    in request: RequestGuess, _ paginations: [PaginationGuess], _ body: MemberIndex
  ) -> String? {
    func form(_ text: String) -> String {
      String(text.map { $0.isNumber ? "0" : $0.isLetter ? "a" : $0 })
    }
    let guesses = paginations.filter(\.isKeyOfLastRow)
    return request.parameters.first { field in
      guard request.fixedPositions.contains("\(field.name)=\(field.value)"),
        let guess = guesses.first(where: { $0.parameter == field.name }),
        let path = guess.next.flatMap({ try? JSONPath($0) }),
        let node = path.firstNode(in: body.document, from: body.document.rootNode),
        let key = body.document.text(of: node)
      else { return false }
      return form(key) == form(field.value)
    }?.name
  }

  /// The maximum page size that the response states; otherwise the number of rows received, if more were
  /// requested and more exist.
  static func largestPage(_ body: MemberIndex, requested: Int?, got: Int, isMore: Bool) -> Int? {
    let stated = body.places.first { sizeLimits.contains($0.word) }.flatMap { body.count($0) }
    if let stated, 1...1_000_000 ~= stated, stated >= got { return stated }
    guard isMore, let requested, got > 0, got < requested else { return nil }
    return got
  }

  /// Names of page size limits, in the form that `ParameterRole.word` produces.
  private static let sizeLimits: Set = [
    "maxperpage", "perpagemax", "maxpagesize", "pagesizemax", "maximumpagesize", "maxpagelimit", "maxlimit",
    "limitmax", "maxresultsperpage", "maxrecordcount", "maxrows", "maxsize",
  ]

  static func document(of response: HTTPResponse) throws(DetectionError) -> JSONDocument {
    let type = response.headers.first("Content-Type")
    let document = Result { () throws(JSONError) in try JSONDocument(response.body) }
    guard HTTPStatus.isSuccess(response.status) else {
      if response.looksRateLimited {
        let wait = RequestedWait.seconds(headers: response.headers, budget: nil, now: response.arrivedAt)
        throw .rateLimited(response.status, wait: wait)
      }
      let beginning = String(decoding: response.body.prefix(200), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let isWebPage = if case .failure(let error) = document { error.isHTML } else { false }
      if isWebPage, response.status != 401 {
        throw .webPage(response.status, title: WebPage.title(in: response.body))
      }
      if [401, 403].contains(response.status) {
        throw .unauthorized(
          response.status, scheme: response.headers.challengedScheme, contentType: type, beginning: beginning)
      }
      throw .status(response.status, contentType: type, beginning: beginning)
    }
    if response.body.isEmpty { throw .empty(response.status) }
    do { return try document.get() } catch {
      throw .notJSON(reason: "\(error)", isMarkup: error.isMarkup, contentType: type)
    }
  }

  static func rows(_ body: MemberIndex, size: Int?) throws(DetectionError) -> RowsGuess {
    let document = body.document
    guard let rows = RowsGuess(body, size: size) else {
      let names = document.members(of: document.rootNode).prefix(12).map(\.name)
      let kind = document.kind(of: document.rootNode).phrase
      throw .noRows(kind: kind, keys: names.compactMap(document.string))
    }
    if rows.count == 0 { throw .emptyRows(path: "\(rows.path)") }
    return rows
  }
}

extension RowsGuess {
  func columns(_ members: FieldStatistics, in document: JSONDocument) -> [ColumnGuess] {
    switch shape {
    case .list, .object: ColumnGuess.guesses(from: members)
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
      where document.kind(of: value) != .null { places.insert(place) }
    }
    return places.sorted().prefix(6).map { ColumnGuess(name: "column_\($0 + 1)", path: "[\($0)]") }
  }

  func identity(_ found: RowIdentity) -> RowIdentity {
    switch shape {
    case .list, .columns, .object: found
    case .map: RowIdentity(key: "@key", link: found.link)
    case .scalars: RowIdentity(key: "$", link: nil)
    }
  }
}

/// The reason why a source cannot be guessed; each case includes what was found.
package enum DetectionError: Error, Sendable, Hashable {
  /// The service redirects to a URL that contains a credential, which is never written to a file.
  case credential(parameters: [String])
  /// The service returned an error status.
  case status(Int, contentType: String?, beginning: String)
  /// The service requires a credential; `scheme` is the name of a scheme of sources, if the service named one.
  case unauthorized(Int, scheme: String?, contentType: String?, beginning: String)
  /// The service, or something before it, returned an error status with a web page.
  case webPage(Int, title: String?)
  /// The service limits the request rate; `wait` is the requested delay in seconds.
  case rateLimited(Int, wait: Double?)
  /// The response has no body.
  case empty(Int)
  /// The response is not JSON.
  case notJSON(reason: String, isMarkup: Bool, contentType: String?)
  /// The response contains nothing that looks like rows; `keys` are its first keys.
  case noRows(kind: String, keys: [String])
  /// The response has a list for rows, but it is empty.
  case emptyRows(path: String)
}

extension DetectionError: CustomStringConvertible {
  /// The finding and the remedy.
  package var description: String {
    switch self {
    case .credential(let parameters):
      return """
        the service redirects to a URL that contains a credential (\(parameters.joined(separator: ", "))), and \
        credentials are never written to a file. Fill in the source on stdout
        """
    case .status(let status, let contentType, let beginning),
      .unauthorized(let status, _, let contentType, let beginning):
      return "the service returned \(HTTPStatus.text(status)) (\(Self.type(contentType)))"
        + (beginning.isEmpty ? "" : ": \(beginning)") + ". \(Self.advice(for: status))"
    case .webPage(let status, let title):
      let name = title.map { ", \"\($0)\"" } ?? ""
      let advice =
        status == 403
        ? "Open the URL in a browser: something before the service may block programs"
        : Self.advice(for: status)
      return "the service returned \(HTTPStatus.text(status)): a web page\(name). \(advice)"
    case .rateLimited(let status, let wait):
      let advice =
        wait.map { "Try again in \(DurationText.words(seconds: $0.rounded(.up)))" } ?? "Try again later"
      return "the service returned \(HTTPStatus.text(status)): rate limited. \(advice)"
    case .empty(let status):
      return
        "the service returned an empty response (\(HTTPStatus.text(status))). Use a URL that returns rows"
    case .notJSON(let reason, let isMarkup, let contentType):
      return isMarkup
        ? "the response is HTML or XML, not JSON (\(Self.type(contentType))): probably a web page or a sign-in page. "
          + "Use the URL of the API"
        : "the response is not JSON (\(Self.type(contentType))): \(reason)"
    case .noRows(let kind, let keys):
      let names = keys.map { "\"\($0)\"" }.joined(separator: ", ")
      let seen = keys.isEmpty ? "" : " with the key\(keys.count == 1 ? "" : "s") \(names)"
      return "no rows found in the response, \(kind)\(seen). Set rows.path to where they are"
    case .emptyRows(let path):
      return """
        \(path) has no rows to detect columns from. Use a URL that returns some, or fill in the source on \
        stdout
        """
    }
  }

  private static func advice(for status: Int) -> String {
    switch status {
    case 401, 403: "Send a valid credential with -H, or fill in [auth] in the source on stdout"
    case 408, 500...: "Try again later, or fill in the source on stdout"
    default: "Correct the URL, or fill in the source on stdout"
    }
  }

  private static func type(_ contentType: String?) -> String { contentType ?? "no content type" }
}

extension HTTPFields {
  /// The scheme of the first challenge (RFC 9110, section 11.6.1) that a source can answer.
  fileprivate var challengedScheme: String? {
    let known = AuthSchemes.all.filter(\.isChallenge).map(\.name)
    return all("WWW-Authenticate").lazy.flatMap(Self.names).map { $0.lowercased() }.first(
      where: known.contains)
  }

  /// The scheme names of one field: the text between commas outside quotes, where it begins with a word that
  /// is not a parameter.
  private static func names(in field: String) -> [String] {
    field[...].split(outsideQuotesAt: ",").compactMap { part in
      let word = part.trimmedBlanks.prefix { $0 != " " && $0 != "\t" }
      return word.isEmpty || word.contains("=") ? nil : String(word)
    }
  }
}
