import Config
import FeedbackLoop
import HTTPTransport
import Pager
import Search
import Terminal

/// One source's session: connects the pager's state to the network, the clock, the archive and the user's
/// programs.
struct PagerSession {
  let prepared: PreparedRun
  let reader: RowReader
  private let world: World
  private let rules: PagerRules
  private let clipboard: TerminalClipboard
  private let file: RecordingFile?

  /// - Parameter terminal: The terminal's options, including the user's settings.
  init(
    _ prepared: PreparedRun, _ world: World, _ purpose: PagerRules.Purpose, on terminal: TerminalOptions,
    _ clipboard: TerminalClipboard, recordingIn file: RecordingFile?
  ) throws(Complaint) {
    self.prepared = prepared
    self.world = world
    self.clipboard = clipboard
    self.file = file
    rules = try prepared.pagerRules(purpose, zone: world.zone, on: terminal)
    reader = RowReader(
      archive: ArchiveFile(in: ArchiveFile.folders(environment: world.environment)).archive)
  }

  /// - Parameters:
  ///   - canvas: The canvas to draw on, if known.
  ///   - leadsBack: Whether the user can go back to a list of sources from here.
  ///   - awaken: Called for every state.
  func start(
    on canvas: Canvas, leadsBack: Bool, awaken: @escaping @Sendable () -> Void
  ) -> (system: PagerSystem, recording: SessionRecording) {
    var rules = rules
    rules.leadsBack = leadsBack
    let beginning = PagerBeginning(
      rules: rules, session: prepared.sessionRules(), columns: prepared.source.columns, canvas: canvas,
      query: prepared.query, now: world.now())
    let recording = SessionRecording(
      RecordingHeader(source: prepared.source.id, beginning: .pager(beginning)), file: file,
      home: world.environment["HOME"], redacting: prepared.redacted)
    let system = PagerSystem.started(
      with: beginning.state, feedbacks(recording) + [.screen(awaken)], recorder: recording.hook)
    return (system, recording)
  }

  private func feedbacks(_ recording: SessionRecording) -> [Feedback<PagerState, PagerEvent>] {
    let columns = SettledColumns(prepared.source.columns)
    let loader = prepared.loader()
    let history = history
    return [
      .pages(from: loader, makeContent: makeCells(columns), moment: world.moment),
      .total(from: loader, moment: world.moment), .alarm(by: world.clock, now: world.now),
      .rest(by: world.clock),
      .details(by: details(loader, columns)), .errands(by: errands(history, recording)),
      .history(in: history),
      recording.feedback,
    ] + Feedback.orders
  }

  /// Formats rows as cells off the screen's thread, and stores the original rows in the archive.
  private func makeCells(_ columns: SettledColumns) -> ContentMaker {
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
    { [now = world.now, zone = world.zone] in FormatContext(now: now(), zone: zone) }
  }

  private func details(_ loader: PageLoader, _ columns: SettledColumns) -> DetailReader {
    DetailReader(
      source: prepared.source, reader: reader, loader: loader, columns: columns,
      context: context)
  }

  private func errands(_ history: HistoryFile, _ recording: SessionRecording) -> ErrandRunner {
    ErrandRunner(
      reader: reader, opener: Opener(command: prepared.settings.opener.command),
      clipboard: Clipboard(terminal: clipboard, environment: world.environment),
      file: RowFile(
        source: prepared.source, reader: reader, home: world.environment["HOME"], zone: world.zone),
      history: history, recording: recording)
  }

  private var history: HistoryFile {
    let settings = prepared.settings.history
    return HistoryFile(
      path: settings.isEnabled ? HistoryFile.path(environment: world.environment) : nil,
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
