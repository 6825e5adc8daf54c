import Config
import Dispatch
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
  /// Whether the user reads and types lines of text, without a screen.
  private let readsLines: Bool
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
  ///   - readsLines: Whether the user reads and types lines of text, without a screen.
  ///   - rows: Rows of the program itself, in place of those of a source.
  ///   - restores: Whether to show the tabs of the last session again.
  init(
    _ request: RequestOptions, _ list: ListOptions, columns: String?, _ dependencies: Dependencies,
    _ purpose: PagerRules.Purpose, _ terminal: TerminalOptions, readsLines: Bool = false,
    rows: LocalRows? = nil, restores: Bool = false, _ message: Message
  ) throws {
    let dependencies = try request.recording(dependencies)
    var isReady = false
    defer { if !isReady { dependencies.recorder?.discardUnlessBegun() } }
    self.dependencies = dependencies
    (self.purpose, self.readsLines) = (purpose, readsLines)
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
    if readsLines { return try runLines(message) }
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

  /// - Returns: As `run`.
  private func runLines(_ message: Message) throws -> (exitReason: LoopExit, choice: Choice?) {
    let tty = try TTY(path: dependencies.terminal)
    let size = Size(columns: tty.size.columns, rows: LineView.screenHeight)
    let canvas = Canvas(size: size, widthModel: .codePoints)
    let changed = DispatchSemaphore(value: 0)
    let terminal: Descriptor
    do { terminal = try Descriptor(opening: dependencies.terminal, O_RDWR | O_NOCTTY) } catch {
      throw CommandError("cannot open \(dependencies.terminal): \(error)", .failed)
    }
    defer { terminal.close() }
    let tabs = tabs(on: canvas, message) { changed.signal() }
    defer { tabs.close(isUrgent: false) }
    let session = LineSession(tabs: tabs, terminal: terminal, changed: changed)
    dependencies.endAfterExchanges(message, unless: session.takes)
    let exitReason: LoopExit
    do { exitReason = try session.run(on: canvas) } catch {
      throw CommandError("cannot write to \(dependencies.terminal): \(error)", .failed)
    }
    if purpose == .browse, configuration.settings.history.isEnabled {
      tabs.saved.write(environment: dependencies.environment)
    }
    return (exitReason, tabs.choice)
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
      throw CommandError("pick shows one saved search. To open several, use riffle browse", .usage)
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
    rules.readsLines = readsLines
    if dependencies.replay?.isOnScreen == true { rules.title += " (replay)" }
    rules.goal = goal(of: path, request)
    if path.isEmpty {
      rules.list = try ListRules(
        request.list, columns: request.columns, over: request.search, of: run.source)
    }
    return PagerSession(
      run: run, request: request, reader: RowReader(archive: ArchiveFile(in: folders).archive),
      dependencies: dependencies, rules: rules, clipboard: clipboard, programs: programs, path: path,
      findChildren: findChildren, findSources: findSources, configuration: configuration)
  }

  /// What the user wants to see under a row of the first list; nil for that list itself.
  private func goal(of path: [String], _ request: SessionRequest) -> PagerRules.Goal? {
    guard let next = path.first, let row = try? configuration.catalog.entry(named: next).source.parent?.name,
      let last = path.last, let wanted = try? configuration.catalog.entry(named: last).source
    else { return nil }
    let query = wanted.usesQuery ? request.options.words.joined(separator: " ") : ""
    return PagerRules.Goal(title: wanted.title, row: row, query: query)
  }

  private var findSources: @Sendable () -> [SourceChoice] {
    { [configuration, dependencies] in
      dependencies.foundSources("sources") { configuration.sourceChoices }
    }
  }

  private var listRules: PagerRules {
    var rules = PagerRules(title: "choose a source")
    rules.purpose = purpose
    rules.readsLines = readsLines
    rules.apply(configuration.settings, on: terminal)
    return rules
  }
}

extension Interactive {
  /// Browses until the user quits. Without a terminal, writes the rows as a search for scripts does.
  ///
  /// - Parameter restores: Whether to show the tabs of the last session again.
  package static func browse(
    _ request: RequestOptions, _ list: ListOptions, columns: String?, _ screen: ScreenOptions,
    restores: Bool = false, _ dependencies: Dependencies, _ message: Message
  ) throws -> RunEnd {
    guard let terminal = screen.terminal(dependencies),
      dependencies.replay?.hasScreen ?? dependencies.output.isTerminal
    else {
      if restores { throw CommandError("--restore needs a terminal", .usage) }
      var (rows, form) = (try RowOptions.unset(), try FormatOptions.unset())
      (rows.sort, rows.filter, form.columns) = ([list.sort].compactMap(\.self), list.filter, columns)
      return try OneShot.run(request, rows, form, .unset(), dependencies, message)
    }
    let outcome = try outcome(
      request, list, columns: columns, dependencies, .browse, terminal, readsLines: screen.plain, message,
      terminalFailure: .failed, restores: restores)
    return RunEnd(outcome.exitReason)
  }

  /// Writes the rows that the user chooses.
  package static func pick(
    _ request: RequestOptions, _ list: ListOptions, _ form: FormatOptions, _ screen: ScreenOptions,
    _ dependencies: Dependencies, _ message: Message
  ) throws -> RunEnd {
    guard let terminal = screen.terminal(dependencies) else {
      throw CommandError(
        "pick needs a screen: TERM is empty or dumb. Add --plain, or use riffle search, which needs no terminal",
        .usage)
    }
    if form.output == nil { try dependencies.requireOutput() }
    let outcome = try outcome(
      request, list, dependencies, .pick, terminal, readsLines: screen.plain, message,
      terminalFailure: .usage)
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
    _ purpose: PagerRules.Purpose, _ terminal: TerminalOptions, readsLines: Bool = false, _ message: Message,
    terminalFailure: ExitStatus, rows: LocalRows? = nil, restores: Bool = false
  ) throws -> (exitReason: LoopExit, choice: Choice?) {
    do {
      let interactive = try Interactive(
        request, list, columns: columns, dependencies, purpose, terminal, readsLines: readsLines, rows: rows,
        restores: restores, message)
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
