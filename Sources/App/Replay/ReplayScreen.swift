import FeedbackLoop
import Pager
import Search
import Terminal
import Text

/// Plays recordings.
package enum Replay {
  /// Plays the recording on the screen, or prints its final state if there is no terminal or no screen was
  /// recorded.
  package static func run(_ file: String, _ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    do {
      var recording = try RecordingReader(file)
      if recording.header.lostEvents > 0 {
        message.note("the first \(recording.header.lostEvents) events were dropped: the screen may differ")
      }
      if let options = TerminalOptions(environment: dependencies.environment),
        dependencies.output.isTerminal,
        case .pager(let initialState) = recording.header.initialState
      {
        return RunEnd(try ReplayScreen.run(recording, initialState, on: options, dependencies))
      }
      let (text, fault) = recording.lastScreen()
      try dependencies.print(text)
      if let fault {
        if !fault.isCut { throw fault }
        message.note("\(fault)")
      }
      return .status(.done)
    } catch let fault as RecordingFault {
      throw CommandError("\(fault)", .failed)
    } catch let error as SystemError {
      throw CommandError(error, .failed)
    }
  }
}

/// Replays a recorded session on the screen; afterwards its final state can be explored. Confined to the
/// screen's thread.
final class ReplayScreen {
  private let playing: Playing
  private let player: Task<Void, Never>
  private let wakeScreen: @Sendable () -> Void
  /// Set once the user continues from the end of the recording.
  private var system: PagerSystem?
  private var canvas: Canvas
  private var isLeft = false
  /// Keys, pastes and the mouse, for the session that continues the recording.
  private var typedAfterSkip: [PagerEvent] = []

  /// Runs until the user quits.
  static func run(
    _ recording: consuming RecordingReader, _ initialState: PagerInitialState, on options: TerminalOptions,
    _ dependencies: Dependencies
  ) throws -> LoopExit {
    let tty = try TTY(path: dependencies.terminal)
    let wake = try Wake()
    var initialState = initialState
    // The viewer's own colors, or the defaults if the configuration is invalid.
    var own = PagerRules(title: "")
    if let configuration = try? Configuration(dependencies) { own.apply(configuration.settings, on: options) }
    initialState.rules.theme = own.theme
    initialState.rules.themes = own.themes
    initialState.rules.title += " (replay)"
    let screen = ReplayScreen(
      recording, initialState.state, on: Canvas(size: tty.size, widthModel: .codePoints),
      wakeScreen: { wake() })
    defer { screen.close() }
    return try UILoop.run(
      on: tty, ownsProcess: dependencies.ownsProcess, wake: wake, options: options, handle: screen.handle,
      step: screen.step)
  }

  private init(
    _ recording: consuming RecordingReader, _ state: PagerState, on canvas: Canvas,
    wakeScreen: @escaping @Sendable () -> Void
  ) {
    let playing = Playing(recording, state)
    self.playing = playing
    self.canvas = canvas
    self.wakeScreen = wakeScreen
    player = Task.detached(executorPreference: Workers.shared) { await playing.play(wakeScreen) }
  }

  private func close() {
    player.cancel()
    system?.stop()
  }

  private func handle(_ event: UIEvent) {
    guard let event = PagerEvent(event) else { return }
    switch event {
    case .key, .pasted, .mouse: return use(event)
    case .resized(let canvas), .resumed(let canvas): self.canvas = canvas
    case .background where system == nil: playing.adopt(event)
    default: break
    }
    system?.send(event)
  }

  private func step() -> UIStep {
    if system == nil, playing.isOver, !typedAfterSkip.isEmpty { continueSession() }
    let state = system?.state ?? playing.state
    switch system == nil ? nil : state.exitReason {
    case nil:
      return isLeft ? .leave : .draw(PagerView.frame(state).clipped(to: canvas))
    case .suspend: return .suspend
    case .children, .child:
      system?.send(.refused("a recording has no rows of other sources"))
      return step()
    case .open, .tab:
      system?.send(.refused("a recording has no other sources"))
      return step()
    case .quit, .quitAll, .accept, .source: return .leave
    }
  }

  /// During playback, a key skips to the end or quits. What is typed after it waits for the end; from then on
  /// everything works as in a session.
  private func use(_ input: PagerEvent) {
    if let system { return system.send(input) }
    switch input {
    case .key(Key("q")) where typedAfterSkip.isEmpty, .key(Key("c", .ctrl)) where typedAfterSkip.isEmpty:
      isLeft = true
    case _ where playing.isOver || player.isCancelled: typedAfterSkip.append(input)
    case .key: player.cancel()
    default: break
    }
  }

  /// Creates a system that continues from the final state of the recording.
  private func continueSession() {
    let system = PagerSystem(with: playing.state, Feedback.ofReplay + [.screen(wakeScreen)])
    system.start()
    system.send(.resumed(canvas))
    for input in typedAfterSkip { system.send(input) }
    self.system = system
  }
}

/// Plays a recording: applies its events with their original delays, each limited to a second, or immediately
/// once the task is canceled.
private final class Playing: Sendable {
  private struct Progress {
    var state: PagerState
    var isOver = false
  }

  private let progress: Lock<Progress>
  private let recording: Lock<RecordingReader>

  init(_ recording: consuming RecordingReader, _ state: PagerState) {
    progress = Lock(Progress(state: state))
    self.recording = Lock(recording)
  }

  var state: PagerState { progress.withLock { $0.state } }
  var isOver: Bool { progress.withLock { $0.isOver } }

  /// Applies an event from the viewer's own terminal.
  func adopt(_ event: PagerEvent) { progress.withLock { $0.state.reduce(event) } }

  func play(_ wakeScreen: @Sendable () -> Void) async {
    let clock = AlarmClock()
    var now = Duration.zero
    do throws(RecordingFault) {
      while let entry = try next() {
        let pause = min(max(.zero, entry.time - now), .seconds(1))
        now = entry.time
        if pause > .milliseconds(1) { try? await clock.sleep(for: pause) }
        // Colors follow the background of the viewer's terminal.
        if case .background = entry.event { continue }
        progress.withLock { $0.state.reduce(entry.event) }
        if !Task.isCancelled { wakeScreen() }
      }
    } catch { adopt(.warned("\(error)")) }
    progress.withLock { $0.isOver = true }
    wakeScreen()
  }

  private func next() throws(RecordingFault) -> EventLog<PagerEvent>.Entry? {
    try recording.withLock { (recording) throws(RecordingFault) in try recording.next(PagerEvent.self) }
  }
}

extension Frame {
  /// The frame, cut to the size of the viewer's screen.
  fileprivate func clipped(to canvas: Canvas) -> Frame {
    var frame = Frame(canvas, lines: lines, caret: caret, title: title, redraws: redraws)
    frame.tracksMouse = tracksMouse
    return frame
  }
}

extension Feedback where State == PagerState, Event == PagerEvent {
  /// The feedbacks available after a replay: filter, sort and search rows. All other effects are refused.
  static var ofReplay: [Self] {
    orders + [
      .react(toEach: \.pageRequests, name: "pages", progress: { _, _ in true }) { request in
        let error = PageError(.invalidRequest, message: "this is a replay: nothing is loaded")
        return .session(.failed(error, for: request, at: Moment(now: 0)))
      },
      .react(to: { $0.totalQuery }, name: "total", progress: { _, _ in true }) {
        .session(.totalReceived(TotalReply(nil), for: $0))
      },
      // A replay never waits; the budget stays at its last recorded value.
      .react(to: { $0.session.phase.isWaiting ? $0.alarm : nil }, name: "alarm", progress: { _, _ in true }) {
        .session(.reached($0))
      },
      .react(to: { $0.readingRequest }, name: "detail", progress: { _, _ in true }) {
        .read(RowDetail.Content(cellsOf: $0.row), for: $0.identity)
      },
      .react(toEach: \.startedEffects, name: "effects", progress: { _, _ in true }) { effect in
        if case .remember = effect.task { return .effectEnded(id: effect.id, .done(nil)) }
        let refusal = "this is a replay: nothing is opened, copied, run or written"
        return .effectEnded(id: effect.id, .failed(refusal))
      },
    ]
  }
}

extension RowDetail.Content {
  /// Creates the row's document from the cells of a recording.
  fileprivate init(cellsOf row: RowReference) {
    guard case .cells(let cells) = row.content, !cells.columns.isEmpty else {
      self = .failed("the recording no longer contains the text of this row")
      return
    }
    var fields = cells.columns.indices.map { column in
      RowDetail.Field(
        title: cells.columns[column].title, text: cells.cell(row: row.row, column: column).string)
    }
    fields.append(RowDetail.Field(title: "Link", text: cells.link(row: row.row)))
    self = .read(
      fields: fields.filter { !$0.text.isEmpty }, body: nil,
      json: ["the recording does not contain the row's JSON"])
  }
}
