import Config
import FeedbackLoop
import Pager
import Search
import Synchronization
import Terminal

/// One source's session: connects the pager's state to the network, the clock, the archive and the user's
/// programs.
struct PagerSession {
  let prepared: Run
  let reader: RowReader
  private let dependencies: Dependencies
  private let rules: PagerRules
  private let clipboard: TerminalClipboard
  private let file: RecordingFile?

  /// - Parameter terminal: The terminal's options, including the user's settings.
  init(
    _ prepared: Run, _ dependencies: Dependencies, _ purpose: PagerRules.Purpose,
    on terminal: TerminalOptions,
    _ clipboard: TerminalClipboard, recordingIn file: RecordingFile?
  ) throws(CommandError) {
    self.prepared = prepared
    self.dependencies = dependencies
    self.clipboard = clipboard
    self.file = file
    rules = try prepared.pagerRules(purpose, zone: dependencies.zone, on: terminal)
    reader = RowReader(
      archive: ArchiveFile(in: ArchiveFile.folders(environment: dependencies.environment)).archive)
  }

  /// - Parameters:
  ///   - canvas: The canvas to draw on, if known.
  ///   - leadsBack: Whether the user can go back to a list of sources from here.
  ///   - wakeScreen: Called for every state.
  func start(
    on canvas: Canvas, leadsBack: Bool, wakeScreen: @escaping @Sendable () -> Void
  ) -> (system: PagerSystem, recording: SessionRecording) {
    var rules = rules
    rules.leadsBack = leadsBack
    let initialState = PagerInitialState(
      rules: rules, session: prepared.sessionRules(), columns: prepared.source.columns, canvas: canvas,
      query: prepared.query, now: dependencies.now())
    let recording = SessionRecording(
      RecordingHeader(source: prepared.source.id, initialState: .pager(initialState)), file: file,
      home: dependencies.environment["HOME"], redacting: prepared.redacted)
    let system = PagerSystem.started(
      with: initialState.state, feedbacks(recording) + [.screen(wakeScreen)], recorder: recording.hook)
    return (system, recording)
  }

  private func feedbacks(_ recording: SessionRecording) -> [Feedback<PagerState, PagerEvent>] {
    let columns = RunColumns(prepared.source.columns)
    let loader = prepared.loader()
    let history = history
    return [
      .pages(from: loader, makeContent: makeCells(columns), moment: dependencies.moment),
      .total(from: loader, moment: dependencies.moment),
      .alarm(by: dependencies.clock, now: dependencies.now),
      .debounce(by: dependencies.clock),
      .details(by: details(loader, columns)), .effects(by: effects(history, recording)),
      .history(in: history),
      recording.feedback,
    ] + Feedback.orders
  }

  /// Formats rows as cells off the screen's thread, and stores the original rows in the archive.
  private func makeCells(_ columns: RunColumns) -> RowMapper {
    let link = prepared.source.rows.link
    let context = context
    let archive = reader.archive
    return { rows in
      var cells = CellTable(rows, columns: columns.columns(for: rows), link: link, context: context())
      cells.archived = ArchivedRows(rows, in: archive)
      return .cells(cells)
    }
  }

  private var context: @Sendable () -> FormatContext {
    { [now = dependencies.now, zone = dependencies.zone] in FormatContext(now: now(), zone: zone) }
  }

  private func details(_ loader: PageLoader, _ columns: RunColumns) -> DetailReader {
    DetailReader(
      source: prepared.source, reader: reader, loader: loader, columns: columns,
      context: context)
  }

  private func effects(_ history: HistoryFile, _ recording: SessionRecording) -> EffectRunner {
    EffectRunner(
      reader: reader, opener: Opener(command: prepared.settings.opener.command),
      clipboard: Clipboard(terminal: clipboard, environment: dependencies.environment),
      file: RowFile(
        source: prepared.source, reader: reader, home: dependencies.environment["HOME"],
        zone: dependencies.zone),
      history: history, recording: recording)
  }

  private var history: HistoryFile {
    let settings = prepared.settings.history
    return HistoryFile(
      path: settings.isEnabled ? HistoryFile.path(environment: dependencies.environment) : nil,
      source: prepared.source.id, size: settings.size)
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
