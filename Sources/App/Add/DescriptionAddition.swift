import Config
import Detection
import HTTPTransport
import HTTPValues
import JSON
import Search
import Terminal
import Text

/// Thrown if a page is not a list, but the description of an API (OpenAPI, Swagger).
struct FoundDescriptionError: Error {
  let response: HTTPResponse

  /// Nil if the response does not look like one.
  init?(_ response: HTTPResponse) {
    let beginning = String(decoding: response.body.prefix(65_536), as: UTF8.self)
    guard HTTPStatus.isSuccess(response.status),
      beginning.contains(/["']?(?:openapi|swagger)["']?\s*:/),
      let root = try? SourceAddition.document(response.body).root,
      root["paths"]?.kind == .object, root["openapi"] != nil || root["swagger"] != nil
    else { return nil }
    self.response = response
  }
}

extension SourceAddition {
  /// Schemas nest deeper than rows.
  static let descriptionDepth = 512

  /// Adds lists of an API description. If none is chosen and there is no terminal to choose on, all are printed.
  ///
  /// - Parameter place: The file or the address of the description.
  func add(
    from bytes: [UInt8], of place: String, at address: WebURL?, lists: ListChoice, name: String?
  ) throws(CommandError) -> RunEnd {
    let description = try Self.description(bytes, place, address)
    let endpoints = description.endpoints
    guard !endpoints.isEmpty else {
      let example = description.omissions.first.map { ", like \($0.method) \($0.path): \($0.reason)" } ?? ""
      throw CommandError("\(place) describes no list\(example)", .failed)
    }
    switch lists {
    case .all: return try addAll(of: description, name: name)
    case .endpoint(let path):
      try add(Self.endpoint(path, in: description, place), of: description, at: address, name: name)
    case .asked where endpoints.count == 1:
      try add(endpoints[0], of: description, at: address, name: name)
    case .asked:
      if let terminal = TerminalOptions(environment: dependencies.environment),
        dependencies.output.isTerminal
      {
        return try choose(from: description, on: terminal, at: address, name: name)
      }
      let rows = [["LIST", "PAGES", "ROWS", "SUMMARY"]] + endpoints.map(\.listed)
      try dependencies.print(ColumnList.lines(rows).map { $0 + "\n" }.joined())
      message.note(
        "\(Digits.counted(endpoints.count, "list"))\(Self.others(description)). Add one with --endpoint PATH, or all with --all"
      )
    }
    return .status(.done)
  }

  private static func others(_ description: APIDescription) -> String {
    let count = description.omissions.count
    return count == 0 ? "" : "; \(Digits.counted(count, "other endpoint")) left out"
  }

  private static func endpoint(
    _ path: String, in description: APIDescription, _ place: String
  ) throws(CommandError) -> DescribedEndpoint {
    if let found = description.endpoints.first(where: { [$0.name, $0.path].contains(path) }) { return found }
    let omission = description.omissions.first { $0.path == path }
    if let omission {
      throw CommandError("\(place): endpoint \(path) is left out, because \(omission.reason)", .usage)
    }
    let names = description.endpoints.map(\.name)
    let shown = names.prefix(5).joined(separator: ", ")
    let advice =
      NearestName.question(path, among: names)
      ?? (names.count > 5 ? "To see all \(names.count) lists, omit --endpoint" : "Its lists are \(shown)")
    throw CommandError("\(place) has no list \(JSONText.quoted(path)). \(advice)", .usage)
  }

  // MARK: The lists as a table

  /// Adds the lists that the user chooses in the pager.
  private func choose(
    from description: APIDescription, on terminal: TerminalOptions, at address: WebURL?, name: String?
  ) throws(CommandError) -> RunEnd {
    let choice: (end: RunEnd, indices: [Int])
    do {
      choice = try Interactive.choose(
        from: description.table, config: configuration.file, dependencies, on: terminal, message
      )
    } catch { throw error as? CommandError ?? CommandError("\(error)", .failed) }
    let names = description.ids(prefix: name ?? "")
    for index in choice.indices where description.endpoints.indices.contains(index) {
      // One name is that of one source.
      let name = name.map { choice.indices.count == 1 ? $0 : names[index] }
      try add(description.endpoints[index], of: description, at: address, name: name)
    }
    return choice.end
  }

  // MARK: One list

  /// - Parameter address: That of the description.
  private func add(
    _ endpoint: DescribedEndpoint, of description: APIDescription, at address: WebURL?, name: String?
  ) throws(CommandError) {
    let draft = try Self.source(description.document(of: endpoint, id: "source"))
    let home = (draft.origin(options: [:]).map { "\($0)" } ?? "https://source.example") + endpoint.path
    guard let place = try? WebURL(home) else { throw CommandError("invalid URL \(home)", .failed) }
    let own = zip(description.endpoints, description.ids(prefix: description.shortName ?? ""))
      .filter { description.shortName != nil && $0.0.name == endpoint.name }.map(\.1)
    let id = try configuration.unusedName(
      name,
      from: own.flatMap(SourceName.numbered) + SourceName.suggestions(for: place),
      isReplacing: isReplacing)
    var written = WrittenRequest(WrittenText("\(place)"))
    written.headers = try headers.map(Self.header)
    let given = try Self.example(written, id.uppercased().replacing("-", with: "_"))
    let all = try environment(of: given)
    let named = all.filter { given.variables.contains($0.key) }
    let chosen = try draft.chosenOptions(options, of: "the list")
    let trial = EndpointTrial(
      description: description, endpoint: endpoint, id: id, address: address, given: given, options: chosen)
    let result: Result<SourceTrial.Outcome, EndpointTrial.ObstacleError> =
      trial.obstacle(to: draft).map { .failure($0) }
      ?? found { [clock = dependencies.clock] in
        try await trial.outcome($0, timeout: $1, named, clock: clock)
      }
      .mapError { EndpointTrial.ObstacleError(reason: Self.commandError($0).message) }
    let document: String
    switch result {
    case .success(let outcome):
      document = outcome.document
      try dependencies.print(document)
      report(outcome)
    case .failure(let obstacle):
      let reason = Redactor(named.values.map { Secret($0) }).redacted(obstacle.reason)
      document = description.document(
        of: endpoint, id: id, given: given, remarks: ["not confirmed: \(reason)"])
      try dependencies.print(document)
      message.plain(endpoint.summaryLines(reason))
    }
    let needed = draft.options.filter { $0.defaultValue == nil }.map {
      " --set \($0.name)=\(chosen[$0.name].map { "\(ShellWord($0))" } ?? "…")"
    }.joined()
    let words = "\(needed)\(draft.needsQuery ? " …" : "")"
    if try keep(document, as: id, name: name, words) { remind(of: given) }
  }

  static func source(_ document: String) throws(CommandError) -> Source {
    do { return try SourceDecoder.source(TOMLDocument(document, file: "source.toml")) } catch {
      throw CommandError("cannot create a source from the described list: \(error)", .failed)
    }
  }

  /// The value of a document in JSON or YAML.
  fileprivate static func document(_ bytes: [UInt8]) throws -> JSONDocument {
    let isJSON = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "{")
    let json = isJSON ? bytes : try YAMLDocument.json(String(decoding: bytes, as: UTF8.self))
    return try JSONDocument(json, maxDepth: descriptionDepth)
  }

  private static func description(
    _ bytes: [UInt8], _ place: String, _ address: WebURL?
  ) throws(CommandError) -> APIDescription {
    let document: JSONDocument
    let advice =
      place.hasSuffix(".toml") ? ". To add a source file, run: riffle sources add \(ShellWord(place))" : ""
    do { document = try Self.document(bytes) } catch {
      throw CommandError("\(place) is neither JSON nor YAML: \(error)\(advice)", .usage)
    }
    do { return try APIDescription(document, at: address) } catch {
      throw CommandError("\(place): \(error)\(advice)", .usage)
    }
  }
}

extension DescribedEndpoint {
  /// Path, pages, rows and summary, as lists of endpoints show them.
  fileprivate var listed: [String] { [name, pagesWords, rowsWords, summary] }

  /// The pagination style, for a table.
  var pagesWords: String { style.hasPrefix("none") ? "one page" + style.dropFirst("none".count) : style }

  /// Where the rows are, for a table.
  var rowsWords: String { rowsPath == "\(JSONPath.root)" ? "the entire response" : rowsPath }

  /// What the description says, and why no page confirms it.
  fileprivate func summaryLines(_ reason: String) -> String {
    let place = rowsPath == "$" ? "the entire response" : "in \"\(rowsPath)\""
    let facts = [
      "\(place) (as described)", key.map { "row id in \"\($0)\"" }, link.map { "link in \"\($0)\"" },
    ]
    let query = searchName.map { "parameter \($0)" } ?? "no search parameter described"
    return """
      rows: \(facts.compactMap(\.self).joined(separator: ", "))
      query: \(query)
      pages: \(Sentences.joined(["\(pagination.words) (\(pagination.reason))", "not confirmed: \(reason)"]))
      """
  }
}

extension APIDescription {
  /// The lists as rows of the pager.
  fileprivate var table: LocalRows {
    get throws(ConfigError) {
      try LocalRows(
        source: """
          schema = 1
          id = "described-lists"
          title = \(TOMLText.string(title))
          input = { filter = "client", placeholder = "words in the lists" }
          request = { url = "https://description.invalid/" }
          pagination = { type = "none" }
          [[columns]]
          path = "path"
          width = { weight = 3 }
          [[columns]]
          path = "summary"
          width = { weight = 4 }
          [[columns]]
          path = "pages"
          width = { weight = 2 }
          [[columns]]
          path = "rows"

          """,
        endpoints.map(\.listed).map {
          [("path", $0[0]), ("summary", $0[3]), ("pages", $0[1]), ("rows", $0[2])]
        })
    }
  }
}
