import Config
import Demo
import FeedbackLoop
import Glibc
import HTTPTransport
import HTTPValues
import Pager
import Search
import Terminal
import Text

/// Everything a run needs, determined before the screen is taken over or a request is made: source, query and
/// settings. Slow work (credentials, the embedded server) is started but not awaited.
struct Run: Sendable {
  let source: Source
  /// Options whose values come from the rows of parents are empty.
  let query: Query
  /// The query with a value for each of those.
  let sampleQuery: Query
  /// The values that the source's own lists hang under, if they are no rows of another source and none is chosen.
  private let parentValues: [String]?
  let settings: Settings
  /// Which rows a scripted run loads; nil for an interactive run.
  private let rows: RowOptions?
  let notes: [String]
  /// When it began, in seconds since 1970; a resumed run began with the run that it continues.
  var startedAt: Double
  /// The number of rows requested per page; nil leaves it to the service.
  let pageSize: Int?
  /// The credentials of the run that are known without resolving any.
  let credentialNames: Set<CredentialName>
  private let additions: RequestAdditions
  private let connections: HTTPConnections
  private let transport: Transport
  private let credentials: CredentialProvider

  init(
    _ request: RequestOptions, of entry: CatalogEntry, _ dependencies: Dependencies, rows: RowOptions?,
    _ configuration: Configuration
  ) throws(CommandError) {
    try self.init(
      request, entry, leaving: [], dependencies, rows: rows, configuration,
      HTTPConnections(
        TransportConfiguration(dependencies, configuration.settings, isInsecure: request.insecure)))
  }

  /// A run over rows of the program itself. No query is remembered.
  init(of rows: LocalRows, _ dependencies: Dependencies, _ configuration: Configuration) throws(CommandError)
  {
    try self.init(
      RequestOptions(), rows.entry, leaving: [], dependencies, rows: nil, configuration,
      HTTPConnections(TransportConfiguration(dependencies, configuration.settings)), local: rows.transport)
  }

  /// The run of a list that hangs under a row, opened on the screen from the run with that row.
  init(
    _ request: RequestOptions, of child: CatalogEntry, under row: ParentRow, in parent: Run,
    _ dependencies: Dependencies, _ configuration: Configuration
  ) throws(CommandError) {
    var own = request
    let source = child.source
    // Words of the command line are for the source that it names.
    if let name = request.source, name != source.id, !source.aliases.contains(name) { own.words = [] }
    if !source.usesQuery { own.words = [] }
    var values = parent.query.options
    for pair in request.set { values[pair.name] = pair.value }
    if let name = source.parent?.name { values[name] = row.value }
    own.set = values.sorted { $0.key < $1.key }.filter { pair in
      source.options.contains { $0.name == pair.key }
    }
    .map { NameValue(name: $0.key, value: $0.value) }
    try self.init(
      own, child, leaving: [], dependencies, rows: nil, configuration,
      HTTPConnections(
        TransportConfiguration(dependencies, configuration.settings, isInsecure: request.insecure)),
      under: row)
  }

  /// - Parameters:
  ///   - open: The options whose values come from the rows of parents.
  ///   - parent: The row that its list hangs under.
  ///   - local: What replies in place of a service.
  private init(
    _ request: RequestOptions, _ named: CatalogEntry, leaving open: Set<String>, _ dependencies: Dependencies,
    rows: RowOptions?, _ configuration: Configuration, _ connections: HTTPConnections,
    under parent: ParentRow? = nil, local: Transport? = nil
  ) throws(CommandError) {
    self.connections = connections
    transport = local ?? dependencies.transport(over: connections)
    startedAt = dependencies.now()
    additions = try RequestAdditions(request, environment: dependencies.environment)
    var requested = try additions.applied(to: named.source)
    requested.actions = named.permittedActions
    // A parameter of the command line may replace the source's query parameter, so the query text may remain
    // unused.
    var query = try request.query(for: named.source, leaving: open)
    query.parent = parent
    self.query = query
    parentValues = try named.source.parent.flatMap { parent throws(CommandError) in
      open.contains(parent.name)
        ? try parent.values(of: named.source, in: dependencies) : nil
    }
    sampleQuery = query.filled(open, with: parentValues?.first)
    // Text typed on the screen then filters rows, because the service ignores the query.
    if rows == nil, !requested.usesQuery { requested.input.filter = .client }
    // An option is for this run; the source's timeout is for all of them.
    if request.timeout != nil { requested.endpoint.timeout = nil }
    var entry = named
    entry.source = requested
    source = entry.source
    if request.pageSize != nil, !source.placesPageSize {
      throw CommandError(
        "--page-size cannot be used: source \(source.id) has no place for it in its requests", .usage)
    }
    var settings = configuration.settings
    if local != nil {
      settings.history.isEnabled = false
      settings.actions = []
    }
    self.settings = settings
    notes = configuration.notes + entry.notes
    self.rows = rows
    pageSize = Self.pageSize(of: source, settings, rows)
    let isCredentialSet = dependencies.found("credentials \(entry.source.id)") {
      entry.source.credentialNames(in: dependencies.environment).map(\.word)
    }
    credentialNames = Set(isCredentialSet.map { CredentialName(word: $0) })
    let filter = rows?.filter.map { RowFilter($0) }
    if let mistake = filter?.mistake(in: source.columns, keys: nil) {
      let text = Sentences.joined(["invalid filter: \(mistake.text)", mistake.remedy])
      throw CommandError("\(text)\n\(mistake.excerpt)", .usage)
    }
    let setup = RunSetup(
      entry: entry, resolver: configuration.resolver, query: sampleQuery, pageSize: pageSize,
      filter: filter, additions: additions, isTrustedAnyway: request.trust,
      tokens: { [source, connections, timeout = settings.search.timeout] options in
        TokenKeeper(
          of: source, options: options, configuration, transport: Transport(over: connections),
          timeout: timeout)
      }, dependencies: dependencies)
    try setup.checkTrust()
    credentials = CredentialProvider(
      prepare: { await setup.context() },
      renew: { context throws(PageError) in try await setup.renewed(context) },
      remedy: setup.tokens(setup.query.options)?.remedy, now: dependencies.now,
      workers: dependencies.workers)
    dependencies.recorder?.redact(by: redacted)
  }

  var demand: Demand { rows?.demand(settings) ?? .pages(1) }

  /// The maximum number of pages read; nil for no limit.
  var maxPages: Int? { rows?.mostPages }

  /// The page size of a run that specifies only its query and its first page.
  var usualPageSize: Int? { Self.pageSize(of: source, settings, nil) }

  /// The page size of a run: the user's, else the maximum for a long run, else the default. It never exceeds
  /// the service's maximum, and stays the same for the whole run (rule 10).
  ///
  /// - Returns: The source's default if no request can choose the size, because positions count the rows that
  ///   pages really have. Nil if neither the user nor the source specifies a size; then none is sent.
  private static func pageSize(of source: Source, _ settings: Settings, _ rows: RowOptions?) -> Int? {
    let page = source.pagination.settings.size
    guard source.placesPageSize else { return page.standard }
    let usual = page.standard ?? page.maximum
    let wanted: Int? =
      switch rows?.demand(settings) {
      // The pages then coincide with those of other runs.
      case _ where rows?.fromPage != nil: usual
      case .everything: page.maximum ?? usual
      // Only some of the loaded rows are wanted.
      case .rows where rows?.filter != nil: page.maximum ?? usual
      case .rows(let count): page.maximum == nil ? usual : count
      case .pages, .nothing, nil: usual
      }
    return (settings.search.pageSize ?? wanted).map { max(1, min($0, page.maximum ?? $0)) }
  }

  /// Why a position kept in a file cannot be requested; nil if it can. It is validated like one from a reply.
  func problem(with position: Position) -> String? {
    guard let origin = source.origin(options: sampleQuery.options) else {
      return "the address is not complete"
    }
    do throws(PaginationProblem) { try source.pagination.style.check(position, origin: origin) } catch {
      return "pagination.\(error.key) of source \(source.id) \(error.problem)"
    }
    return nil
  }

  func loader() -> PageLoader {
    PageLoader(
      source: source, transport: transport, timeout: settings.search.timeout,
      credentials: credentials, startedAt: startedAt)
  }

  /// The first request as a shell command, with secrets replaced by expansions that read them. Nothing is
  /// resolved or sent.
  func curlCommand(
    resuming resumePoint: ResumePoint?, _ dependencies: Dependencies
  ) throws(CommandError) -> CurlCommand {
    var page = PageRequest(first: source, sampleQuery)
    if let resumePoint { page.position = resumePoint.next }
    let secrets = ShellCredentials(
      of: source, additions.shellWords, in: dependencies.environment,
      nonce: UInt64(dependencies.jitter() * 0x1p52), storedIn: storedPath(dependencies))
    var context = RunContext(pageSize: pageSize, version: Version.number)
    context.startedAt = startedAt
    context.credentials = secrets.credentials
    do { return CurlCommand(request: try source.request(for: page, in: context), secrets: secrets) } catch {
      throw CommandError(error.fullMessage, .usage)
    }
  }

  /// The file in the state folder that keeps the credential; nil if that depends on what a program prints.
  private func storedPath(_ dependencies: Dependencies) -> String? {
    guard let origin = source.origin(options: query.options) else { return nil }
    let identity = source.keptIdentity(sentTo: origin, query.options, in: dependencies.environment)
    return identity.flatMap(CredentialStore(dependencies).path)
  }

  /// Removes the credentials known so far from a text.
  var redacted: @Sendable (String) -> String { { [credentials] in credentials.redactor().redacted($0) } }

  /// Ends runs: kills credential programs, waits for tokens that are on their way, and closes all connections. Later
  /// requests fail.
  static func close(_ runs: [Run], after exchanges: () async -> Void) async {
    for run in runs { run.credentials.cancel() }
    await exchanges()
    for run in runs { run.connections.close() }
  }
}

extension Run {
  /// The runs of a source and, with `--each`, of the sources above it, the topmost first.
  static func lineage(
    _ request: RequestOptions, _ dependencies: Dependencies, rows: RowOptions
  ) throws(CommandError) -> [Run] {
    let configuration = try Configuration(
      dependencies, file: request.config, commandLine: request.settingValues)
    guard let name = request.source else {
      throw CommandError("no source given. To list sources, run: riffle sources list", .usage)
    }
    let leaf = try configuration.entry(name)
    guard rows.each else { return [try Run(request, of: leaf, dependencies, rows: rows, configuration)] }
    guard let parent = leaf.source.parent else {
      throw CommandError("--each cannot be used: source \(leaf.source.id) has no [parent]", .usage)
    }
    let chosen = Dictionary(request.set.map { ($0.name, $0.value) }) { $1 }
    if chosen[parent.name] != nil {
      throw CommandError("--each and --set \(parent.name)=… cannot be used together", .usage)
    }
    let entries = try configuration.lineage(of: leaf, options: chosen)
    // Values of parents, which may also be placed further down.
    let open = Set(entries.compactMap(\.source.parent?.name).filter { chosen[$0] == nil })
    // An option that no source knows is reported for the last one.
    let known = Set(entries.dropLast().flatMap { $0.source.options.map(\.name) })
    // Words search for rows if the rows can be searched for, else for parents.
    let searched = entries.lastIndex { $0.source.usesQuery } ?? entries.count - 1
    let connections = HTTPConnections(
      TransportConfiguration(dependencies, configuration.settings, isInsecure: request.insecure))
    var runs: [Run] = []
    for (index, entry) in entries.enumerated() {
      let names = Set(entry.source.options.map(\.name))
      var own = request
      let isLeaf = index == entries.count - 1
      own.set.removeAll { !names.contains($0.name) && (!isLeaf || known.contains($0.name)) }
      if index != searched { own.words = [] }
      if !isLeaf {
        own.param = []
        own.pageSize = nil
        if entry.source.origin(options: chosen) != leaf.source.origin(options: chosen) {
          own.requestHeader = []
        }
      }
      var all = RowOptions()
      all.all = true
      runs.append(
        try Run(
          own, entry, leaving: open.intersection(names), dependencies, rows: isLeaf ? rows : all,
          configuration,
          connections))
    }
    return runs
  }

  /// What a run of the lists under all rows of these parents loads; nil for the run of a single list.
  func lists(under parents: [Run], _ start: SearchInitialState, _ rows: RowOptions) -> RunLists.Rules? {
    guard rows.each else { return nil }
    let runs = parents + [self]
    let origins = runs.map { $0.source.origin(options: $0.sampleQuery.options) }
    let levels = runs.indices.map { index in
      let isLeaf = index == parents.count
      var level = RunLists.Level(
        rules: isLeaf ? start.rules : runs[index].sessionRules(), query: runs[index].query,
        parentName: index > 0 || runs[0].parentValues != nil ? runs[index].source.parent?.name : nil)
      level.rules.keepsLog = start.rules.keepsLog
      level.rules.requestsTotal = false
      level.origin = origins.firstIndex(of: origins[index]) ?? index
      return level
    }
    var lists = RunLists.Rules(levels: levels, demand: start.demand)
    lists.values = runs[0].parentValues
    lists.skipsFailures = rows.onParentError == .skip
    return lists
  }

  func sessionRules() -> Session.Rules {
    let search = settings.search
    var rules = Session.Rules(source, pageSize: pageSize, credentials: credentialNames)
    // A century stands for "no limit".
    rules.retry.longestWait = search.maxWait.map { $0 / .seconds(1) } ?? 100 * 365 * 86_400
    rules.retry.attempts = search.retries ?? (rows == nil ? 3 : 5)
    if let rows {
      rules.maxEmptyPages = source.pagination.settings.maxEmptyPages ?? 100
      rules.concurrency = min(source.limits.concurrency, search.concurrency)
      rules.maxPages = rows.mostPages
      rules.awaitsWriting = true
      // A script may send an empty query.
      rules.minLength = 0
    } else {
      rules.maxRows = settings.pager.maxRows
      rules.requestsTotal = source.rows.totalRequest != nil
    }
    return rules
  }

  /// The rules of the pager of this run.
  ///
  /// - Parameters:
  ///   - terminal: The terminal's options, including the user's settings.
  ///   - parent: The name of the row that the list hangs under.
  /// - Throws: If key bindings of the user and of the source conflict.
  func pagerRules(
    _ purpose: PagerRules.Purpose, zone: LocalZone, on terminal: TerminalOptions, under parent: String? = nil
  ) throws(CommandError) -> PagerRules {
    // The user's own actions take the place of those of the source with the same name or key.
    let users = settings.actions.filter { $0.isFor(source) }.map(\.action)
    let others = source.actions.filter { action in !users.contains { $0.name == action.name } }
    let own = SourceActions.actions(options: source.options, rowActions: users + others)
    var bindings = KeyBindings(settings.keys)
    bindings.keys.merge(SourceActions.bindings(users)) { $0.merging($1) { first, _ in first } }
    let keyMap: KeyMap
    do { keyMap = try KeyMap(Actions.all + own, bindings: bindings) } catch {
      throw CommandError("source \(source.id): \(error)", .configuration)
    }
    var rules = PagerRules(title: ([source.title] + [parent].compactMap(\.self)).joined(separator: " / "))
    rules.purpose = purpose
    rules.input = source.input
    rules.options = source.options
    rules.reachableRows = reachableRows
    rules.zone = zone
    rules.keyMap = keyMap
    rules.requestsDetail = source.detail.request != nil
    rules.apply(settings, on: terminal)
    return rules
  }

  /// The maximum number of rows a run can load under the service's cap; nil if it has no cap.
  var reachableRows: Int? { source.pagination.pagingCap(pageSize: pageSize, with: credentialNames)?.rows }
}

extension Query {
  /// The query with a sample for each of these options.
  fileprivate func filled(_ names: Set<String>, with sample: String?) -> Query {
    var query = self
    for name in names { query.options[name] = sample ?? "1" }
    return query
  }
}

extension Parent {
  /// The values of parents that are no rows of a source; nil if they are.
  ///
  /// - Throws: If their environment variable has none.
  fileprivate func values(
    of source: Source, in dependencies: Dependencies
  ) throws(CommandError) -> [String]? {
    switch rows {
    case .source: return nil
    case .values(let values): return values
    case .variable(let name):
      let values = dependencies.found("values of \(name)") {
        Self.values(in: dependencies.environment[name] ?? "")
      }
      if !values.isEmpty { return values }
      throw CommandError(
        "source \(source.id) needs the values of {\(self.name)}, but environment variable \(name) is not set. Set it to values separated by commas",
        .usage)
    }
  }
}

extension CredentialName {
  fileprivate var word: String { if case .secret(let name) = self { "secret \(name)" } else { "" } }

  fileprivate init(word: String) {
    self = word.isEmpty ? .authorization : .secret(String(word.dropFirst("secret ".count)))
  }
}

extension Source {
  /// The credentials available in the environment, determined before any is resolved, so that a cap that
  /// applies only to unauthorized requests can be ignored.
  func credentialNames(in environment: [String: String]) -> Set<CredentialName> {
    func isSet(_ places: [SecretOrigin]) -> Bool { places.contains { $0.isSet(in: environment) } }
    var names = Set(secrets.filter { isSet($0.from) }.map { CredentialName.secret($0.name) })
    let obtainsTokens = authorization.map { $0.issuer != nil && !$0.isOptional } ?? false
    if obtainsTokens || isSet(authorization?.from ?? []) { names.insert(.authorization) }
    return names
  }
}

extension Source {
  /// What the kept credential belongs to, without reading a file or running a program; nil if the client's id
  /// requires that, or an option of the login is missing.
  fileprivate func keptIdentity(
    sentTo origin: Origin, _ options: [String: String], in environment: [String: String]
  ) -> CredentialIdentity? {
    switch authorization?.issuer {
    case nil: return CredentialIdentity(source: account, origin: origin)
    case .login:
      let login = try? LoginRequest(of: self, options: options)
      return login.flatMap(\.self).map { CredentialIdentity(source: account, origin: origin, login: $0) }
    case .grant(let grant):
      let variable = (authorization?.origins["client_id_from"] ?? []).inOrder.first.flatMap { place in
        if case .environment(let name) = place { environment[name] } else { nil }
      }
      guard let id = grant.clientID ?? variable else { return nil }
      return CredentialIdentity(source: account, origin: origin, grant: grant, clientID: id)
    }
  }
}

extension CredentialStore {
  init(_ dependencies: Dependencies) { self.init(environment: dependencies.environment, user: getuid()) }
}

// MARK: - Credentials

/// The slow part of preparing a run, done once, concurrently with the first frame: resolves the credentials
/// of the source and starts the embedded server.
private struct RunSetup: Sendable {
  let entry: CatalogEntry
  let resolver: SecretResolver
  let query: Query
  let pageSize: Int?
  let filter: RowFilter?
  let additions: RequestAdditions
  let isTrustedAnyway: Bool
  /// What obtains access tokens, by the chosen options; nil if the source needs none.
  let tokens: @Sendable (_ options: [String: String]) -> TokenKeeper?
  let dependencies: Dependencies

  func context() async -> Result<RunContext, PageError> {
    do throws(PageError) {
      var context = try await authorized(RunContext(pageSize: pageSize, version: Version.number))
      context.addresses = try await addresses()
      context.filter = filter
      return .success(context)
    } catch { return .failure(error) }
  }

  /// The context with its credentials resolved again; nil if that yields no others, or none are available.
  func renewed(_ old: RunContext) async throws(PageError) -> RunContext? {
    if entry.source.authorization?.issuer != nil { return try await authorized(old) }
    return entry.source.canRenewSecrets ? try? await authorized(old) : nil
  }

  /// The context with its credentials. Of a recorded session, only whether there are any is known.
  private func authorized(_ old: RunContext) async throws(PageError) -> RunContext {
    let name = "access \(entry.source.id)"
    if let replay = dependencies.replay { return try recorded(replay.found(name) ?? [], old) }
    do throws(PageError) {
      let context = try await resolved(old)
      let credentials = context.credentials
      let authorization = credentials.authorization == nil ? "" : "authorization"
      dependencies.recorder?.note(
        name,
        ["", credentials == old.credentials ? "same" : "other", authorization, credentials.absence ?? ""])
      return context
    } catch {
      dependencies.recorder?.note(name, [error.message])
      throw error
    }
  }

  /// Credentials in place of the recorded ones, and other ones where those were renewed.
  private func recorded(_ access: [String], _ old: RunContext) throws(PageError) -> RunContext {
    if let problem = access.first, !problem.isEmpty { throw PageError(.unauthorized, message: problem) }
    guard access.count == 4, access[1] == "other" else { return old }
    var context = old
    let secret = Secret(RecordedReply.secret)
    for name in entry.source.secrets.map(\.name) + additions.secrets.keys {
      context.credentials.secrets[name] = Credentials.Finding(secret: secret, provenance: "recording")
    }
    context.credentials.secrets["renewal-\(old.credentials.secrets.count)"] = Credentials.Finding(
      secret: secret, provenance: "recording")
    if let place = entry.source.authorization?.place, !access[2].isEmpty {
      context.credentials.authorization = PlacedCredential(
        place: place, secret: secret, provenance: "recording")
    }
    context.credentials.absence = access[3].isEmpty ? nil : access[3]
    return context
  }

  private func resolved(_ old: RunContext) async throws(PageError) -> RunContext {
    var context = old
    context.credentials = try await credentials()
    context.renewalTime = nil
    guard context.credentials.absence == nil, let tokens = tokens(query.options) else { return context }
    let token = try await tokens.token(rejecting: old.credentials.authorization)
    context.credentials.authorization = token.map { tokens.credential(of: $0.kept) }
    context.renewalTime = token?.kept.renewalTime
    context.isAuthorizationFound = token?.isFound ?? false
    return context
  }

  /// Fails for an untrusted source before anything is drawn or sent (status 78).
  func checkTrust() throws(CommandError) {
    if isTrustedAnyway { return }
    do { try SecretResolver.checkTrust(of: entry, options: query.options) } catch {
      throw CommandError("\(error)", .configuration)
    }
  }

  private func credentials() async throws(PageError) -> Credentials {
    do throws(SecretProblem) {
      var credentials = try await resolver.credentials(
        for: entry, options: query.options, isTrustedAnyway: isTrustedAnyway)
      credentials.secrets.merge(additions.secrets) { $1 }
      return credentials
    } catch { throw PageError(.unauthorized, message: "\(error)") }
  }

  /// The host name that stands for the embedded server in a source (RFC 6761: `.localhost` is this machine).
  private static let embedded = "http://riffle.localhost"

  /// The embedded server runs only if the source refers to it.
  private func addresses() async throws(PageError) -> [String: String] {
    let needsServer = entry.source.options.contains { option in
      (query.options[option.name] ?? option.defaultValue) == Self.embedded
    }
    guard needsServer else { return [:] }
    if let replay = dependencies.replay { return [Self.embedded: replay.found("server")?.first ?? ""] }
    do {
      let address = try await dependencies.server.baseURL
      dependencies.recorder?.note("server", [address])
      return [Self.embedded: address]
    } catch {
      throw PageError(.invalidRequest, message: "cannot start the embedded server: \(error)")
    }
  }
}

/// The context of a run, prepared once and awaited by every request. When the service rejects the credentials
/// (a token may have expired), they are renewed: once after each time they were accepted, so that a program that
/// returns a wrong token is not run for every request. Credentials that others obtained, or that other requests of this
/// run use at the same time, may be used up although they were never accepted here. Credentials with a known end are
/// renewed before it.
final class CredentialProvider: Sendable {
  private typealias Work = Task<Result<RunContext?, PageError>, Never>

  private let prepare: @Sendable () async -> Result<RunContext, PageError>
  private let renew: @Sendable (RunContext) async throws(PageError) -> RunContext?
  /// What the user can do if credentials are rejected that riffle obtains itself; nil for others.
  let remedy: String?
  private let now: @Sendable () -> Double
  private let workers: Workers
  private let state = Lock(State())

  private struct State {
    /// Nil until it is prepared.
    var latest: RunContext?
    /// How often the credentials were renewed since they were accepted; 0 for the first ones.
    var renewals = 0
    /// The number of requests that use credentials.
    var requests = 0
    /// Whether the current credentials were rejected, and renewing them failed.
    var isRejected = false
    /// The preparation or renewal in progress.
    var work: Work?
    /// Whether a request waits for `work`, or has waited for the last.
    var isAwaited = false
    /// Why the preparation failed, until a request has been told.
    var failure: PageError?
    /// All credentials that the run has used, including rejected ones.
    private var known: [Credentials] = []
    /// Those of a request that are composed of several.
    private var composed: [PlacedCredential] = []
    /// Removes all of these.
    private var redactor = Redactor()

    mutating func add(_ credentials: Credentials) {
      if known.contains(credentials) { return }
      known.append(credentials)
      updateRedactor()
    }

    mutating func redactor(with placed: [PlacedCredential]) -> Redactor {
      let others = placed.filter { credential in !known.contains { $0.authorization == credential } }
      if !others.isEmpty, others != composed {
        composed = others
        updateRedactor()
      }
      return redactor
    }

    private mutating func updateRedactor() {
      redactor = Redactor(
        known.flatMap { $0.secrets.values.map(\.secret) }, known.compactMap(\.authorization) + composed)
    }
  }

  /// Begins to prepare.
  ///
  /// - Parameters:
  ///   - renew: Returns a context with newly resolved credentials; nil if there are none.
  ///   - now: The time in seconds since 1970.
  init(
    prepare: @escaping @Sendable () async -> Result<RunContext, PageError>,
    renew: @escaping @Sendable (RunContext) async throws(PageError) -> RunContext? = { _ throws(PageError) in
      nil
    },
    remedy: String? = nil, now: @escaping @Sendable () -> Double = { 0 }, workers: Workers = .shared
  ) {
    self.prepare = prepare
    self.renew = renew
    self.remedy = remedy
    self.now = now
    self.workers = workers
    state.withLock { $0.work = work(renewing: nil) }
  }

  /// Removes the credentials known so far, and those of a request, from texts.
  func redactor(with placed: [PlacedCredential] = []) -> Redactor {
    state.withLock { $0.redactor(with: placed) }
  }

  /// Cancels the work in progress.
  func cancel() { state.withLock { $0.work }?.cancel() }

  /// The current context: waits until it is prepared or renewed. After a failure, the next call tries again.
  var context: Result<RunContext, PageError> {
    get async {
      let (latest, work) = state.withLock { state -> (RunContext?, Work?) in
        if let latest = state.latest, !state.isRejected, latest.renewalTime.map({ now() < $0 }) ?? true {
          return (latest, nil)
        }
        if let failure = state.failure {
          state.failure = nil
          return (nil, Task(executorPreference: workers) { .failure(failure) })
        }
        state.isAwaited = true
        if state.work == nil { state.work = self.work(renewing: state.latest) }
        return (state.latest, state.work)
      }
      guard let work else { return latest.map { .success($0) } ?? .failure(Self.canceled) }
      return await work.value.flatMap { ($0 ?? latest).map { .success($0) } ?? .failure(Self.canceled) }
    }
  }

  private static let canceled = PageError(.connection, message: "canceled")

  /// How often credentials are renewed without being accepted, if several requests use them up.
  private static let mostRenewals = 3

  /// Records that a request begins to use credentials, or no longer does.
  func use(by requests: Int) { state.withLock { $0.requests += requests } }

  /// Records that the service accepted the credentials of this context.
  func accept(_ context: RunContext) {
    state.withLock { state in
      if state.latest?.credentials == context.credentials {
        (state.renewals, state.isRejected) = (0, false)
      }
    }
  }

  /// A context with credentials other than the rejected ones; nil if there are none. Concurrent rejections
  /// share one renewal.
  func renewed(after refused: RunContext) async throws(PageError) -> RunContext? {
    let (latest, work) = state.withLock { state -> (RunContext?, Work?) in
      if let latest = state.latest, latest.credentials != refused.credentials { return (latest, nil) }
      let canRenew = state.renewals == 0 || state.requests > 1 && state.renewals < Self.mostRenewals
      if state.work == nil, canRenew {
        state.renewals += 1
        state.work = self.work(renewing: refused)
      }
      return (nil, state.work)
    }
    if let latest { return latest }
    return try await work?.value.get()
  }

  /// Prepares the first context, or renews one. The result is nil if there are no other credentials.
  private func work(renewing old: RunContext?) -> Work {
    Task.detached(executorPreference: workers) { [self] in
      let result = await result(renewing: old)
      state.withLock { state in
        state.work = nil
        switch result {
        case .success(let context?):
          state.add(context.credentials)
          state.latest = context
          state.isRejected = false
          if context.isAuthorizationFound, state.renewals > 0 { state.renewals -= 1 }
        // The next request is not sent with credentials that are known to be rejected.
        case .failure(let error):
          (state.isRejected, state.renewals) = (old != nil, 0)
          if !state.isAwaited { state.failure = error }
        case .success(nil): break
        }
      }
      return result
    }
  }

  private func result(renewing old: RunContext?) async -> Result<RunContext?, PageError> {
    guard let old else { return await prepare().map { $0 } }
    do throws(PageError) {
      return .success(try await renew(old).flatMap { $0.credentials == old.credentials ? nil : $0 })
    } catch { return .failure(error) }
  }
}
