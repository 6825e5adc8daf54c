import Config
import HTTPTransport
import Pager
import Search
import Terminal
import Text

/// Everything a run needs, determined before the screen is taken over or a request is made: source, query and
/// settings. Slow work (credentials, the embedded server) is started but not awaited.
struct Run: Sendable {
  enum Mode: Sendable {
    case interactive
    case oneShot(Extent)
  }

  /// How much a scripted run loads.
  struct Extent: Sendable {
    /// Nil for the default of the settings, else as many pages as `maxPages` allows, one by default.
    var demand: Demand?
    /// The maximum number of pages read; nil for no limit.
    var maxPages: Int?
    /// Whether all rows are needed to determine the first ones.
    var isSorted = false
    /// Whether the user chose the first page, so that its pages coincide with those of other runs.
    var hasFirstPage = false
  }

  let source: Source
  let query: Query
  let settings: Settings
  let mode: Mode
  let notes: [String]
  /// The number of rows requested per page; nil leaves it to the service.
  let pageSize: Int?
  /// The credentials of the run that are known without resolving any.
  let credentialNames: Set<CredentialName>
  private let additions: RequestAdditions
  private let connections: HTTPConnections
  private let transport: Transport
  private let context: CredentialProvider

  /// - Parameter configuration: The configuration, if it has already been read.
  init(
    _ request: RequestOptions, _ dependencies: Dependencies, mode: Mode, filter: RowFilter? = nil,
    configuration: Configuration? = nil
  ) throws(CommandError) {
    guard let name = request.source else {
      throw CommandError("no source given. To list sources, run: riffle sources list", .usage)
    }
    let configuration =
      if let configuration { configuration } else {
        try Configuration(dependencies, file: request.config, commandLine: request.settingValues)
      }
    additions = try RequestAdditions(request, environment: dependencies.environment)
    let named = try configuration.entry(name)
    var requested = try additions.applied(to: named.source)
    // A parameter of the command line may replace the source's query parameter, so the query text may remain
    // unused.
    query = try request.query(for: named.source)
    // Text typed on the screen then filters rows, because the service ignores the query.
    if case .interactive = mode, !requested.usesQuery { requested.input.filter = .client }
    let entry = named.with(requested)
    source = entry.source
    settings = configuration.settings
    notes = configuration.notes + entry.notes
    self.mode = mode.settled(settings)
    pageSize = self.mode.pageSize(
      of: entry.source, requested: settings.search.pageSize, isFiltered: filter != nil)
    credentialNames = entry.source.credentialNames(in: dependencies.environment)
    connections = HTTPConnections(
      TransportConfiguration(dependencies, settings, isInsecure: request.insecure))
    transport = Transport(over: connections)
    let preparation = RunSetup(
      entry: entry, resolver: configuration.resolver, query: query, pageSize: pageSize, filter: filter,
      additions: additions,
      isTrustedAnyway: request.trust)
    try preparation.checkTrust()
    context = CredentialProvider(
      prepare: { await preparation.context() }, renew: { await preparation.renewed($0) })
  }

  var demand: Demand { mode.extent?.demand ?? .pages(1) }

  /// The maximum number of pages read; nil for no limit.
  var maxPages: Int? { mode.extent?.maxPages }

  /// The page size of a run that specifies only its query and its first page.
  var usualPageSize: Int? {
    Mode.interactive.pageSize(of: source, requested: settings.search.pageSize, isFiltered: false)
  }

  /// Why a position kept in a file cannot be requested; nil if it can. It is validated like one from a reply.
  func problem(with position: Position) -> String? {
    guard let origin = source.origin(options: query.options) else { return "the address is not complete" }
    do throws(PaginationProblem) {
      try source.pagination.style.check(position, origin: origin)
      return nil
    } catch {
      return "pagination.\(error.key) of source \(source.id) \(error.problem)"
    }
  }

  func loader() -> PageLoader {
    PageLoader(source: source, transport: transport, timeout: settings.search.timeout, credentials: context)
  }

  /// The first request as a shell command, with secrets replaced by expansions that read them. Nothing is
  /// resolved or sent.
  func curlCommand(resuming resumePoint: ResumePoint?, _ dependencies: Dependencies) throws(PageError)
    -> CurlCommand
  {
    var page = PageRequest(first: source, query)
    if let resumePoint { page.position = resumePoint.next }
    let secrets = ShellCredentials(
      of: source, additions.shellWords, in: dependencies.environment,
      nonce: UInt64(dependencies.jitter() * 0x1p52))
    var context = RunContext(pageSize: pageSize, version: Version.number)
    context.credentials = secrets.credentials
    return CurlCommand(try source.request(for: page, in: context), secrets)
  }

  /// Removes the credentials known so far from a text.
  var redacted: @Sendable (String) -> String { { [context] in context.redactor().redacted($0) } }

  /// Closes all connections without waiting, and kills credential programs; later requests fail.
  func close() {
    context.cancel()
    connections.close()
  }
}

extension Run.Mode {
  /// Nil for an interactive run.
  fileprivate var extent: Run.Extent? { if case .oneShot(let extent) = self { extent } else { nil } }

  /// The mode with the default demand of the settings.
  fileprivate func settled(_ settings: Settings) -> Self {
    guard var extent, extent.demand == nil else { return self }
    let demand = settings.search.limit.map { extent.isSorted ? Demand.everything : .rows($0) }
    extent.demand = demand ?? .pages(extent.maxPages ?? 1)
    return .oneShot(extent)
  }

  /// The page size of a run: the user's, else the maximum for a long run, else the default. It never exceeds
  /// the service's maximum, and stays the same for the whole run (rule 10).
  ///
  /// - Parameter isFiltered: Whether only some of the loaded rows are wanted.
  /// - Returns: Nil if neither the user nor the source specifies a page size, in which case none is sent.
  fileprivate func pageSize(of source: Source, requested: Int?, isFiltered: Bool) -> Int? {
    let page = source.pagination.settings.size
    let usual = page.standard ?? page.maximum
    let wanted: Int? =
      switch extent?.demand {
      case _ where extent?.hasFirstPage == true: usual
      case .everything: page.maximum ?? usual
      case .rows where isFiltered: page.maximum ?? usual
      case .rows(let rows): page.maximum == nil ? usual : rows
      case .pages, .nothing, nil: usual
      }
    return (requested ?? wanted).map { max(1, min($0, page.maximum ?? $0)) }
  }
}

extension PageRequest {
  init(first source: Source, _ query: Query) {
    self.init(query: query, position: source.pagination.style.first, generation: 0)
  }
}

extension Run {
  func sessionRules() -> Session.Rules {
    let search = settings.search
    // A century stands for "no limit".
    let longestWait = search.maxWait.map { $0 / .seconds(1) } ?? 100 * 365 * 86_400
    var rules = Session.Rules(source, pageSize: pageSize, credentials: credentialNames)
    rules.retry = RetryPolicy(attempts: search.retries ?? 3, longestWait: longestWait)
    switch mode {
    case .interactive:
      rules.maxRows = settings.pager.maxRows
      rules.requestsTotal = source.rows.totalRequest != nil
    case .oneShot(let extent):
      rules.maxEmptyPages = source.pagination.settings.maxEmptyPages ?? 100
      rules.concurrency = min(source.limits.concurrency, search.concurrency)
      rules.maxPages = extent.maxPages
      rules.retry.attempts = search.retries ?? 5
      rules.awaitsWriting = true
      // A script may send an empty query.
      rules.minLength = 0
    }
    return rules
  }

  /// The rules of the pager of this run.
  ///
  /// - Parameter terminal: The terminal's options, including the user's settings.
  /// - Throws: If key bindings of the user and of the source conflict.
  func pagerRules(
    _ purpose: PagerRules.Purpose, zone: LocalZone, on terminal: TerminalOptions
  ) throws(CommandError) -> PagerRules {
    let own = SourceActions.actions(options: source.options, rowActions: source.actions)
    let keyMap: KeyMap
    do { keyMap = try KeyMap(Actions.all + own, bindings: KeyBindings(settings.keys)) } catch {
      throw CommandError("source \(source.id): \(error)", .configuration)
    }
    var rules = PagerRules(title: source.title)
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

extension Source {
  /// The credentials available in the environment, determined before any is resolved, so that a cap that
  /// applies only to unauthorized requests can be ignored.
  func credentialNames(in environment: [String: String]) -> Set<CredentialName> {
    func isSet(_ origins: [SecretOrigin]) -> Bool { origins.contains { $0.isSet(in: environment) } }
    var names = Set(secrets.filter { isSet($0.from) }.map { CredentialName.secret($0.name) })
    if isSet(authorization?.from ?? []) { names.insert(.authorization) }
    return names
  }
}
