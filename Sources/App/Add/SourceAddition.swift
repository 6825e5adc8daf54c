import Config
import Credentials
import Detection
import Glibc
import HTTPTransport
import HTTPValues
import JSON
import Output
import Search
import Text

/// What `riffle add` is given.
package enum AddedRequest: Sendable, Hashable {
  /// The address of a page, or the address or file of an API description.
  case place(String)
  /// A command line of curl, or `-` to read it from standard input.
  case curl(String)
}

/// Which lists of an API description are added.
package enum ListChoice: Sendable, Hashable {
  /// Those that the user chooses on the terminal, or the only one.
  case asked
  /// The one with this path, or method and path.
  case endpoint(String)
  case all
}

extension Configuration {
  /// Implements `riffle add`, from the request to the source file.
  ///
  /// - Parameters:
  ///   - lists: Which lists of an API description.
  ///   - options: Options for the first page of a described list. They are not written.
  ///   - headers: Headers for the request, as `Name: value`; `$NAME` is read from the environment.
  ///   - name: The name of the new source; nil to ask.
  ///   - isReplacing: Whether the user's own source of this name is replaced.
  package func addSource(
    _ origin: AddedRequest, lists: ListChoice, options: [NameValue], headers: [String], name: String?,
    isReplacing: Bool,
    isDryRun: Bool, _ message: Message
  ) throws(CommandError) -> RunEnd {
    try SourceAddition(
      configuration: self, message: message, options: options, headers: headers, isReplacing: isReplacing,
      isDryRun: isDryRun
    ).run(origin, lists: lists, name: name)
  }
}

/// Makes a source from what the user has: an address, a command line of curl, or an API description.
struct SourceAddition {
  let configuration: Configuration
  let message: Message
  let options: [NameValue]
  /// As written.
  let headers: [String]
  let isReplacing: Bool
  let isDryRun: Bool

  var dependencies: Dependencies { configuration.dependencies }

  func run(_ origin: AddedRequest, lists: ListChoice, name: String?) throws(CommandError) -> RunEnd {
    let text: String
    switch origin {
    case .curl(let line):
      let request = try curlRequest(line)
      return try add(request, at: "the response", lists: lists, name: name)
    case .place(let place): text = place
    }
    do { _ = try WebURL(text) } catch {
      return try add(from: bytes(ofFile: text, noURL: error), of: text, at: nil, lists: lists, name: name)
    }
    return try add(WrittenRequest(WrittenText(text)), at: text, lists: lists, name: name)
  }

  /// - Parameter problem: Why the path is no URL.
  private func bytes(ofFile path: String, noURL problem: WebURLError) throws(CommandError) -> [UInt8] {
    do { return try FileAccess.system(limit: 32 << 20).read(path).bytes } catch {
      if path.contains("://") { throw CommandError("\(problem)", .usage) }
      throw CommandError(
        "\(error.message(reading: path)). Give a URL (http:// or https://) or an existing file", .usage)
    }
  }

  /// - Parameter text: The command line, or `-` to read it from standard input.
  private func curlRequest(_ text: String) throws(CommandError) -> WrittenRequest {
    var line = text
    if text == "-" {
      if dependencies.input.isTerminal {
        message.note("paste the curl command, then press Enter and Ctrl-D")
      }
      var bytes: [UInt8] = []
      while case (let part, true) = dependencies.input.available(upTo: 1 << 16), bytes.count < 1 << 20 {
        bytes += part
      }
      line = String(decoding: bytes, as: UTF8.self)
    }
    do { return try CurlParser.request(of: line) } catch {
      throw CommandError("cannot read the curl command: \(error)", .usage)
    }
  }

  /// Adds the list that a request returns.
  private func add(
    _ written: WrittenRequest, at place: String, lists: ListChoice, name: String?
  ) throws(CommandError) -> RunEnd {
    var written = written
    written.headers += try headers.map(Self.header)
    let draft = try Self.example(written, "SOURCE")
    let id = try configuration.unusedName(
      name, from: SourceName.suggestions(for: draft.address), isReplacing: isReplacing)
    let example = try Self.example(written, id.uppercased().replacing("-", with: "_"))
    let environment = try environment(of: example)
    let outcome: SourceTrial.Outcome
    let trial = found { [clock = dependencies.clock] in
      try await SourceTrial.outcome(example, id: id, $0, timeout: $1, environment, clock: clock)
    }
    do { outcome = try trial.get() } catch {
      if let found = error as? FoundDescriptionError {
        return try add(
          from: found.response.body, of: place, at: found.response.url, lists: lists, name: name)
      }
      if let failure = error as? DetectionError {
        try dependencies.print(
          SourceSkeleton.document(id: id, title: Self.title(of: example.address), example, failure: failure))
      }
      let error = Self.commandError(error)
      let secrets = example.variables.compactMap { environment[$0].map { Secret($0) } }
      throw CommandError(Redactor(secrets).redacted(error.message), error.status)
    }
    if lists != .asked || !options.isEmpty {
      let list = if case .endpoint = lists { "--endpoint" } else { lists == .all ? "--all" : nil as String? }
      let ignored = [list, options.isEmpty ? nil : "--set"].compactMap(\.self)
      message.note(
        "\(ignored.joined(separator: " and ")) \(ignored.count == 1 ? "is ignored: it needs" : "are ignored: they need") an API description, and \(place) is a page of rows"
      )
    }
    try dependencies.print(outcome.document)
    report(outcome)
    if try keep(outcome.document, as: id, name: name, outcome.queryWords) { remind(of: example) }
    return .status(.done)
  }

  /// The values of the variables of a request.
  ///
  /// - Throws: If one is not set.
  func environment(of example: RequestExample) throws(CommandError) -> [String: String] {
    let environment = dependencies.environment.merging(example.secrets.mapValues { $0.reveal() }) { $1 }
    for variable in example.variables where environment[variable]?.isEmpty ?? true {
      throw CommandError("environment variable \(variable) is not set", .usage)
    }
    return environment
  }

  /// Names the variables that the next run needs.
  func remind(of example: RequestExample) {
    for variable in example.secrets.keys.sorted() where dependencies.environment[variable] == nil {
      message.note("the source reads a credential from \(variable). Set it: export \(variable)=…")
    }
  }

  /// Parses `Name: value`.
  static func header(_ text: String) throws(CommandError) -> Named<WrittenText> {
    let header = try Named(header: text)
    if let problem = HeaderCheck.problem(name: header.name, value: header.value.plain ?? "x") {
      throw CommandError("--request-header \(JSONText.quoted(header.name)): \(problem)", .usage)
    }
    return header
  }

  static func example(
    _ written: WrittenRequest, _ service: String
  ) throws(CommandError) -> RequestExample {
    do { return try RequestExample(written, service: service) } catch {
      throw CommandError("\(error)", .usage)
    }
  }

  static func title(of address: WebURL) -> String {
    address.path == "/" ? address.host : address.host + address.path
  }

  // MARK: Detection

  /// What requests over connections of their own find.
  ///
  /// - Parameter work: Requests it, each within the timeout.
  func found<Value: Sendable>(
    _ work: @escaping @Sendable (Transport, _ timeout: Duration?) async throws -> Value
  ) -> Result<Value, any Error> {
    let transport = TransportConfiguration(dependencies, configuration.settings)
    let timeout = configuration.settings.search.timeout
    return blocking {
      let connections = HTTPConnections(transport)
      defer { connections.close() }
      do { return .success(try await work(Transport(over: connections), timeout)) } catch {
        return .failure(error)
      }
    }
  }

  static func commandError(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let failure as DetectionError: CommandError(failure.description, ExitStatus(failure))
    case let failure as TransportError: CommandError(text(failure), .failed)
    case let problem as SecretFileError: CommandError("\(problem)", .usage)
    default: CommandError("\(error)", .failed)
    }
  }

  /// What failed and what to do. The remedies of other commands (options, source settings) do not apply here.
  private static func text(_ failure: TransportError) -> String {
    let error = PageError(failure, isSafe: true, isPage: true)
    let remedy =
      switch failure.kind {
      case .deadline, .deadlineBeforeHead: "raise search.timeout in config.toml"
      case .bodyTooLarge: "use a URL that requests fewer rows"
      default: error.advice
      }
    if case .redirect(.target(.otherOrigin(let origin))) = failure.kind {
      return "\(failure.origin) redirects to another origin, \(origin). Use the URL it leads to"
    }
    return Sentences.joined([error.message, remedy])
  }

  // MARK: Reporting

  func report(_ outcome: SourceTrial.Outcome) {
    let width = dependencies.errors.columns ?? 100
    let lines = Preview.lines(
      outcome.rows, of: outcome.source, atMost: 8, width: width, dependencies: dependencies)
    for line in lines { message.write("\(line)\n") }
    message.facts(GuessSummary(outcome: outcome).text)
  }

  // MARK: Writing

  /// Saves a source under the proposed name, or under the one that the user types instead.
  ///
  /// - Parameter words: What the command that runs the source has after its name.
  /// - Returns: Whether it was saved.
  func keep(
    _ document: String, as id: String, name: String?, _ words: String
  ) throws(CommandError) -> Bool {
    if isDryRun { return false }
    let folder = try configuration.requiredSourcesFolder
    var (file, document) = (NewSourceFile(folder: folder, name: id), document)
    let question = "Save it as \(file.path)? [y/N, or another name] "
    let answer = name == nil ? message.answer(to: question, dependencies) ?? "" : "y"
    if SourceName.isValid(answer), !["y", "yes", "n", "no"].contains(answer) {
      file = NewSourceFile(
        folder: folder, name: try configuration.unusedName(answer, from: [id], isReplacing: false))
      document = document.replacing(
        "\nid = \(TOMLText.string(id))\n", with: "\nid = \(TOMLText.string(answer))\n", maxReplacements: 1)
    } else if !Message.isYes(answer) {
      message.note("not saved. Use --name \(id) to save it as \(file.path)")
      return false
    }
    try file.write(Array(document.utf8), isReplacing: isReplacing && name != nil)
    message.note("wrote \(file.path). Try: riffle \(file.name)\(words)")
    return true
  }
}

extension ExitStatus {
  fileprivate init(_ failure: DetectionError) {
    switch failure {
    case .credential: self = .usage
    case .unauthorized: self = .unauthorized
    case .rateLimited: self = .rateLimited
    case .status, .webPage, .empty, .notJSON, .noRows, .emptyRows: self = .failed
    }
  }
}

/// Summarizes in a few lines what was guessed and how certain each guess is.
private struct GuessSummary {
  let outcome: SourceTrial.Outcome

  var text: String {
    let tried = outcome.triedParameters
    let words =
      tried.isEmpty || outcome.pagination.style != .none
      ? [] : ["tried: \(Sentences.list(tried, limit: 3))"]
    let objections = outcome.guess.contradictions.map { "not as described: \($0)" }
    let requests = "requests: \(outcome.requestCount) of at most \(TrialRequests.limit)"
    return ([rows, query, paging, requests] + objections + outcome.refuted.map { "rejected: \($0)" } + words)
      .joined(separator: "\n")
  }

  private var rows: String {
    let guess = outcome.guess
    let place = guess.rowsPath == "$" ? ", the entire response" : " in \"\(guess.rowsPath)\""
    let facts = [
      "\(guess.rowCount)\(place)", guess.key.map { "row id in \"\($0)\"" },
      guess.link.map { "link in \"\($0)\"" },
    ]
    let total = guess.total.map { "; total: \(Digits.grouped($0.count)), in \"\($0.expression)\"" } ?? ""
    return "rows: " + facts.compactMap { $0 }.joined(separator: ", ") + total
  }

  private var query: String {
    guard let name = outcome.guess.searchName else {
      return "query: no search parameter found. A comment in the source shows where to add it"
    }
    return "query: parameter \(name)"
  }

  private var paging: String {
    let guess = outcome.pagination
    // Signs of further pages that were tried and refuted are reported below.
    let isUnsure = guess.style == .none && !outcome.refuted.isEmpty
    let sureness = outcome.verdict.isSure ? "" : ", \(Int((guess.confidence * 100).rounded()))% sure"
    let grounds = isUnsure ? "" : " (\(guess.reason)\(sureness))"
    return Sentences.joined(["pages: \(guess.words)\(grounds)", outcome.verdict.remark])
  }
}

/// Renders the first rows of a page as a table with the source's columns.
enum Preview {
  /// The table's lines, heading first, none wider than `width` columns.
  static func lines(
    _ rows: DocumentRows, of source: Source, atMost count: Int, width: Int, dependencies: Dependencies
  ) -> [String] {
    var options = OutputOptions()
    options.isTerminal = true
    options.width = width
    options.zone = dependencies.zone
    options.heading = { [colors = dependencies.colors] in colors.errors(.header, $0) }
    var writer = OutputWriter(
      .standard(isTerminal: true), selection: ColumnSelection(columnsOf: source), outputOptions: options)
    var bytes: [UInt8] = []
    let shown = DocumentRows(response: rows.response, nodes: Array(rows.nodes.prefix(count)))
    do {
      try writer.append(OutputRows(shown, arrivedAt: dependencies.now(), pageNumber: 1), into: &bytes)
      try writer.end(into: &bytes)
    } catch { return ["\(error)"] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

// MARK: - Trying the guesses
