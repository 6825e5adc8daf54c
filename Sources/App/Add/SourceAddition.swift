import Config
import Detection
import Glibc
import HTTPTransport
import HTTPValues
import JSON
import Locking
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
      return try add(request, at: "the reply", lists: lists, name: name)
    case .place(let place): text = place
    }
    do { _ = try WebURL(text) } catch {
      guard let file = try? FileAccess.system(limit: 32 << 20).read(text) else {
        throw CommandError("\(error)", .usage)
      }
      return try add(from: file.bytes, of: text, at: nil, lists: lists, name: name)
    }
    return try add(WrittenRequest(WrittenText(text)), at: text, lists: lists, name: name)
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
    do { return try CurlLine.request(of: line) } catch {
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
    let id = try configuration.unusedName(name, for: draft.address, isReplacing: isReplacing)
    let example = try Self.example(written, id.uppercased().replacing("-", with: "_"))
    let environment = try environment(of: example)
    let outcome: SourceTrial.Outcome
    do { outcome = try look(at: example, id: id, environment).get() } catch {
      if let found = error as? FoundDescription {
        return try add(
          from: found.reply.body, of: place, at: found.reply.url, lists: lists, name: name)
      }
      if let failure = error as? DetectionFailure {
        try dependencies.print(
          SourceSkeleton.document(id: id, title: Self.title(of: example.address), example, failure: failure))
      }
      let error = Self.commandError(error)
      let secrets = example.variables.compactMap { environment[$0].map { Secret($0) } }
      throw CommandError(Redactor(secrets).redacted(error.message), error.status)
    }
    try dependencies.print(outcome.document)
    report(outcome)
    let next = "Try: riffle \(id)" + (outcome.query.isEmpty ? "" : " \(outcome.query)")
    if try keep(outcome.document, as: id, name: name, next) { remind(of: example) }
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
    guard let colon = text.firstIndex(of: ":") else {
      throw CommandError("--request-header \(JSONText.quoted(text)): expected 'Name: value'", .usage)
    }
    let name = String(text[..<colon])
    let value = WrittenText(expanding: String(text[text.index(after: colon)...].drop { $0 == " " }))
    if let problem = HeaderCheck.problem(name: name, value: value.plain ?? "x") {
      throw CommandError("--request-header \(JSONText.quoted(name)): \(problem)", .usage)
    }
    return Named(name: name, value: value)
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

  private func look(
    at example: RequestExample, id: String, _ environment: [String: String]
  ) -> Result<SourceTrial.Outcome, any Error> {
    let transport = TransportConfiguration(dependencies, configuration.settings)
    let timeout = configuration.settings.search.timeout
    return blocking {
      let connections = HTTPConnections(transport)
      defer { connections.close() }
      do {
        let outcome = try await SourceTrial.outcome(
          example, id: id, Transport(over: connections), timeout: timeout, environment)
        return .success(outcome)
      } catch { return .failure(error) }
    }
  }

  static func commandError(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let failure as DetectionFailure: CommandError(failure.description, ExitStatus(failure))
    case let failure as TransportFailure: CommandError(text(failure), .failed)
    case let problem as SecretProblem: CommandError("\(problem)", .usage)
    default: CommandError("\(error)", .failed)
    }
  }

  /// What failed and what to do. The remedies of other commands (options, source settings) do not apply here.
  private static func text(_ failure: TransportFailure) -> String {
    let error = PageError(failure, isSafe: true, isPage: true)
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

  // MARK: Reporting

  func report(_ outcome: SourceTrial.Outcome) {
    let width = dependencies.errors.columns ?? 100
    let lines = Preview.lines(
      outcome.rows, of: outcome.source, atMost: 8, width: width, dependencies: dependencies)
    for line in lines { message.write("\(line)\n") }
    message.facts(GuessSummary(outcome: outcome).text)
  }

  // MARK: Writing

  /// - Parameter next: What the user can do when it is saved, as a sentence.
  /// - Returns: Whether it was saved.
  func keep(
    _ document: String, as id: String, name: String?, _ next: String
  ) throws(CommandError) -> Bool {
    if isDryRun { return false }
    let file = NewSourceFile(folder: try configuration.requiredSourcesFolder, name: id)
    guard name != nil || message.isAgreed("Save it as \(file.path)?", dependencies) == true else {
      message.note("not saved. Use --name \(id) to save it as \(file.path)")
      return false
    }
    try file.write(Array(document.utf8), isReplacing: isReplacing && name != nil)
    message.note("wrote \(file.path). \(next)")
    return true
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

/// Summarizes in a few lines what was guessed and how certain each guess is.
private struct GuessSummary {
  let outcome: SourceTrial.Outcome

  var text: String {
    let tried = outcome.triedParameters
    let words =
      tried.isEmpty || outcome.pagination.style != .none ? [] : ["tried: \(tried.joined(separator: ", "))"]
    let objections = outcome.guess.contradictions.map { "not as described: \($0)" }
    return ([rows, query, paging] + objections + outcome.refuted.map { "rejected: \($0)" } + words)
      .joined(separator: "\n")
  }

  private var rows: String {
    let guess = outcome.guess
    let facts = [
      "\(guess.rowCount) rows at \(guess.rowsPath)", guess.key.map { "key \($0)" },
      guess.link.map { "link \($0)" },
      guess.total.map { "\(Digits.grouped($0.count)) in total (\($0.expression))" },
    ]
    return "rows: " + facts.compactMap { $0 }.joined(separator: ", ")
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
    let sureness = outcome.verdict.isSure ? "" : " (\(Int((guess.confidence * 100).rounded()))% sure)"
    let grounds = isUnsure ? "" : "\(sureness): \(guess.reason)"
    return Sentences.joined(["pages: \(guess)\(grounds)", outcome.verdict.remark])
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
    let shown = DocumentRows(reply: rows.reply, nodes: Array(rows.nodes.prefix(count)))
    do {
      try writer.append(OutputRows(shown, arrivedAt: dependencies.now(), pageNumber: 1), into: &bytes)
      try writer.end(into: &bytes)
    } catch { return ["\(error)"] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

// MARK: - Trying the guesses

/// Tries candidate pagination styles, the most likely first, until one yields new rows.
struct SourceTrial: Sendable {
  /// The page of the address.
  let reply: HTTPReply
  let guess: any SourceDraft
  let id: String
  let title: String
  let transport: Transport
  /// The timeout per page; nil for the transport's default.
  let timeout: Duration?
  /// The variables that credentials are read from.
  let environment: [String: String]
  /// The chosen options of the source.
  var options: [String: String] = [:]

  struct Outcome: Sendable {
    let guess: any SourceDraft
    let source: Source
    let document: String
    let pagination: PaginationGuess
    let verdict: TrialVerdict
    let rows: DocumentRows
    let refuted: [String]
    /// The usual parameters that were tried in vain, without a sign in the reply that led to them.
    let triedParameters: [String]

    /// The search text of the address; `…` if it would need quoting in a shell.
    var query: String {
      let text = guess.searchText ?? ""
      let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || " .,:+_".contains($0) }
      return isPlain ? text : "…"
    }
  }

  /// Requests the page of the example, and tries what it leads to.
  ///
  /// - Parameter environment: The variables that credentials are read from.
  static func outcome(
    _ example: RequestExample, id: String, _ transport: Transport, timeout: Duration?,
    _ environment: [String: String] = [:]
  ) async throws -> Outcome {
    let exact = RequestGuess(example, isExact: true)
    let page = try SourceDecoder.source(TOMLDocument(exact.document(id: id), file: "\(id).toml"))
    let context = try await Self.context(page, environment)
    let request = try page.request(for: PageRequest(first: page, Query()), in: context)
    let reply = try await transport.reply(to: request, within: timeout)
    if let found = FoundDescription(reply) { throw found }
    let cache = ReplyCache()
    cache.remember(reply, to: request)
    var moved = request
    moved.url = reply.url
    cache.remember(reply, to: moved)
    return try await SourceTrial(
      reply: reply, guess: SourceGuess(reply, to: example), id: id,
      title: SourceAddition.title(of: reply.url),
      transport: cache.transport(over: transport), timeout: timeout, environment: environment
    ).outcome()
  }

  static func context(
    _ source: Source, _ environment: [String: String], _ options: [String: String] = [:]
  ) async throws -> RunContext {
    var context = RunContext(pageSize: source.pagination.settings.size.standard, version: Version.number)
    let resolver = SecretResolver(environment: environment, files: .system()) { _ in "" }
    context.credentials = try await resolver.credentials(of: source, options: options)
    return context
  }

  /// - Throws: If no guess can read even one page.
  func outcome() async throws(CommandError) -> Outcome {
    var tried = Tried()
    for pagination in guess.paginations {
      do throws(Refutation) { return try await trial(of: pagination, after: tried) } catch {
        tried.add(pagination, error.reason)
      }
    }
    throw CommandError(
      "the guessed source does not work: \(tried.refuted.last ?? "no pagination found")", .failed)
  }

  private struct Tried {
    var refuted: [String] = []
    var parameters: [String] = []

    mutating func add(_ pagination: PaginationGuess, _ reason: String) {
      if pagination.isBlind {
        if let name = pagination.parameter, !parameters.contains(name) { parameters.append(name) }
      } else if !pagination.isTentative {
        refuted.append("\(pagination): \(reason)")
      }
    }
  }

  private struct Refutation: Error {
    let reason: String
  }

  private func trial(
    of pagination: PaginationGuess, after tried: Tried
  ) async throws(Refutation) -> Outcome {
    do {
      var pagination = pagination
      let text = guess.document(id: id, title: title, pagination: pagination, remarks: [])
      let source = try SourceDecoder.source(TOMLDocument(text, file: "\(id).toml"))
      let context = try await Self.context(source, environment, options)
      let loader = PageLoader(
        source: source.toleratingMissingRows, transport: transport, timeout: timeout,
        credentials: CredentialProvider(prepare: { .success(context) }))
      let walk = TrialPages(
        source: source.toleratingMissingRows, query: Query(guess.searchText ?? "", options: options),
        loader: loader)
      let start = source.pagination.style.first
      let isFirst = !guess.hasPosition
      let first = try await isFirst ? walk.page(in: reply, context) : walk.page(at: start).get()
      guard case .document(let rows) = first.content, !rows.nodes.isEmpty else {
        throw Refutation(reason: "page 1 is empty")
      }
      // A source without pagination is confirmed only if nothing in the reply indicated another page.
      let isMissing = !tried.refuted.isEmpty || (guess.total?.count ?? 0) > guess.rowCount
      var verdict =
        pagination.style == .none && isMissing
        ? .doubtful("no next page found. Complete [pagination] in the source")
        : await walk.verdict(after: first, &pagination.trial)
      guard verdict.keeps(pagination) else { throw Refutation(reason: verdict.objection) }
      if case .confirmed = verdict, pagination.style == .cursor,
        pagination.isTentative || pagination.isKeyOfLastRow, pagination.more == nil, pagination.done == nil
      {
        verdict = .doubtful("page 2 has new rows, but nothing says where the list ends")
      }
      if case .confirmed = verdict, isFirst, let reason = await walk.objection(to: start, as: first) {
        throw Refutation(reason: reason)
      }
      if case .confirmed = verdict, pagination.style == .page || pagination.style == .offset {
        if pagination.style == .offset, let reason = await walk.objection(toCountingRowsFrom: start, first) {
          throw Refutation(reason: reason)
        }
        switch await walk.farEnd(after: start, first, &pagination.trial) {
        case nil: break
        case let status? where [404, 410, 416].contains(status): pagination.endStatus = status
        case let status?:
          verdict = .doubtful(
            "a page far behind the list is an error (\(HTTPStatus.text(status))). If the page after the last one is, too, add end_status = [\(status)]"
          )
        }
      }
      let document = guess.document(id: id, title: title, pagination: pagination, remarks: [verdict.remark])
      return Outcome(
        guess: guess, source: try SourceDecoder.source(TOMLDocument(document, file: "\(id).toml")),
        document: document, pagination: pagination, verdict: verdict, rows: rows, refuted: tried.refuted,
        triedParameters: tried.parameters)
    } catch {
      throw error as? Refutation ?? Refutation(reason: (error as? PageError)?.message ?? "\(error)")
    }
  }
}

/// Loads pages of a source, to see whether they are what the source takes them for.
private struct TrialPages {
  let source: Source
  let query: Query
  let loader: PageLoader

  func page(at position: Position) async -> Result<Page, PageError> {
    var request = PageRequest(first: source, query)
    request.position = position
    return await loader.page(for: request) { .document($0) }
  }

  /// The first page, as a reply that is known.
  func page(in reply: HTTPReply, _ run: RunContext) throws(PageError) -> Page {
    try source.page(from: reply, for: PageRequest(first: source, query), in: run) { .document($0) }
  }

  private func page(at number: Int, from start: Position) async -> Result<Page, PageError> {
    var position = start
    position.value = .number(number)
    position.ordinal += 1
    return await page(at: position)
  }

  /// Why a position is not that of this page; nil if it is.
  func objection(to position: Position, as first: Page) async -> String? {
    let what =
      if case .number(let number) = position.value { "with number \(number)" } else { "without a position" }
    switch await page(at: position) {
    case .failure(let error): return "the page \(what) failed: \(error.message)"
    case .success(let page):
      return page.isMostly(first) ? nil : "the page of the address is not the one \(what)"
    }
  }

  /// Why the number does not count rows: one more should leave out the first row.
  func objection(toCountingRowsFrom start: Position, _ first: Page) async -> String? {
    guard case .number(let number) = start.value, first.keys.count > 2, Set(first.keys).count > 2,
      case .success(let page) = await page(at: number + 1, from: start)
    else { return nil }
    return page.keys.first == first.keys[1] ? nil : "the number does not count rows"
  }

  /// The status of a page far behind the end of the list; nil if it is a success, or if the source knows the end.
  func farEnd(after start: Position, _ first: Page, _ trial: inout PaginationGuess.Trial) async -> Int? {
    let settings = source.pagination.settings
    let signs = [settings.next, settings.more, settings.done, settings.pages].compactMap(\.self)
    let knowsEnd = !signs.isEmpty || first.total != nil
    guard !knowsEnd, case .number(let number) = start.value else { return nil }
    switch await page(at: number + 100_000, from: start) {
    case .success(let page):
      if page.lacksRows { trial.mayRowsBeMissing = true }
      return nil
    case .failure(let error):
      return error.kind == .rejected && !HTTPStatus.isSuccess(error.status ?? 0) ? error.status : nil
    }
  }

  /// - Parameter trial: What the second page shows of the rows is added to it.
  func verdict(after first: Page, _ trial: inout PaginationGuess.Trial) async -> TrialVerdict {
    guard case .next(let position, _) = first.continuation else {
      return switch first.continuation {
      case .end(.refusedNext(let why)): .refuted(why)
      case .end where source.rows.form == .object: .object
      case .end, .next: .single
      }
    }
    let second = await page(at: position)
    let verdict = TrialVerdict.of(first: first, second: second)
    if case .success(let page) = second {
      if page.lacksRows { trial.mayRowsBeMissing = true }
      if first.isKeyAmbiguous(beside: page) { trial.isKeyAmbiguous = true }
    }
    // A page that has the whole total is the last one, unless the total counts just that page.
    if first.total.map({ $0.count <= first.rowCount }) ?? false {
      guard case .confirmed(let count) = verdict, count > 0 else { return .single }
      trial.isTotalWrong = true
    }
    return verdict
  }
}

extension Source {
  /// The source, in which a response without the place of the rows is an empty page.
  fileprivate var toleratingMissingRows: Source {
    var source = self
    source.rows.mayBeMissing = true
    return source
  }
}

extension Page {
  /// Whether different rows of the two pages have the same key.
  fileprivate func isKeyAmbiguous(beside other: Page) -> Bool {
    guard case .document(let mine) = content, case .document(let others) = other.content else { return false }
    guard !keys.isEmpty, !other.keys.isEmpty else { return false }
    return Self.isAmbiguous(keys + other.keys, mine.contents + others.contents)
  }

  /// Whether most rows of this page are rows of the other one.
  fileprivate func isMostly(_ other: Page) -> Bool {
    if keys.isEmpty || other.keys.isEmpty { return fingerprint == other.fingerprint }
    let known = Set(other.keys)
    return keys.count(where: known.contains) * 2 > keys.count
  }
}

/// What the second page says about a guessed source.
enum TrialVerdict: Sendable, Hashable {
  /// The page has this many rows that the first does not have, or the list validly ends there.
  case confirmed(newRows: Int)
  /// According to the first page, there is no second one.
  case single
  /// The reply is one object, not a list.
  case object
  /// The second page could not be loaded, for a reason unrelated to the guess.
  case doubtful(String)
  case refuted(String)

  /// - Parameter second: The result of requesting the page after the first.
  static func of(first: Page, second: Result<Page, PageError>) -> TrialVerdict {
    switch second {
    case .failure(let error): of(error)
    case .success(let page) where page.rowCount == 0:
      // A service that ignores the parameter repeats the first page, so an empty page shows that it is
      // understood.
      first.total.map { $0.count > first.rowCount } ?? false
        ? .refuted("page 2 is empty, but page 1 does not have all rows") : .confirmed(newRows: 0)
    case .success(let page): compared(first, page)
    }
  }

  private static func of(_ error: PageError) -> TrialVerdict {
    let text = "page 2 failed: \(error.message)"
    return switch error.kind {
    case .offline, .connection, .rateLimited, .unauthorized, .server: .doubtful(text)
    case .rejected, .unreadable, .invalidRequest: .refuted(text)
    }
  }

  private static func compared(_ first: Page, _ second: Page) -> TrialVerdict {
    if first.keys.isEmpty || second.keys.isEmpty {
      return first.fingerprint == second.fingerprint
        ? .refuted("page 2 repeats page 1") : .confirmed(newRows: second.rowCount)
    }
    let known = Set(first.keys)
    let newRows = second.keys.count { $0 == RowKey.none || !known.contains($0) }
    if newRows == 0 { return .refuted("page 2 repeats page 1") }
    // A few rows may repeat at a page boundary; if most do, the number counts something else.
    return newRows * 2 < second.rowCount
      ? .refuted("page 2 has only \(Digits.counted(newRows, "new row"))") : .confirmed(newRows: newRows)
  }

  /// Whether nothing is left to doubt.
  var isSure: Bool {
    switch self {
    case .confirmed, .object: true
    case .single, .doubtful, .refuted: false
    }
  }

  /// Whether the guess is kept, given this verdict.
  func keeps(_ guess: PaginationGuess) -> Bool {
    switch self {
    case .confirmed, .object: true
    case .single, .doubtful: !guess.isTentative
    case .refuted: false
    }
  }

  var objection: String {
    switch self {
    case .doubtful(let why), .refuted(let why): why
    case .confirmed, .single, .object: "there is only one page"
    }
  }

  /// A remark for the user, also written as a comment in the source file.
  var remark: String {
    switch self {
    case .confirmed(0): "confirmed: page 2 is empty (end of results)"
    case .confirmed(let count): "confirmed: page 2 has \(Digits.counted(count, "new row"))"
    case .single: "not confirmed: there is only one page. Use a URL with more results"
    case .object: "confirmed: there are no pages"
    case .doubtful(let why), .refuted(let why): "not confirmed: \(why)"
    }
  }
}

/// Caches the replies of this run, so that trying several guesses requests each page only once.
final class ReplyCache: Sendable {
  private let replies = Lock<[Key: HTTPReply]>([:])

  /// A request, compared regardless of the order of its parameters.
  private struct Key: Hashable {
    let method: HTTPMethod
    let place: String
    let parameters: [WebURL.QueryItem: Int]
    let body: [UInt8]

    init(_ request: HTTPRequest) {
      method = request.method
      place = "\(request.url.origin)\(request.url.path)"
      parameters = request.url.queryItems.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      body = request.body
    }
  }

  func remember(_ reply: HTTPReply, to request: HTTPRequest) {
    replies.withLock { $0[Key(request)] = reply }
  }

  /// A transport that makes only requests whose replies are not cached.
  func transport(over transport: Transport) -> Transport {
    Transport { request, total throws(TransportFailure) in
      if let reply = self.replies.withLock({ $0[Key(request)] }) { return reply }
      let reply = try await transport.reply(to: request, within: total)
      self.remember(reply, to: request)
      return reply
    }
  }
}
