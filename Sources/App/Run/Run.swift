import Config
import Credentials
import HTTPTransport
import HTTPValues
import Search
import Text

/// Everything a run needs, determined before the screen is taken over or a request is made: source, query and
/// settings. Slow work (credentials, the embedded server) is started but not awaited.
struct Run: Sendable {
  private(set) var source: Source
  /// Options whose values come from the rows of parents are empty.
  private(set) var query: Query
  /// The query with a value for each of those.
  private(set) var sampleQuery: Query
  /// The values that the source's own lists hang under, if they are no rows of another source and none is chosen.
  let parentValues: [String]?
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
  private let limitOptions: Set<LimitOption>
  private let connections: HTTPConnections
  private let transport: Transport
  private let credentials: CredentialProvider

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
    try self.init(own, of: child, dependencies, rows: nil, configuration, under: row)
  }

  /// - Parameters:
  ///   - open: The options whose values come from the rows of parents.
  ///   - resumedPageSize: The page size of the run that is resumed.
  ///   - connections: Those that several runs share; nil for its own.
  ///   - parent: The row that its list hangs under.
  ///   - local: What responds in place of a service, with rows of the program itself. No query is remembered.
  init(
    _ request: RequestOptions, of named: CatalogEntry, leaving open: Set<String> = [],
    _ dependencies: Dependencies, rows: RowOptions?, resumedPageSize: Int? = nil,
    _ configuration: Configuration, _ connections: HTTPConnections? = nil, under parent: ParentRow? = nil,
    local: Transport? = nil
  ) throws(CommandError) {
    let connections =
      connections
      ?? HTTPConnections(
        TransportConfiguration(dependencies, configuration.settings, isInsecure: request.insecure))
    self.connections = connections
    transport = local ?? dependencies.transport(over: connections)
    startedAt = dependencies.now()
    var limitOptions: Set<LimitOption> = []
    if request.maxWait != nil { limitOptions.insert(.maxWait) }
    if request.timeout != nil { limitOptions.insert(.timeout) }
    if request.pageSize != nil { limitOptions.insert(.pageSize) }
    self.limitOptions = limitOptions
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
    let isBlank = request.words.allSatisfy { !$0.isEmpty && $0.trimmedBlanks.isEmpty }
    if let rows, !rows.each, isBlank, requested.needsQuery, requested.usesQuery {
      throw CommandError(
        "source \(requested.id) needs a query: \(request.line(withQueryIn: dependencies.arguments)). "
          + "To send an empty query, write ''", .usage)
    }
    // Text typed on the screen then filters rows, because the service ignores the query.
    if rows == nil, !requested.usesQuery { requested.input.filter = .client }
    // An option is for this run; the source's timeout is for all of them.
    if request.timeout != nil {
      requested.endpoint.timeout = nil
      requested.authorization?.login?.endpoint.timeout = nil
    }
    var entry = named
    entry.source = requested
    source = entry.source
    if request.pageSize != nil, !source.placesPageSize {
      throw CommandError(
        "--page-size cannot be used: source \(source.id) does not send a page size", .usage)
    }
    var notes = configuration.notes + entry.notes
    if let size = request.pageSize, let maximum = source.pagination.settings.size.maximum, size > maximum {
      notes.append("--page-size \(size) is reduced to \(maximum), the most that source \(source.id) allows")
    }
    self.notes = notes
    var settings = configuration.settings
    if local != nil {
      settings.history.isEnabled = false
      settings.actions = []
    }
    self.settings = settings
    self.rows = rows
    pageSize = Self.pageSize(of: source, settings, rows, resumed: resumedPageSize)
    let isCredentialSet = dependencies.found("credentials \(entry.source.id)") {
      entry.source.credentialNames(in: dependencies.environment).map(\.word)
    }
    credentialNames = Set(isCredentialSet.map { CredentialName(word: $0) })
    var filter: RowFilter?
    if let text = rows?.filter { filter = try RowFilter(checking: text, of: source) }
    let setup = RunSetup(
      entry: entry, resolver: configuration.resolver, query: sampleQuery, pageSize: pageSize,
      filter: filter, additions: additions, isTrustedAnyway: request.trust,
      tokens: { [source, connections, timeout = settings.search.timeout] options in
        TokenKeeper(
          of: source, options: options, configuration, transport: dependencies.network(over: connections),
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

  /// Loads only the rows that changed since a mark.
  mutating func load(since mark: SinceMark, by rule: SinceRule) {
    rule.apply(mark, to: &source, &query)
    sampleQuery.text = query.text
  }

  var demand: Demand { rows?.demand(settings) ?? .pages(1) }

  /// The maximum number of pages read; nil for no limit.
  var maxPages: Int? { rows?.effectiveMaxPages }

  /// The page size of a run that specifies only its query and its first page.
  var usualPageSize: Int? { Self.pageSize(of: source, settings, nil) }

  /// The page size of a run: the user's, else that of the run that is resumed, else the maximum for a long run, else
  /// the default. It never exceeds the service's maximum, and stays the same for the whole run (rule 10).
  ///
  /// - Returns: The source's default if no request can choose the size, because positions count the rows that
  ///   pages really have. Nil if neither the user nor the source specifies a size; then none is sent.
  private static func pageSize(
    of source: Source, _ settings: Settings, _ rows: RowOptions?, resumed: Int? = nil
  ) -> Int? {
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
    return (settings.search.pageSize ?? resumed ?? wanted).map { max(1, min($0, page.maximum ?? $0)) }
  }

  /// Why a position kept in a file cannot be requested; nil if it can. It is validated like one from a response.
  func problem(with position: Position) -> String? {
    guard let origin = source.origin(options: sampleQuery.options) else {
      return "the URL is incomplete"
    }
    do throws(PaginationError) { try source.pagination.check(position, origin: origin) } catch {
      return "pagination.\(error.key) of source \(source.id) \(error.problem)"
    }
    return nil
  }

  func loader() -> PageLoader {
    PageLoader(
      source: source, transport: transport, timeout: settings.search.timeout,
      credentials: credentials, startedAt: startedAt, limitOptions: limitOptions)
  }

  /// The first request as a shell command, with secrets replaced by expansions that read them. Nothing is
  /// sent. Optional credentials are resolved, because one without a value is left out.
  func curlCommand(
    resuming resumePoint: ResumePoint?, _ dependencies: Dependencies
  ) throws(CommandError) -> CurlPrinter {
    var page = PageRequest(first: source, sampleQuery)
    if let resumePoint { page.position = resumePoint.next }
    let secrets = ShellCredentials(
      of: source, additions.shellWords, in: dependencies.environment,
      nonce: UInt64(dependencies.jitter() * 0x1p52), storedIn: storedPath(dependencies))
    var context = RunContext(pageSize: pageSize, version: Version.number)
    context.startedAt = startedAt
    context.credentials = secrets.credentials
    if mayLackCredentials || isForeign {
      switch blocking({ [credentials] in await credentials.context }) {
      case .success(let found): context.credentials = secrets.credentials.limited(to: found.credentials)
      case .failure(let error) where isForeign: throw CommandError(error.fullMessage, .unauthorized)
      case .failure: break
      }
    }
    do { return CurlPrinter(request: try source.request(for: page, in: context), secrets: secrets) } catch {
      throw CommandError(error.fullMessage, .usage)
    }
  }

  /// Why a command cannot be run outside riffle; nil if it can.
  func embeddedServerNote(on command: CurlPrinter) -> String? {
    let embedded = RunSetup.embedded
    guard "\(command.request.url.origin)" == embedded,
      let option = source.options.first(where: { $0.defaultValue == embedded })
    else { return nil }
    return
      "\(embedded) exists only inside riffle, so curl cannot run this. Start riffle demo serve --port 8000, and add --set \(option.name)=http://127.0.0.1:8000"
  }

  /// Whether an option selects an origin that the credentials are not for.
  private var isForeign: Bool {
    guard !source.secretOrigins.isEmpty, source.authorization?.issuer == nil,
      let origin = source.origin(options: sampleQuery.options)
    else { return false }
    return !source.owns(origin, options: sampleQuery.options)
  }

  /// Whether an optional credential may have no value, which then is not sent.
  private var mayLackCredentials: Bool {
    source.authorization.map { $0.isOptional && $0.issuer == nil } ?? false
      || source.secrets.contains { $0.isOptional } && source.authorization?.issuer == nil
  }

  /// The file in the state folder that keeps the credential; nil if that depends on what a program prints.
  private func storedPath(_ dependencies: Dependencies) -> String? {
    guard let origin = source.origin(options: query.options) else { return nil }
    let identity = source.credentialIdentity(sentTo: origin, query.options, in: dependencies.environment)
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
  func sessionRules() -> Session.Rules {
    let search = settings.search
    var rules = Session.Rules(source, pageSize: pageSize, credentials: credentialNames)
    // A century stands for "no limit".
    rules.retry.maxWait = search.maxWait.map { $0 / .seconds(1) } ?? 100 * 365 * 86_400
    if limitOptions.contains(.maxWait) { rules.retry.maxWaitName = "--max-wait" }
    rules.retry.attempts = search.retries ?? (rows == nil ? 3 : 5)
    if let rows {
      rules.maxEmptyPages = source.pagination.settings.maxEmptyPages ?? 100
      rules.concurrency = min(source.limits.concurrency, search.concurrency)
      rules.maxPages = rows.effectiveMaxPages
      if case .pages(let range)? = rows.shard { rules.range = range }
      if let share = rows.rateShare { rules.take(share) }
      rules.awaitsWriting = true
      rules.split = rows.split ? source.split : nil
      rules.splitStart = .atOnce
      // A script may send an empty query.
      rules.minLength = 0
    } else {
      rules.maxRows = settings.pager.maxRows
      rules.split = source.split
      rules.requestsTotal = source.rows.totalRequest != nil
      if settings.search.pageSize == nil, source.placesPageSize {
        rules.largestPage = source.pagination.settings.size.maximum
      }
    }
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
