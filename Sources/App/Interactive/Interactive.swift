import Config
import FeedbackLoop
import Glibc
import Output
import Pager
import Search
import Terminal
import Text

/// The interactive program: sessions in tabs, or a list of sources and the session chosen from it. All input and drawing
/// happen on the calling thread.
package struct Interactive {
  private let request: RequestOptions
  private let list: ListOptions
  /// The columns to show, in the syntax of `--columns`; nil for the usual ones.
  private let columns: String?
  private let dependencies: Dependencies
  private let purpose: PagerRules.Purpose
  private let terminal: TerminalOptions
  private let configuration: Configuration
  private let wake: Wake
  private let clipboard: TerminalClipboard
  private let programs: TerminalPrograms
  /// Empty if the user chooses a source from a list.
  private var sessions: [PagerSession] = []
  /// The index of the session to show first.
  private var shownSession = 0

  /// Performs all checks that can fail before the screen is taken over.
  ///
  /// - Parameters:
  ///   - terminal: The options derived from the environment.
  ///   - rows: Rows of the program itself, in place of those of a source.
  ///   - restores: Whether to show the tabs of the last session again.
  init(
    _ request: RequestOptions, _ list: ListOptions, columns: String?, _ dependencies: Dependencies,
    _ purpose: PagerRules.Purpose, _ terminal: TerminalOptions, rows: LocalRows? = nil,
    restores: Bool = false, _ message: Message
  ) throws {
    let dependencies = try request.recording(dependencies)
    var isReady = false
    defer { if !isReady { dependencies.recorder?.discardUnlessBegun() } }
    self.dependencies = dependencies
    self.purpose = purpose
    configuration = try Configuration(dependencies, file: request.config, commandLine: request.settingValues)
    var request = request
    request.source = request.source ?? configuration.settings.search.source
    self.request = request
    (self.list, self.columns) = (list, columns)
    var terminal = terminal
    terminal.apply(configuration.settings)
    self.terminal = terminal
    let wake = try Wake()
    self.wake = wake
    clipboard = TerminalClipboard { wake() }
    programs = TerminalPrograms { wake() }
    if let rows {
      sessions = [
        try session(
          Run(
            RequestOptions.unset(), of: rows.entry, dependencies, rows: nil, configuration,
            local: rows.transport),
          SessionRequest(request), path: [])
      ]
    } else if restores, let saved = SavedTabs(dependencies) {
      (sessions, shownSession) = (restored(saved, message), saved.current)
    } else if restores {
      message.note("no earlier session to restore")
    } else if let name = request.source {
      sessions = try openings(of: name).map(open)
    }
    isReady = true
  }

  /// - Returns: Why the user interface ended, and the rows chosen in `pick`. The terminal has been restored.
  func run(_ message: Message) throws -> (exitReason: LoopExit, choice: Choice?) {
    if let replay = dependencies.replay, !replay.isOnScreen {
      let tabs = tabs(on: replay.canvas, message) {}
      defer { tabs.close(isUrgent: false) }
      replay.result = replay.lastScreen(of: tabs)
      return (.finished, nil)
    }
    let tty = try TTY(path: dependencies.terminal)
    let screenThread = pthread_self()
    // A key is always followed by a redraw; only events from other threads must wake the screen.
    let wakeScreen: @Sendable () -> Void = { [wake] in
      if pthread_equal(pthread_self(), screenThread) == 0 { wake() }
    }
    let canvas = Canvas(size: tty.size, widthModel: .codePoints)
    let tabs = tabs(on: dependencies.replay?.canvas ?? canvas, message, wakeScreen: wakeScreen)
    var isUrgent = false
    defer { tabs.close(isUrgent: isUrgent) }
    let replay = dependencies.replay.map { ReplayScreen($0, tabs, on: canvas) }
    let handle = { [recorder = dependencies.recorder] (event: UIEvent) in
      if let line = RecordedLine(event) { recorder?.note(line) }
      tabs.handle(event)
    }
    let exitReason = try UILoop.run(
      on: tty, ownsProcess: dependencies.ownsProcess, wake: wake, options: terminal,
      handle: replay.map { $0.handle } ?? handle, step: replay.map { $0.step } ?? tabs.step)
    // Ctrl-\, or Ctrl-C three times.
    isUrgent = exitReason == .signal(SIGQUIT) || exitReason == .signal(SIGINT)
    if let recorder = dependencies.recorder { _ = blocking { await recorder.finish() } }
    if purpose == .browse, replay == nil, configuration.settings.history.isEnabled {
      tabs.saved.write(environment: dependencies.environment)
    }
    return (exitReason, replay == nil ? tabs.choice : nil)
  }

  private func tabs(
    on canvas: Canvas, _ message: Message, wakeScreen: @escaping @Sendable () -> Void
  ) -> SessionTabs {
    let tabs = SessionTabs(
      on: canvas, dependencies, message, clipboard, programs, wakeScreen: wakeScreen, open: open)
    if sessions.isEmpty {
      tabs.open(listOf: listRules, findSources)
    } else {
      tabs.open(sessions, showing: shownSession)
    }
    return tabs
  }

  private func open(_ target: SessionTarget) throws(CommandError) -> PagerSession {
    switch target {
    case .source(let name): return try open(opening(of: name, request))
    case .other(let name): return try open(opening(of: name, request.withoutSource))
    case .child(let id, let parent, let row, let name):
      let child = try configuration.entry(id)
      guard let row = try parent.row(row, asParentOf: child.source) else {
        throw CommandError("this row has no \(child.source.title)", .failed)
      }
      let run = try Run(
        parent.request.options, of: child, under: row, in: parent.run, dependencies, configuration)
      let names = [row.firstCopy, name, row.value].compactMap(\.self)
      return try session(
        run, parent.request, under: names.first { !$0.isEmpty }, path: Array(parent.path.dropFirst()))
    }
  }

  /// The sessions that the command line asks for: several if it names several saved searches.
  private func openings(of name: String) throws(CommandError) -> [SessionRequest] {
    let names = request.savedSearches
    guard !names.isEmpty else { return [commandLine(SessionRequest(request))] }
    if purpose == .pick, names.count > 1 {
      throw CommandError("pick takes the rows of one saved search", .usage)
    }
    return try names.map { name throws(CommandError) in
      commandLine(try opening(of: "@\(name)", request, besides: names.count - 1))
    }
  }

  /// The tabs of the last session, without those that cannot be opened any more.
  private func restored(_ saved: SavedTabs, _ message: Message) -> [PagerSession] {
    saved.tabs.compactMap { tab in
      do throws(CommandError) {
        var options = request.withoutSource
        options.source = tab.source
        if !tab.query.isEmpty { options.words = [tab.query] }
        options.set = tab.options.sorted { $0.key < $1.key }.map { NameValue(name: $0.key, value: $0.value) }
        var opening = try opening(of: tab.source, options)
        opening.list = try ListOptions(sort: tab.sort, filter: tab.filter.isEmpty ? nil : tab.filter)
        opening.columns = tab.columns
        return try open(opening)
      } catch {
        message.note("\(tab.source) is not restored: \(error.message)")
        return nil
      }
    }
  }

  /// The session with what the command line says about its list.
  private func commandLine(_ opening: SessionRequest) -> SessionRequest {
    var opening = opening
    (opening.list, opening.columns) = (list, columns)
    return opening
  }

  /// - Parameter count: The number of words that name other saved searches.
  private func opening(
    of name: String, _ options: RequestOptions, besides count: Int = 0
  ) throws(CommandError) -> SessionRequest {
    var request = SessionRequest(options)
    request.options.source = name
    guard let name = SavedSearch.name(in: name) else { return request }
    let search = try configuration.savedSearch(name)
    request.options.use(search, besides: count)
    request.search = search
    return request
  }

  /// A source, or the first of the sources above it if one of their rows has to be chosen before.
  private func open(_ opening: SessionRequest) throws(CommandError) -> PagerSession {
    var request = opening.options
    let entry = try configuration.entry(request.source ?? "")
    let chosen = Dictionary(request.set.map { ($0.name, $0.value) }) { $1 }
    let lineage = try configuration.lineage(of: entry, options: chosen)
    let first = lineage.first ?? entry
    let path = lineage.dropFirst().map { $0.source.id }
    if !path.isEmpty {
      request.set.removeAll { pair in !first.source.options.contains { $0.name == pair.name } }
      if !first.source.usesQuery || entry.source.usesQuery { request.words = [] }
    }
    // Of given values, the first is as good as any.
    if let parent = first.source.parent, case .values(let values) = parent.rows, chosen[parent.name] == nil,
      let value = values.first
    {
      request.set.append(NameValue(name: parent.name, value: value))
    }
    return try session(
      Run(request, of: first, dependencies, rows: nil, configuration), opening, path: path)
  }

  /// - Parameters:
  ///   - request: What it was opened with.
  ///   - parent: The name of the row that its list hangs under.
  ///   - path: The sources that the user wants to see, each under a row of the one before.
  private func session(
    _ run: Run, _ request: SessionRequest, under parent: String? = nil, path: [String]
  ) throws(CommandError) -> PagerSession {
    let folders = ArchiveFile.folders(environment: dependencies.environment)
    let id = run.source.id
    let findChildren: @Sendable () -> [SourceChoice] = { [configuration, dependencies] in
      dependencies.foundSources("children of \(id)") {
        let children = path.first.map { [try? configuration.entry($0)].compactMap(\.self) }
        return (children ?? configuration.catalog.children(of: id))
          .map { SourceChoice(id: $0.source.id, title: $0.source.title) }
      }
    }
    var rules = try run.pagerRules(purpose, zone: dependencies.zone, on: terminal, under: parent)
    if purpose == .browse { rules.opensSources = true }
    if dependencies.replay?.isOnScreen == true { rules.title += " (replay)" }
    if path.isEmpty {
      rules.list = try ListRules(
        request.list, columns: request.columns, over: request.search, of: run.source)
    }
    return PagerSession(
      run: run, request: request, reader: RowReader(archive: ArchiveFile(in: folders).archive),
      dependencies: dependencies, rules: rules, clipboard: clipboard, programs: programs, path: path,
      findChildren: findChildren, findSources: findSources, configuration: configuration)
  }

  private var findSources: @Sendable () -> [SourceChoice] {
    { [configuration, dependencies] in
      dependencies.foundSources("sources") { configuration.sourceChoices }
    }
  }

  private var listRules: PagerRules {
    var rules = PagerRules(title: "choose a source")
    rules.purpose = purpose
    rules.apply(configuration.settings, on: terminal)
    return rules
  }
}

extension Interactive {
  /// Browses until the user quits. Without a terminal, writes the rows as a search for scripts does.
  ///
  /// - Parameter restores: Whether to show the tabs of the last session again.
  package static func browse(
    _ request: RequestOptions, _ list: ListOptions, columns: String?, restores: Bool = false,
    _ dependencies: Dependencies, _ message: Message
  ) throws -> RunEnd {
    guard let terminal = TerminalOptions(environment: dependencies.environment),
      dependencies.replay?.hasScreen ?? dependencies.output.isTerminal
    else {
      if restores { throw CommandError("--restore needs a terminal", .usage) }
      var (rows, form) = (try RowOptions.unset(), try FormatOptions.unset())
      (rows.sort, rows.filter, form.columns) = ([list.sort].compactMap(\.self), list.filter, columns)
      return try OneShot.run(request, rows, form, .unset(), dependencies, message)
    }
    let outcome = try outcome(
      request, list, columns: columns, dependencies, .browse, terminal, message, terminalFailure: .failed,
      restores: restores)
    return RunEnd(outcome.exitReason)
  }

  /// Writes the rows that the user chooses.
  package static func pick(
    _ request: RequestOptions, _ list: ListOptions, _ form: FormatOptions, _ dependencies: Dependencies,
    _ message: Message
  ) throws -> RunEnd {
    guard let terminal = TerminalOptions(environment: dependencies.environment) else {
      throw CommandError(
        "pick needs a terminal: TERM is empty or dumb. Use riffle search, which needs none", .usage)
    }
    if form.output == nil { try dependencies.requireOutput() }
    let outcome = try outcome(
      request, list, dependencies, .pick, terminal, message, terminalFailure: .usage)
    let end = RunEnd(outcome.exitReason)
    guard end == .status(.done), dependencies.replay == nil else { return end }
    guard let choice = outcome.choice else { return .canceled }
    var form = form
    form.format = form.namedFormat ?? .standard(isTerminal: false)
    try choice.write(form, dependencies)
    return end
  }

  /// The indices of the rows that the user chooses, and how the choice ended.
  ///
  /// - Parameter file: The value of `--config`.
  static func choose(
    from rows: LocalRows, config file: String?, _ dependencies: Dependencies, on terminal: TerminalOptions,
    _ message: Message
  ) throws -> (end: RunEnd, indices: [Int]) {
    var request = try RequestOptions.unset()
    request.settings.config = file
    let outcome = try outcome(
      request, .unset(), dependencies, .pick, terminal, message, terminalFailure: .failed, rows: rows)
    let end = RunEnd(outcome.exitReason)
    guard end == .status(.done) else { return (end, []) }
    guard let choice = outcome.choice else { return (.canceled, []) }
    return (end, try LocalRows.indices(in: choice))
  }

  /// - Parameter terminalFailure: The exit status if there is no usable terminal.
  private static func outcome(
    _ request: RequestOptions, _ list: ListOptions, columns: String? = nil, _ dependencies: Dependencies,
    _ purpose: PagerRules.Purpose, _ terminal: TerminalOptions, _ message: Message,
    terminalFailure: ExitStatus, rows: LocalRows? = nil, restores: Bool = false
  ) throws -> (exitReason: LoopExit, choice: Choice?) {
    do {
      let interactive = try Interactive(
        request, list, columns: columns, dependencies, purpose, terminal, rows: rows, restores: restores,
        message)
      for note in interactive.configuration.notes { message.note(note) }
      if request.insecure { message.failure(RequestOptions.insecureWarning) }
      return try interactive.run(message)
    } catch let error as SystemError {
      throw CommandError(error, terminalFailure)
    }
  }
}

/// The result of `pick`.
struct Choice {
  let rows: RowSelection
  let session: PagerSession

  /// Writes the rows. A closed pipe is not a failure.
  fileprivate func write(_ form: FormatOptions, _ dependencies: Dependencies) throws {
    let run = session.run
    var writer = try form.writer(for: run.source, run.settings, dependencies)
    let target = try form.target(dependencies)
    do {
      try writer.write(rows, from: session.reader) { try target.write($0) }
    } catch let error as Errno {
      if error != .closedPipe { throw CommandError("cannot write output: \(error)", .output) }
    } catch let error as ColumnSelectionError {
      throw CommandError("\(error)", .usage)
    } catch let error as RowReader.ReadError {
      throw CommandError("\(error)", .failed)
    }
  }
}

// MARK: - One session

/// What a session is opened with.
struct SessionRequest {
  /// With what the saved search says.
  var options: RequestOptions
  var search: SavedSearch?
  /// What the command line says about the list.
  var list: ListOptions?
  var columns: String?

  init(_ options: RequestOptions) { self.options = options }
}

extension RequestOptions {
  /// The options that are for any source.
  fileprivate var withoutSource: RequestOptions {
    var options = self
    options.source = nil
    options.words = []
    options.set = []
    options.param = []
    options.requestHeader = []
    options.pageSize = nil
    options.trust = false
    return options
  }
}

/// One source's session: connects the pager's state to the network, the clock, the archive and the user's
/// programs.
struct PagerSession {
  let run: Run
  let request: SessionRequest
  let reader: RowReader
  let dependencies: Dependencies
  let rules: PagerRules
  let clipboard: TerminalClipboard
  let programs: TerminalPrograms
  /// See `Interactive.session`.
  let path: [String]
  /// The sources whose rows hang under the rows of this one. Reads the catalog.
  let findChildren: @Sendable () -> [SourceChoice]
  /// All sources and saved searches. Reads the catalog.
  let findSources: @Sendable () -> [SourceChoice]
  let configuration: Configuration

  /// The name in a list of sources: that of the source or, as `@NAME`, of the saved search.
  var name: String { request.search?.word ?? run.source.id }

  /// The title of its tab: the name, and the query unless the name stands for it.
  func title(of state: PagerState) -> String {
    let query = state.session.query.text
    return query.isEmpty || request.search != nil ? name : "\(name) \(query)"
  }

  /// The sources that have rows under a row.
  func children(of row: RowReference, among ids: [String]) throws(CommandError) -> [String] {
    var found: [String] = []
    for id in ids where try self.row(row, asParentOf: try configuration.entry(id).source) != nil {
      found.append(id)
    }
    return found
  }

  /// A row as the parent of rows of a source; nil if it has none (`parent.where`), or no value for their request.
  func row(_ reference: RowReference, asParentOf source: Source) throws(CommandError) -> ParentRow? {
    do throws(RowReader.ReadError) {
      let row = source.parent?.parents(in: try reader.row(reference)).first ?? nil
      return row?.value.isEmpty ?? true ? nil : row
    } catch { throw CommandError("\(error)", .failed) }
  }

  /// - Parameters:
  ///   - leadsBack: Whether the user can go back from here.
  ///   - wakeScreen: Called for every state.
  /// - Returns: A system that has not been started.
  func system(
    on canvas: Canvas, leadsBack: Bool, wakeScreen: @escaping @Sendable () -> Void
  ) -> (system: PagerSystem, details: DetailReader) {
    var rules = rules
    rules.leadsBack = leadsBack
    let columns = RunColumns(columns, adding: rules.list?.names ?? [])
    let initialState = PagerState(
      rules, run.sessionRules(), columns: columns.known, canvas: canvas, query: run.query,
      now: dependencies.now())
    let details = DetailReader(
      source: run.source, reader: reader, loader: run.loader(), columns: columns, context: formatContext)
    let system = PagerSystem(
      with: initialState, feedbacks(columns, details) + [.screen(wakeScreen)], dependencies)
    return (system, details)
  }

  /// The source's columns. What is copied from the parent's row is the same in all rows of a list, so it is hidden.
  private var columns: [Column] {
    run.source.columns.map { column in
      var column = column
      if column.name.hasPrefix(Parent.columnPrefix) { column.isHidden = true }
      return column
    }
  }

  private var formatContext: @Sendable () -> FormatContext {
    { [now = dependencies.now, zone = dependencies.zone] in FormatContext(now: now(), zone: zone) }
  }

  private func feedbacks(
    _ columns: RunColumns, _ details: DetailReader
  ) -> [Feedback<PagerState, PagerEvent>] {
    let loader = details.loader
    let settings = run.settings.history
    let history = HistoryFile(
      path: settings.isEnabled ? HistoryFile.path(environment: dependencies.environment) : nil,
      source: run.source.id, size: settings.size)
    let cells = makeCells(columns, formatContext)
    let archive = reader.archive
    let makeContent: RowMapper = { .cells(cells($0, ArchivedRows($0, in: archive))) }
    let session = Feedback.session(total: loader, dependencies) {
      await loader.page(for: $0, makeContent: makeContent)
    }
    let sessionFeedbacks: [Feedback<PagerState, PagerEvent>] = session.map {
      $0.pullback(
        state: { SessionWork(pages: $0.pageRequests, total: $0.totalQuery, alarm: $0.alarm) },
        event: PagerEvent.session)
    }
    return sessionFeedbacks + [
      .debounce(dependencies), .prefix(by: dependencies.clock),
      .timer("watch", at: \.watchDeadline, dependencies) { .watchElapsed($0) },
      .details(by: details, clock: dependencies.clock), .effects(by: effects(history)),
      .history { [dependencies, id = run.source.id] in
        dependencies.found("history of \(id)") { history.queries() }
      },
      .children(findChildren),
      .sources(findSources),
      .recording(by: dependencies.recorder),
      .react(to: { $0.fieldCountRequest }, name: "fields", progress: { _, _ in true }) { [reader] in
        .fieldsCounted(reader.fields(of: $0.rows))
      },
      .react(to: { $0.cellRequest }, name: "cells", progress: { _, _ in true }) { [reader] request in
        columns.add(request.added)
        return .cellsRead(
          request.pages.map { page in
            ReadCells(of: page, reader.rows(of: page).map { cells($0, page.archived) })
          })
      },
    ] + Feedback.orders
  }

  /// Formats rows as cells off the screen's thread.
  private func makeCells(
    _ columns: RunColumns, _ context: @escaping @Sendable () -> FormatContext
  ) -> @Sendable (DocumentRows, ArchivedRows?) -> CellTable {
    let link = run.source.rows.link
    return { rows, archived in
      CellTable(
        rows, columns: columns.columns(for: rows), link: link, context: context(), archived: archived)
    }
  }

  /// The source whose columns are kept: by its id or, if it was named by its file, by that.
  private var keptSource: String {
    let named = request.options.source.flatMap { try? configuration.entry($0) }
    return named?.source.id == run.source.id ? request.options.source ?? run.source.id : run.source.id
  }

  private func effects(_ history: HistoryFile) -> EffectRunner {
    let clipboard = Clipboard(terminal: clipboard, environment: dependencies.environment)
    return EffectRunner(
      reader: reader, opener: Opener(command: run.settings.opener.command), clipboard: clipboard,
      file: RowFile(
        source: run.source, reader: reader, home: dependencies.environment["HOME"], zone: dependencies.zone,
        settings: run.settings.output),
      history: history,
      columns: ColumnKeeper(source: keptSource, configuration: configuration, clipboard: clipboard),
      isReplay: dependencies.replay != nil,
      programs: ProgramRunner(reader: reader, terminal: programs))
  }
}

typealias PagerSystem = FeedbackSystem<PagerState, PagerEvent>

extension PagerSystem {
  convenience init(
    with state: PagerState, _ feedbacks: [Feedback<PagerState, PagerEvent>], _ dependencies: Dependencies
  ) {
    self.init(
      initialState: state, reduce: { $0.reduce($1) }, feedbacks: feedbacks,
      guard: .session(by: dependencies.clock),
      onTrip: { .tripped("\($0)") }, executor: dependencies.workers)
  }
}

extension Feedback where State == PagerState, Event == PagerEvent {
  /// Debounces typing: an event follows the last edit; each edit cancels the one before it.
  static func debounce(_ dependencies: Dependencies) -> Self {
    let (clock, now) = (dependencies.clock, dependencies.now)
    return .react(to: { $0.debounce }, name: "rest") { request in
      do { try await clock.sleep(for: request.delay) } catch { return nil }
      return .rested(edit: request.edit, at: now())
    }
  }

  /// Reports that no key has followed the beginning of a sequence for 400 ms.
  static func prefix(by clock: any Clock<Duration>) -> Self {
    .react(to: { $0.prefix }, name: "prefix") { keys in
      do { try await clock.sleep(for: .milliseconds(400)) } catch { return nil }
      return .prefixRested(keys)
    }
  }

  /// Filters, sorts, searches and summarizes the rows of the list in the background.
  static var orders: [Self] {
    [
      order("order") { $0.orderRequest }, order("search") { $0.searchRequest },
      .react(to: { $0.summaryRequest }, name: "summary", progress: { _, _ in true }) { request in
        await request.run().map { .summarized($0) }
      },
    ]
  }

  private static func order(
    _ name: String, _ request: @escaping @Sendable (PagerState) -> RowOrderRequest?
  ) -> Self {
    .react(to: request, name: name, progress: { _, _ in true }) { (request: RowOrderRequest, emit) in
      await request.run { emit(.ordered($0)) }
    }
  }

  /// Loads the row of the detail popup or the preview, unless the screen reads it itself.
  static func details(by reader: DetailReader, clock: any Clock<Duration>) -> Self {
    .react(
      to: { state in state.readingRequest.flatMap { $0.isQuick ? nil : $0 } }, name: "detail",
      progress: { _, _ in true }
    ) { request in
      if request.delay > .zero { do { try await clock.sleep(for: request.delay) } catch { return nil } }
      return .read(await reader.content(of: request.row, request.part), for: request.identity)
    }
  }

  /// Performs each effect once.
  static func effects(by runner: EffectRunner) -> Self {
    .react(toEach: { $0.effects.started }, name: "effects", progress: { _, _ in true }) { effect, emit in
      let outcome = await runner.outcome(of: effect) { emit(.programPrinted(id: effect.id, $0)) }
      emit(.effectEnded(id: effect.id, outcome))
    }
  }

  /// Loads the queries of previous sessions, once.
  static func history(_ find: @escaping @Sendable () -> [String]) -> Self {
    .bind(name: "history", progress: { _, _ in true }) { _, emit in emit(.historyRead(find())) }
  }

  /// Reports to the user if the recording ends before the session.
  static func recording(by recorder: Recorder?) -> Self {
    .bind(name: "recording", progress: { _, _ in true }) { _, emit in
      if let failure = await recorder?.failure { emit(.warned("recording stopped: \(failure)")) }
    }
  }

  /// Finds the sources with rows under these, once.
  static func children(_ find: @escaping @Sendable () -> [SourceChoice]) -> Self {
    .bind(name: "children", progress: { _, _ in true }) { _, emit in
      let children = find()
      if !children.isEmpty { emit(.childrenFound(children)) }
    }
  }

  /// Looks up the sources, and whether their credentials are there, each time a list of them is opened.
  static func sources(_ find: @escaping @Sendable () -> [SourceChoice]) -> Self {
    .react(to: { $0.overlays.sourcesRequest }, name: "sources", progress: { _, _ in true }) { _ in
      .sourcesFound(find())
    }
  }

  /// Schedules a redraw; `wakeScreen` is called for every state.
  static func screen(_ wakeScreen: @escaping @Sendable () -> Void) -> Self {
    .observe(name: "screen") { _ in wakeScreen() }
  }
}
