import Config
import Detection
import Glibc
import HTTPTransport
import HTTPValues
import Output
import Search
import Text

extension Configuration {
  /// Implements `riffle add`, from the address to the source file.
  ///
  /// - Parameter name: The name of the new source; nil to ask.
  package func addSource(
    _ text: String, name: String?, isDryRun: Bool, _ message: Message
  ) throws(CommandError) -> RunEnd {
    let addition = SourceAddition(configuration: self, message: message, isDryRun: isDryRun)
    try addition.run(text, name: name)
    return .status(.done)
  }
}

private struct SourceAddition {
  let configuration: Configuration
  let message: Message
  let isDryRun: Bool

  private var dependencies: Dependencies { configuration.dependencies }

  func run(_ text: String, name: String?) throws(CommandError) {
    let address: WebURL
    do { address = try WebURL(text) } catch { throw CommandError("\(error)", .usage) }
    let id = try SourceNaming(configuration: configuration).name(name, for: address)
    let outcome: SourceTrial.Outcome
    do { outcome = try look(at: address, id: id).get() } catch {
      if let failure = error as? DetectionFailure {
        try Descriptor.print(
          SourceSkeleton.document(id: id, title: Self.title(of: address), address: address, failure: failure))
      }
      throw Self.commandError(error)
    }
    report(outcome)
    try Descriptor.print(outcome.document)
    try keep(outcome, as: id, isAgreed: name != nil)
  }

  static func title(of address: WebURL) -> String {
    address.path == "/" ? address.host : address.host + address.path
  }

  // MARK: Detection

  private func look(at address: WebURL, id: String) -> Result<SourceTrial.Outcome, any Error> {
    let transport = TransportConfiguration(dependencies, configuration.settings)
    let timeout = configuration.settings.search.timeout
    return blocking {
      let connections = HTTPConnections(transport)
      defer { connections.close() }
      do {
        return .success(try await Self.outcome(address, id, Transport(over: connections), timeout))
      } catch {
        return .failure(error)
      }
    }
  }

  private static func outcome(
    _ address: WebURL, _ id: String, _ transport: Transport, _ timeout: Duration?
  ) async throws -> SourceTrial.Outcome {
    // Before anything is sent, because a credential in the address must not even be used.
    _ = try RequestGuess(address)
    let reply = try await transport.reply(to: request(address), within: timeout)
    let cache = ReplyCache()
    cache.remember(reply, to: address)
    cache.remember(reply, to: reply.url)
    return try await SourceTrial(
      guess: SourceGuess(reply), id: id, title: title(of: reply.url),
      transport: cache.transport(over: transport), timeout: timeout
    ).outcome()
  }

  private static func commandError(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let failure as DetectionFailure: CommandError(failure.description, ExitStatus(failure))
    case let failure as TransportFailure: CommandError(text(failure), .failed)
    default: CommandError("\(error)", .failed)
    }
  }

  /// What failed and what to do. The remedies of other commands (options, source settings) do not apply here.
  private static func text(_ failure: TransportFailure) -> String {
    let error = PageError(failure, isSafe: true)
    let remedy =
      switch failure.kind {
      case .deadline, .deadlineBeforeHead: "raise search.timeout in config.toml"
      case .bodyTooLarge: "use a URL that requests fewer rows"
      default: error.remedy
      }
    if case .redirect(.target(.otherOrigin(let origin))) = failure.kind {
      return "\(failure.origin) redirects to another origin, \(origin). Use the URL it leads to"
    }
    return Sentences.joined([error.message, remedy])
  }

  private static func request(_ address: WebURL) -> HTTPRequest {
    let fields = [("Accept", "application/json, */*;q=0.1"), ("User-Agent", "riffle/\(Version.number)")]
    return HTTPRequest(
      url: address, headers: HTTPFields(fields.compactMap { try? HTTPField(name: $0.0, value: $0.1) }))
  }

  // MARK: Reporting

  private func report(_ outcome: SourceTrial.Outcome) {
    let width = dependencies.columns(of: STDERR_FILENO) ?? 100
    for line in Preview.lines(
      outcome.rows, of: outcome.source, atMost: 8, width: width, dependencies: dependencies)
    {
      message.plain(line)
    }
    message.plain(GuessSummary(outcome: outcome).text)
  }

  // MARK: Writing

  private func keep(_ outcome: SourceTrial.Outcome, as id: String, isAgreed: Bool) throws(CommandError) {
    if isDryRun { return }
    let file = NewSourceFile(folder: try configuration.requiredSourcesFolder, name: id)
    guard isAgreed || Question.isAgreed("Save it as \(file.path)?", dependencies, message) == true else {
      return message.note("not saved. Use --name \(id) to save it as \(file.path)")
    }
    try file.write(Array(outcome.document.utf8))
    message.note("wrote \(file.path). Try: riffle \(id) \(outcome.query)")
  }
}

extension ExitStatus {
  fileprivate init(_ failure: DetectionFailure) {
    switch failure {
    case .credential: self = .usage
    case .unauthorized: self = .unauthorized
    case .rateLimited: self = .rateLimited
    case .status, .notJSON, .noRows, .emptyRows: self = .failed
    }
  }
}

extension Configuration {
  /// Implements `riffle sources add`: copies a source file to the user's folder.
  ///
  /// - Parameter isAgreed: Whether the user need not be asked.
  package func installSource(
    _ path: String, isAgreed: Bool, _ message: Message
  ) throws(CommandError) -> RunEnd {
    let (entry, bytes) = try entry(file: path)
    let id = entry.source.id
    let folder = try requiredSourcesFolder
    if let owner = SourceNaming(configuration: self).owner(of: id) {
      throw CommandError("\(owner). Choose another id for \(path)", .usage)
    }
    let copy = NewSourceFile(folder: folder, name: id)
    for use in entry.source.credentialUses { message.plain("source \(id) would send \(use)") }
    if entry.source.credentialUses.isEmpty { message.plain("source \(id) sends no credentials") }
    if !isAgreed {
      guard let isAgreed = Question.isAgreed("Copy it to \(copy.path) and trust it?", dependencies, message)
      else {
        throw CommandError("cannot ask for confirmation without a terminal. Use --yes", .usage)
      }
      guard isAgreed else {
        message.note("nothing written")
        return .status(.done)
      }
    }
    try copy.write(bytes)
    message.note("wrote \(copy.path). Try: riffle \(id)")
    if case .untrusted(let reason)? = try? Configuration(dependencies, file: file).entry(id).trust {
      message.failure("source \(id) cannot use credentials yet: it \(reason)")
      return .status(.configuration)
    }
    return .status(.done)
  }

  /// The path of a source's file; without a name, that of the folder of the user's sources.
  package func sourcePath(of name: String?) throws(CommandError) -> String {
    let folder = try requiredSourcesFolder
    guard let name else { return folder }
    // The path is also returned for a file that does not parse, because that is when it is edited.
    let file = NewSourceFile(folder: folder, name: name)
    if SourceName.isValid(name), file.isTaken { return file.path }
    switch try entry(name).provenance {
    case .user(let path), .path(let path): return path
    case .builtIn:
      throw CommandError(
        "source \(name) is built in and has no file. To change it, create \(file.path) with id = \"\(name)\"",
        .usage)
    }
  }
}

/// Chooses an unused name for a new source.
struct SourceNaming {
  let configuration: Configuration

  /// The requested name, or one derived from the address.
  func name(_ wanted: String?, for address: WebURL) throws(CommandError) -> String {
    let free = SourceName.suggestions(for: address).first { owner(of: $0) == nil } ?? "source"
    guard let wanted else { return free }
    if let owner = owner(of: wanted) {
      throw CommandError("\(owner). Choose another --name, such as \(free)", .usage)
    }
    return wanted
  }

  /// What already uses the name; nil if it is free.
  func owner(of name: String) -> String? {
    if CommandName.all.contains(name) { return "\(name) is a riffle command" }
    if let folder = configuration.sourcesFolder {
      let file = NewSourceFile(folder: folder, name: name)
      if file.isTaken { return "\(file.path) already exists" }
    }
    do throws(CatalogError) {
      return "source \(name) already exists (\(try configuration.catalog.entry(named: name).provenance))"
    } catch {
      if case .unknown = error { return nil }
      return "source \(name) already exists"
    }
  }
}

/// A file to be created in the user's sources folder. An existing file is never overwritten.
struct NewSourceFile: Sendable {
  let folder: String
  /// The source's id.
  let name: String

  var path: String { "\(folder)/\(name).toml" }

  var isTaken: Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Writes the file atomically, with mode 0600.
  func write(_ text: [UInt8]) throws(CommandError) {
    do { try FileAccess.system().create(path, text) } catch {
      if error != .taken { throw CommandError("\(path) \(error)", .output) }
      throw CommandError("\(path) already exists. Choose another --name, or remove the file", .usage)
    }
  }
}

/// Summarizes in a few lines what was guessed and how certain each guess is.
private struct GuessSummary {
  let outcome: SourceTrial.Outcome

  var text: String {
    ([rows, query, paging] + outcome.refuted.map { "rejected: \($0)" }).joined(separator: "\n")
  }

  private var rows: String {
    let guess = outcome.guess
    let facts = [
      "\(guess.rowCount) rows at \(guess.rowsPath)", guess.identity.key.map { "key \($0)" },
      guess.identity.link.map { "link \($0)" },
      guess.total.map { "\(Digits.grouped($0.count)) in total (\($0.expression))" },
    ]
    return "rows: " + facts.compactMap { $0 }.joined(separator: ", ")
  }

  private var query: String {
    guard let name = outcome.guess.request.parameters.first(where: { $0.template == "{query}" })?.name else {
      return "query: no search parameter found. A comment in the source shows where to add it"
    }
    return "query: parameter \(name)"
  }

  private var paging: String {
    // Signs of further pages were tried and refuted; they are reported below.
    if outcome.pagination.style == .none, !outcome.refuted.isEmpty {
      return Sentences.joined(["pages: \(outcome.pagination)", outcome.verdict.remark])
    }
    let sureness = Int((outcome.pagination.confidence * 100).rounded())
    return Sentences.joined([
      "pages: \(outcome.pagination) (\(sureness)% sure): \(outcome.pagination.reason)",
      outcome.verdict.remark,
    ])
  }
}

/// Renders the first rows of a page as a table with the source's columns.
enum Preview {
  /// The table's lines, heading first, none wider than `width` columns.
  static func lines(
    _ rows: DocumentRows, of source: Source, atMost count: Int, width: Int, dependencies: Dependencies
  )
    -> [String]
  {
    var options = OutputOptions()
    options.isTerminal = true
    options.width = width
    options.zone = dependencies.zone
    var writer = OutputWriter(
      .standard(isTerminal: true), selection: ColumnSelection(columnsOf: source), outputOptions: options)
    var bytes: [UInt8] = []
    let shown = DocumentRows(reply: rows.reply, nodes: Array(rows.nodes.prefix(count)))
    do {
      try writer.append(OutputRows(shown, arrivedAt: dependencies.now(), pageNumber: 1), into: &bytes)
      try writer.end(into: &bytes)
    } catch {
      return ["\(error)"]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// A yes/no question on the terminal.
enum Question {
  /// Whether the user answered yes; nil if the session is not interactive.
  static func isAgreed(_ text: String, _ dependencies: Dependencies, _ message: Message) -> Bool? {
    guard dependencies.isInputTerminal, dependencies.isErrorTerminal else { return nil }
    message.ask("\(text) [y/N]")
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }
}
