import Config
import FeedbackLoop
import Glibc
import Output
import Pager
import Search
import Synchronization
import Terminal
import Text

/// The interactive program: a session on the screen, or a list of sources and the session chosen from it. All
/// input and drawing happen on the calling thread.
package struct Interactive {
  private let request: RequestOptions
  private let dependencies: Dependencies
  private let purpose: PagerRules.Purpose
  private let terminal: TerminalOptions
  private let configuration: Configuration
  private let wake: Wake
  private let clipboard: TerminalClipboard
  private let recording: RecordingFile?
  /// Nil if the user chooses a source from a list.
  private var session: PagerSession?

  /// Performs all checks that can fail before the screen is taken over.
  ///
  /// - Parameters:
  ///   - terminal: The options derived from the environment.
  ///   - rows: Rows of the program itself, in place of those of a source.
  init(
    _ request: RequestOptions, _ dependencies: Dependencies, _ purpose: PagerRules.Purpose,
    _ terminal: TerminalOptions, rows: LocalRows? = nil
  ) throws {
    self.dependencies = dependencies
    self.purpose = purpose
    configuration = try Configuration(dependencies, file: request.config, commandLine: request.settingValues)
    var request = request
    request.source = request.source ?? configuration.settings.search.source
    self.request = request
    var terminal = terminal
    terminal.apply(configuration.settings)
    self.terminal = terminal
    let wake = try Wake()
    self.wake = wake
    clipboard = TerminalClipboard { wake() }
    recording = try request.recording(dependencies)
    do {
      if let rows {
        session = try session(Run(of: rows, dependencies, configuration), path: [])
      } else {
        session = try request.source.map { try open(.source(id: $0)) }
      }
    } catch {
      recording?.remove()
      throw error
    }
  }

  /// - Returns: Why the user interface ended, and the rows chosen in `pick`. The terminal has been restored.
  func run(_ message: Message) throws -> (exitReason: LoopExit, choice: Choice?) {
    let tty = try TTY()
    let screenThread = pthread_self()
    // A key is always followed by a redraw; only events from other threads must wake the screen.
    let wakeScreen: @Sendable () -> Void = { [wake] in
      if pthread_equal(pthread_self(), screenThread) == 0 { wake() }
    }
    let stack = SessionStack(
      on: Canvas(size: tty.size, widthModel: .codePoints), dependencies, message, clipboard,
      wakeScreen: wakeScreen, open: open)
    defer { stack.close() }
    if let session { stack.push(session) } else { stack.push(listOf: listRules) }
    let exitReason = try UILoop.run(
      on: tty, wake: wake, options: terminal, handle: stack.handle, step: stack.step)
    return (exitReason, stack.choice)
  }

  private func open(_ target: SessionTarget) throws(CommandError) -> PagerSession {
    switch target {
    case .source(let name): return try open(name)
    case .child(let id, let parent, let row, let name):
      let child = try configuration.entry(id)
      guard let row = try parent.row(row, asParentOf: child.source) else {
        throw CommandError("this row has no \(child.source.title)", .failed)
      }
      let run = try Run(request, of: child, under: row, in: parent.run, dependencies, configuration)
      let names = [row.firstCopy, name, row.value].compactMap(\.self)
      return try session(run, under: names.first { !$0.isEmpty }, path: Array(parent.path.dropFirst()))
    }
  }

  /// A source, or the first of the sources above it if one of their rows has to be chosen before.
  private func open(_ name: String) throws(CommandError) -> PagerSession {
    var request = request
    let entry = try configuration.entry(name)
    let chosen = Dictionary(request.set.map { ($0.name, $0.value) }) { $1 }
    let lineage = try configuration.lineage(of: entry, options: chosen).map(\.source)
    let path = lineage.dropFirst().map(\.id)
    if let first = lineage.first, !path.isEmpty {
      request.source = first.id
      request.set.removeAll { pair in !first.options.contains { $0.name == pair.name } }
      if !first.usesQuery || entry.source.usesQuery { request.words = [] }
    } else {
      request.source = name
    }
    // Of given values, the first is as good as any.
    if let parent = lineage.first?.parent, case .values(let values) = parent.rows, chosen[parent.name] == nil,
      let value = values.first
    {
      request.set.append(NameValue(name: parent.name, value: value))
    }
    return try session(Run(request, dependencies, rows: nil, configuration: configuration), path: path)
  }

  /// - Parameters:
  ///   - parent: The name of the row that its list hangs under.
  ///   - path: The sources that the user wants to see, each under a row of the one before.
  private func session(
    _ run: Run, under parent: String? = nil, path: [String]
  ) throws(CommandError) -> PagerSession {
    let folders = ArchiveFile.folders(environment: dependencies.environment)
    let id = run.source.id
    let findChildren: @Sendable () -> [SourceChoice] = { [configuration] in
      let children = path.first.map { [try? configuration.entry($0)].compactMap(\.self) }
      return (children ?? configuration.catalog.children(of: id))
        .map { SourceChoice(id: $0.source.id, title: $0.source.title) }
    }
    return PagerSession(
      run: run, reader: RowReader(archive: ArchiveFile(in: folders).archive), dependencies: dependencies,
      rules: try run.pagerRules(purpose, zone: dependencies.zone, on: terminal, under: parent),
      clipboard: clipboard, file: recording, path: path, findChildren: findChildren,
      configuration: configuration)
  }

  private var listRules: PagerRules {
    var rules = PagerRules(title: "choose a source")
    rules.purpose = purpose
    rules.sources = configuration.catalog.all().entries.map {
      SourceChoice(id: $0.source.id, title: $0.source.title)
    }
    rules.apply(configuration.settings, on: terminal)
    return rules
  }
}

extension Interactive {
  /// Browses until the user quits. Without a terminal, writes the rows as a search for scripts does.
  package static func browse(
    _ request: RequestOptions, _ dependencies: Dependencies, _ message: Message
  ) throws -> RunEnd {
    guard let terminal = TerminalOptions(environment: dependencies.environment),
      dependencies.isOutputTerminal
    else {
      return try OneShot.run(request, RowOptions(), FormatOptions(), ReportOptions(), dependencies, message)
    }
    let outcome = try outcome(request, dependencies, .browse, terminal, message, terminalFailure: .failed)
    return RunEnd(outcome.exitReason)
  }

  /// Writes the rows that the user chooses.
  package static func pick(
    _ request: RequestOptions, _ form: FormatOptions, _ dependencies: Dependencies, _ message: Message
  ) throws -> RunEnd {
    guard let terminal = TerminalOptions(environment: dependencies.environment) else {
      throw CommandError(
        "pick needs a terminal: TERM is empty or dumb. Use riffle search, which needs none", .usage)
    }
    if form.output == nil { try Descriptor.requireStandardOutput() }
    let outcome = try outcome(request, dependencies, .pick, terminal, message, terminalFailure: .usage)
    let end = RunEnd(outcome.exitReason)
    guard end == .status(.done) else { return end }
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
    var request = RequestOptions()
    request.config = file
    let outcome = try outcome(
      request, dependencies, .pick, terminal, message, terminalFailure: .failed, rows: rows)
    let end = RunEnd(outcome.exitReason)
    guard end == .status(.done) else { return (end, []) }
    guard let choice = outcome.choice else { return (.canceled, []) }
    return (end, try LocalRows.indices(in: choice))
  }

  /// - Parameter terminalFailure: The exit status if there is no usable terminal.
  private static func outcome(
    _ request: RequestOptions, _ dependencies: Dependencies, _ purpose: PagerRules.Purpose,
    _ terminal: TerminalOptions, _ message: Message, terminalFailure: ExitStatus, rows: LocalRows? = nil
  ) throws -> (exitReason: LoopExit, choice: Choice?) {
    do {
      let interactive = try Interactive(request, dependencies, purpose, terminal, rows: rows)
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
    signal(SIGPIPE, SIG_IGN)
    let run = session.run
    var writer = try form.writer(for: run.source, run.settings, dependencies)
    let target = try form.target()
    do {
      try writer.write(rows, from: session.reader) { try target.write($0) }
    } catch let error as Errno {
      if error != .closedPipe { throw CommandError("cannot write output: \(error)", .output) }
    } catch let error as ColumnSelectionError {
      throw CommandError("\(error)", .usage)
    } catch let error as RowReader.Failure {
      throw CommandError("\(error)", .failed)
    }
  }
}

// MARK: - The screens

/// What to show next.
enum SessionTarget {
  case source(id: String)
  /// The rows of a source that hang under a row; `name` is the text of that row for the title.
  case child(id: String, of: PagerSession, under: RowReference, name: String)
}

/// The screens of the program, each opened from the one below it: a list of sources, the session chosen from it, and
/// sessions of rows under a row. It is confined to the screen's thread.
final class SessionStack {
  private struct Layer {
    let system: PagerSystem
    /// Nil for the list of sources.
    var session: PagerSession?
    var recording: SessionRecording?
  }

  private var layers: [Layer] = []
  /// The runs of closed screens, whose tokens may still be on their way.
  private var endings: [Task<Void, Never>] = []
  private var canvas: Canvas
  private var traits: TerminalTraits?

  private let dependencies: Dependencies
  private let message: Message
  private let clipboard: TerminalClipboard
  private let wakeScreen: @Sendable () -> Void
  private let open: (SessionTarget) throws(CommandError) -> PagerSession

  /// - Parameter wakeScreen: Called, on any thread, when the frame may have changed.
  init(
    on canvas: Canvas, _ dependencies: Dependencies, _ message: Message, _ clipboard: TerminalClipboard,
    wakeScreen: @escaping @Sendable () -> Void,
    open: @escaping (SessionTarget) throws(CommandError) -> PagerSession
  ) {
    self.canvas = canvas
    self.dependencies = dependencies
    self.message = message
    self.clipboard = clipboard
    self.wakeScreen = wakeScreen
    self.open = open
  }

  func push(_ session: PagerSession) {
    let (system, recording) = session.start(on: canvas, leadsBack: !layers.isEmpty, wakeScreen: wakeScreen)
    layers.append(Layer(system: system, session: session, recording: recording))
    if let event = traits.flatMap({ PagerEvent(.learned($0)) }) { send(event) }
  }

  func push(listOf rules: PagerRules) {
    let list = PagerState.choosingSource(rules, canvas: canvas)
    layers.append(Layer(system: .started(with: list, [.screen(wakeScreen)])))
  }

  func handle(_ event: UIEvent) {
    switch event {
    case .input:
      follow()
      // The state's clock is never more than a tick behind a key.
      if let state = layers.last?.system.state,
        dependencies.now() - state.clock >= Dependencies.tick / .seconds(1)
      {
        send(.ticked(dependencies.now()))
      }
    case .elapsed: send(.ticked(dependencies.now()))
    case .copied(let id, let isSent): clipboard.noteSent(id, isSent)
    case .learned(let traits):
      self.traits = traits
      clipboard.learn(traits)
    case .resized(let canvas), .resumed(let canvas): self.canvas = canvas
    }
    if let event = PagerEvent(event) { send(event) }
  }

  func step() -> UIStep {
    follow()
    guard let state = layers.last?.system.state else { return .leave }
    switch state.exitReason {
    case nil:
      var frame = PagerView.frame(state)
      frame.copy = clipboard.current
      return .draw(frame, lasting: state.isAnimated ? Dependencies.tick : nil)
    case .suspend: return .suspend
    case .quit, .accept, .source, .children, .child: return .leave
    }
  }

  /// Opens and closes screens until the topmost one stays. Called before each key too, so that keys typed ahead
  /// reach the screen they are meant for.
  private func follow() {
    while let state = layers.last?.system.state {
      switch state.exitReason {
      case .source(let id): push(.source(id: id))
      case .children: openChild(of: state, nil)
      case .child(let id): openChild(of: state, id)
      case .quit where layers.count > 1:
        pop()
        send(.resumed(canvas))
      case nil, .suspend, .quit, .accept: return
      }
    }
  }

  /// Opens the rows of a source under the selected row, or the one source that has such rows.
  private func openChild(of state: PagerState, _ id: String?) {
    guard let session = layers.last?.session, let row = state.selectedReference else {
      return send(.resumed(canvas))
    }
    do throws(CommandError) {
      var ids = [id].compactMap(\.self)
      if id == nil { ids = try session.children(of: row, among: state.children.map(\.id)) }
      switch ids.count {
      case 0: send(.refused("this row has no \(state.children.map(\.title).joined(separator: " or "))"))
      case 1: push(.child(id: ids[0], of: session, under: row, name: state.selectedName))
      default: send(.childrenOffered(state.children.filter { ids.contains($0.id) }))
      }
    } catch { send(.refused(error.message)) }
  }

  private func push(_ target: SessionTarget) {
    do throws(CommandError) { push(try open(target)) } catch { send(.refused(error.message)) }
  }

  /// The rows chosen in `pick`; nil if none were chosen.
  var choice: Choice? {
    guard let layer = layers.last, layer.system.state.exitReason == .accept else { return nil }
    return layer.session.map { Choice(rows: layer.system.state.picked, session: $0) }
  }

  func close() {
    clipboard.close()
    while !layers.isEmpty { pop() }
    blocking { [endings, dependencies, message] in
      await dependencies.finishTokenExchanges(message)
      for ending in endings { await ending.value }
    }
  }

  private func send(_ event: PagerEvent) { layers.last?.system.send(event) }

  private func pop() {
    guard let layer = layers.popLast() else { return }
    layer.system.stop()
    if let run = layer.session?.run {
      endings.append(
        Task.detached(executorPreference: Workers.shared) { [dependencies] in
          await Run.close([run]) { await dependencies.tokenExchanges.finish(by: dependencies.clock) }
        })
    }
    if let recording = layer.recording { blocking { await recording.finish() } }
  }
}

extension PagerEvent {
  /// Nil for an event that does not concern the pager.
  init?(_ event: UIEvent) {
    switch event {
    case .input(.key(let key)): self = .key(key)
    case .input(.paste(let text)): self = .pasted(text)
    case .input(.mouse(let mouse)): self = .mouse(mouse)
    case .input(.focus(let isFocused)): self = .focused(isFocused)
    case .learned(let traits):
      guard let background = traits.background else { return nil }
      self = .background(background)
    case .resized(let canvas): self = .resized(canvas)
    case .resumed(let canvas): self = .resumed(canvas)
    case .input(.answer), .elapsed, .copied: return nil
    }
  }
}

// MARK: - One session

/// One source's session: connects the pager's state to the network, the clock, the archive and the user's
/// programs.
struct PagerSession {
  let run: Run
  let reader: RowReader
  let dependencies: Dependencies
  let rules: PagerRules
  let clipboard: TerminalClipboard
  /// The file of `--record`.
  let file: RecordingFile?
  /// See `Interactive.session`.
  let path: [String]
  /// The sources whose rows hang under the rows of this one. Reads the catalog.
  let findChildren: @Sendable () -> [SourceChoice]
  let configuration: Configuration

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
    do throws(RowReader.Failure) {
      let row = source.parent?.parents(in: try reader.row(reference)).first ?? nil
      return row?.value.isEmpty ?? true ? nil : row
    } catch { throw CommandError("\(error)", .failed) }
  }

  /// - Parameters:
  ///   - leadsBack: Whether the user can go back from here.
  ///   - wakeScreen: Called for every state.
  func start(
    on canvas: Canvas, leadsBack: Bool, wakeScreen: @escaping @Sendable () -> Void
  ) -> (system: PagerSystem, recording: SessionRecording) {
    var rules = rules
    rules.leadsBack = leadsBack
    let initialState = PagerInitialState(
      rules: rules, session: run.sessionRules(), columns: columns, canvas: canvas,
      query: run.query, now: dependencies.now())
    let recording = SessionRecording(
      RecordingHeader(source: run.source.id, initialState: .pager(initialState)), file: file,
      home: dependencies.environment["HOME"], redacting: run.redacted)
    let system = PagerSystem.started(
      with: initialState.state, feedbacks(recording) + [.screen(wakeScreen)], recorder: recording.hook)
    return (system, recording)
  }

  /// The source's columns. What is copied from the parent's row is the same in all rows of a list, so it is hidden.
  private var columns: [Column] {
    run.source.columns.map { column in
      var column = column
      if column.name.hasPrefix(Parent.columnPrefix) { column.isHidden = true }
      return column
    }
  }

  private func feedbacks(_ recording: SessionRecording) -> [Feedback<PagerState, PagerEvent>] {
    let columns = RunColumns(columns)
    let loader = run.loader()
    let context: @Sendable () -> FormatContext = { [now = dependencies.now, zone = dependencies.zone] in
      FormatContext(now: now(), zone: zone)
    }
    let details = DetailReader(
      source: run.source, reader: reader, loader: loader, columns: columns, context: context)
    let settings = run.settings.history
    let history = HistoryFile(
      path: settings.isEnabled ? HistoryFile.path(environment: dependencies.environment) : nil,
      source: run.source.id, size: settings.size)
    return [
      .pages(from: loader, makeContent: makeCells(columns, context), moment: dependencies.moment),
      .total(from: loader, moment: dependencies.moment),
      .alarm(by: dependencies.clock, now: dependencies.now),
      .debounce(by: dependencies.clock),
      .details(by: details, clock: dependencies.clock), .effects(by: effects(history, recording)),
      .history(in: history),
      .children(findChildren),
      recording.feedback,
    ] + Feedback.orders
  }

  /// Formats rows as cells off the screen's thread, and stores the original rows in the archive.
  private func makeCells(
    _ columns: RunColumns, _ context: @escaping @Sendable () -> FormatContext
  ) -> RowMapper {
    let link = run.source.rows.link
    let archive = reader.archive
    return { rows in
      var cells = CellTable(rows, columns: columns.columns(for: rows), link: link, context: context())
      cells.archived = ArchivedRows(rows, in: archive)
      return .cells(cells)
    }
  }

  private func effects(_ history: HistoryFile, _ recording: SessionRecording) -> EffectRunner {
    EffectRunner(
      reader: reader, opener: Opener(command: run.settings.opener.command),
      clipboard: Clipboard(terminal: clipboard, environment: dependencies.environment),
      file: RowFile(
        source: run.source, reader: reader, home: dependencies.environment["HOME"], zone: dependencies.zone),
      history: history, recording: recording)
  }
}

typealias PagerSystem = FeedbackSystem<PagerState, PagerEvent>

extension PagerSystem {
  static func started(
    with state: PagerState, _ feedbacks: [Feedback<PagerState, PagerEvent>],
    recorder: (@Sendable (Transition<PagerState, PagerEvent>) -> Void)? = nil
  ) -> PagerSystem {
    let system = PagerSystem(
      initialState: state, reduce: { $0.reduce($1) }, feedbacks: feedbacks, onTrip: { .tripped("\($0)") },
      executor: Workers.shared, recorder: recorder)
    system.start()
    return system
  }
}

/// The columns of a run: the source's, or those derived from the first page with rows and then fixed, so that
/// every page has the same columns.
final class RunColumns: Sendable {
  private let columns: Mutex<[Column]>

  init(_ declared: [Column]) { columns = Mutex(declared) }

  func columns(for rows: DocumentRows) -> [Column] {
    columns.withLock { columns in
      // Each column costs memory in every row.
      if columns.isEmpty { columns = Column.guessed(from: rows, limit: 50) }
      return columns
    }
  }
}

extension PagerState: SessionState {}

extension PagerEvent: SessionEventConvertible {
  var sessionEvent: SessionEvent? { if case .session(let event) = self { event } else { nil } }
}

extension Feedback where State == PagerState, Event == PagerEvent {
  /// Debounces typing: an event follows the last edit; each edit cancels the one before it.
  static func debounce(by clock: any Clock<Duration>) -> Self {
    .react(to: \.debounce, name: "rest") { request in
      do { try await clock.sleep(for: request.delay) } catch { return nil }
      return .rested(edit: request.edit)
    }
  }

  /// Filters, sorts, searches and summarizes the rows of the list in the background.
  static var orders: [Self] {
    [
      order("order") { $0.orderRequest }, order("search") { $0.searchRequest },
      .react(to: \.summaryRequest, name: "summary", progress: { _, _ in true }) { request in
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

  /// Loads the row of the detail popup or the preview.
  static func details(by reader: DetailReader, clock: any Clock<Duration>) -> Self {
    .react(to: \.readingRequest, name: "detail", progress: { _, _ in true }) { request in
      if request.delay > .zero { do { try await clock.sleep(for: request.delay) } catch { return nil } }
      return .read(await reader.content(of: request.row, request.part), for: request.identity)
    }
  }

  /// Performs each effect once.
  static func effects(by runner: EffectRunner) -> Self {
    .react(toEach: \.effects, name: "effects", progress: { _, _ in true }) { effect in
      .effectEnded(id: effect.id, await runner.outcome(of: effect))
    }
  }

  /// Loads the queries of previous sessions, once.
  static func history(in file: HistoryFile) -> Self {
    .bind(name: "history") { _, emit in emit(.historyRead(file.queries())) }
  }

  /// Finds the sources with rows under these, once.
  static func children(_ find: @escaping @Sendable () -> [SourceChoice]) -> Self {
    .bind(name: "children") { _, emit in
      let children = find()
      if !children.isEmpty { emit(.childrenFound(children)) }
    }
  }

  /// Schedules a redraw; `wakeScreen` is called for every state.
  static func screen(_ wakeScreen: @escaping @Sendable () -> Void) -> Self {
    .observe(name: "screen") { _ in wakeScreen() }
  }
}
