import FeedbackLoop
import Pager
import Search
import Synchronization
import Terminal
import Text

/// A recorded session on the screen: first it plays, then its end can be looked through. It belongs to the screen's
/// thread.
final class ReplayScreen {
  private let playing: Playing
  private let player: Task<Void, Never>
  private let awaken: @Sendable () -> Void
  /// Set as soon as somebody goes on from the end.
  private var system: PagerSystem?
  private var canvas: Canvas
  private var isLeft = false

  /// Plays until the user leaves.
  static func run(
    _ recording: consuming RecordingReader, _ beginning: PagerBeginning, on options: TerminalOptions,
    _ world: World
  ) throws -> Departure {
    let tty = try TTY()
    let wake = try Wake()
    var beginning = beginning
    beginning.rules.wear(world, on: options)
    beginning.rules.title += " (replay)"
    let screen = ReplayScreen(
      recording, beginning.state, on: Canvas(size: tty.size, widthModel: .codePoints), awaken: { wake() })
    defer { screen.close() }
    return try UILoop.run(on: tty, wake: wake, options: options, handle: screen.handle, step: screen.step)
  }

  private init(
    _ recording: consuming RecordingReader, _ state: PagerState, on canvas: Canvas,
    awaken: @escaping @Sendable () -> Void
  ) {
    let playing = Playing(recording, state)
    self.playing = playing
    self.canvas = canvas
    self.awaken = awaken
    player = Task.detached(executorPreference: Workers.shared) { await playing.play(awaken) }
  }

  private func close() {
    player.cancel()
    system?.stop()
  }

  private func handle(_ event: UIEvent) {
    switch event {
    case .input(.key(let key)): press(key)
    case .input(.paste(let text)): system?.send(.pasted(text))
    case .input(.mouse(let mouse)): system?.send(.mouse(mouse))
    case .input(.focus(let isFocused)): system?.send(.focused(isFocused))
    case .input(.answer), .copied, .elapsed: break
    case .learned(let traits):
      guard let background = traits.background else { return }
      if let system { system.send(.background(background)) } else { playing.adopt(.background(background)) }
    case .resized(let canvas):
      self.canvas = canvas
      system?.send(.resized(canvas))
    case .resumed(let canvas):
      self.canvas = canvas
      system?.send(.resumed(canvas))
    }
  }

  private func step() -> UIStep {
    let state = system?.state ?? playing.state
    switch system == nil ? nil : state.departure {
    case nil:
      return isLeft ? .leave : .draw(PagerView.frame(state).clipped(to: canvas))
    case .suspend: return .suspend
    case .quit, .accept, .source: return .leave
    }
  }

  /// While it plays, a key jumps to the end, or leaves; then keys are those of a session.
  private func press(_ key: Key) {
    if system == nil, key == Key("q") || key == Key("c", .ctrl) {
      isLeft = true
    } else if system == nil, !playing.isOver {
      player.cancel()
    } else {
      let system = system ?? goOn()
      system.send(.key(key))
    }
  }

  /// From the end of the recording, on the screen there is.
  private func goOn() -> PagerSystem {
    let system = PagerSystem.started(with: playing.state, Feedback.ofReplay + [.screen(awaken)])
    system.send(.resumed(canvas))
    self.system = system
    return system
  }
}

/// A recording on its way: its events become states at the times they did, at most a second apart; when the task is
/// cancelled, at once.
private final class Playing: Sendable {
  private struct Progress {
    var state: PagerState
    var isOver = false
  }

  private let progress: Mutex<Progress>
  private let recording: Mutex<RecordingReader>

  init(_ recording: consuming RecordingReader, _ state: PagerState) {
    progress = Mutex(Progress(state: state))
    self.recording = Mutex(recording)
  }

  var state: PagerState { progress.withLock { $0.state } }
  var isOver: Bool { progress.withLock { $0.isOver } }

  /// What the watcher's own terminal tells.
  func adopt(_ event: PagerEvent) { progress.withLock { $0.state.reduce(event) } }

  func play(_ awaken: @Sendable () -> Void) async {
    var now = Duration.zero
    do throws(RecordingFault) {
      while let entry = try next() {
        let pause = min(max(.zero, entry.time - now), .seconds(1))
        now = entry.time
        if pause > .milliseconds(1) { try? await AlarmClock().sleep(for: pause) }
        // The colours are those for the watcher's ground.
        if case .background = entry.event { continue }
        progress.withLock { $0.state.reduce(entry.event) }
        if !Task.isCancelled { awaken() }
      }
    } catch { adopt(.warned("\(error)")) }
    progress.withLock { $0.isOver = true }
    awaken()
  }

  private func next() throws(RecordingFault) -> EventLog<PagerEvent>.Entry? {
    try recording.withLock { (recording) throws(RecordingFault) in try recording.next(PagerEvent.self) }
  }
}

extension Frame {
  /// On another screen than it was made for.
  fileprivate func clipped(to canvas: Canvas) -> Frame {
    var frame = Frame(canvas, lines: lines, caret: caret, title: title, redraws: redraws)
    frame.tracksMouse = tracksMouse
    return frame
  }
}
