import Config
import HTTPTransport
import Search

/// Everything a run needs, settled before the screen is taken or a request is made: source, query,
/// settings. What takes time (a credential, the embedded server) is started, not waited for.
struct PreparedRun: Sendable {
  enum Mode: Sendable {
    case interactive
    /// - Parameters:
    ///   - demand: nil: as the settings say, else as many pages as are allowed, one unless that is said.
    ///   - isSorted: the first rows are known when all are there.
    ///   - fromPage: the run begins at a page that the user names, so its pages are those of other runs too.
    case oneShot(Demand?, maxPages: Int?, isSorted: Bool, fromPage: Bool)

    fileprivate func settled(_ settings: Settings) -> Mode {
      guard case .oneShot(nil, let maxPages, let isSorted, let fromPage) = self else { return self }
      let demand = settings.search.limit.map { isSorted ? Demand.everything : .rows($0) }
      return .oneShot(
        demand ?? .pages(maxPages ?? 1), maxPages: maxPages, isSorted: isSorted, fromPage: fromPage)
    }
  }

  let source: Source
  let query: Query
  let settings: Settings
  let mode: Mode
  let notes: [String]
  /// Rows asked for per page; nil leaves it to the service.
  let pageSize: Int?
  /// The credentials the run has, as far as that is known at once.
  let credentialNames: Set<CredentialName>
  private let additions: RequestAdditions
  private let connections: HTTPConnections
  private let transport: Transport
  private let context: RunContextKeeper

  /// - Parameter setup: the configuration, where it is read already.
  init(
    _ request: RequestOptions, _ world: World, mode: Mode, filter: RowFilter? = nil, setup: Setup? = nil
  ) throws(Complaint) {
    guard let name = request.source else {
      throw Complaint("no source is named; riffle sources list shows what there is", .usage)
    }
    let setup =
      if let setup { setup } else {
        try Setup(world, file: request.config, commandLine: request.settingValues)
      }
    additions = try RequestAdditions(request, environment: world.environment)
    let named = try setup.entry(name)
    var asked = try additions.applied(to: named.source)
    // A parameter of the command line may stand where the source places the query: it wins, and the words may stay.
    query = try request.query(for: named.source)
    // What is typed on the screen then filters the rows: the service has no use for it.
    if case .interactive = mode, !asked.usesQuery { asked.input.filter = .client }
    let entry = named.with(asked)
    source = entry.source
    settings = setup.settings
    notes = setup.notes + entry.notes
    self.mode = mode.settled(settings)
    pageSize =
      PageSizeChoice(entry.source, self.mode, asked: settings.search.pageSize, isFiltered: filter != nil).size
    credentialNames = entry.source.credentialNames(in: world.environment)
    let configuration = TransportConfiguration(
      world, settings, isInsecure: request.insecure)
    connections = HTTPConnections(configuration)
    transport = Transport(over: connections)
    let preparation = RunPreparation(
      entry: entry, resolver: setup.resolver, query: query, pageSize: pageSize, filter: filter,
      additions: additions,
      isTrustedAnyway: request.trust)
    try preparation.checkTrust()
    context = RunContextKeeper(
      prepare: { await preparation.context() }, renew: { await preparation.renewed($0) })
  }

  /// What is wanted of a run in a script.
  var demand: Demand { if case .oneShot(let demand?, _, _, _) = mode { demand } else { .pages(1) } }

  /// How many pages it may read; nil is any number.
  var maxPages: Int? { if case .oneShot(_, let maxPages, _, _) = mode { maxPages } else { nil } }

  /// The page size of a run that says no more than its query and where it begins.
  var usualPageSize: Int? {
    PageSizeChoice(source, .interactive, asked: settings.search.pageSize, isFiltered: false).size
  }

  /// Why a position that was kept in a file cannot be requested; nil when it can. It is judged as one from a reply is.
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
    PageLoader(
      source: source, transport: transport, timeout: settings.search.timeout,
      preparation: PageLoader.Preparation(
        context: { [context] in await context.value },
        renewed: { [context] in await context.renewed(after: $0) },
        accepted: { [context] in context.accept($0) }))
  }

  /// The first request for a shell, with what reads a secret in place of it; nothing is looked up or sent.
  func curlCommand(goingOn resumption: Resumption?, _ world: World) throws(PageError) -> CurlCommand {
    let first = resumption?.next ?? source.pagination.style.first
    let page = PageRequest(query: query, position: first, generation: 0)
    let secrets = ShellCredentials(
      of: source, additions.shellWords, in: world.environment, nonce: UInt64(world.chance() * 0x1p52))
    let context = RunContext(
      pageSize: pageSize, credentials: secrets.credentials, version: Version.number)
    return CurlCommand(try source.request(for: page, in: context), secrets)
  }

  /// A text without the credentials of the run, those found so far.
  var redacted: @Sendable (String) -> String { { [context] in context.redacted($0) } }

  /// Gives up all connections, without waiting for any, and ends the programs that look for a credential; nothing can
  /// be asked afterwards.
  func close() {
    context.cancel()
    connections.close()
  }
}

/// How many rows a page of this run has: what the user says, else the most a long run may ask, else the
/// usual; never more than the service allows, and the same for the whole run (rule 10).
struct PageSizeChoice {
  /// Nil: the source says nothing, and nothing is asked.
  let size: Int?

  /// - Parameter isFiltered: of the rows that are asked for only some are wanted.
  init(_ source: Source, _ mode: PreparedRun.Mode, asked: Int?, isFiltered: Bool) {
    let page = source.pagination.settings.size
    let usual = page.standard ?? page.maximum
    let wanted: Int? =
      switch mode {
      case .oneShot(_, _, _, fromPage: true): usual
      case .oneShot(.everything, _, _, _): page.maximum ?? usual
      case .oneShot(.rows, _, _, _) where isFiltered: page.maximum ?? usual
      case .oneShot(.rows(let rows), _, _, _): page.maximum == nil ? usual : rows
      case .interactive, .oneShot: usual
      }
    size = (asked ?? wanted).map { max(1, min($0, page.maximum ?? $0)) }
  }
}
