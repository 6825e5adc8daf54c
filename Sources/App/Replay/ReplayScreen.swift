import Pager
import Terminal

/// Shows a replay on the screen; afterwards its session can be used. Confined to the screen's thread.
final class ReplayScreen {
  private let replay: Replay
  private let tabs: SessionTabs
  private var canvas: Canvas
  /// When the next line is played; nil before the first frame, and after the last line.
  private var due: ContinuousClock.Instant?
  private var hasBegun = false
  private var isSkipping = false
  private var isOver = false
  /// Whether the user continues the session.
  private var isUsed = false
  private var isLeft = false
  /// What was typed while it skipped to the end.
  private var typedAfterSkip: [UIEvent] = []
  private var shown: Frame?

  /// The longest time that the keyboard waits for a replay.
  private static let turn = Duration.milliseconds(50)

  init(_ replay: Replay, _ tabs: SessionTabs, on canvas: Canvas) {
    (self.replay, self.tabs, self.canvas) = (replay, tabs, canvas)
  }

  func handle(_ event: UIEvent) {
    switch event {
    case .resized(let canvas), .resumed(let canvas): self.canvas = canvas
    case .shown: (hasBegun, due) = (true, .now)
    default: break
    }
    switch event {
    // Colors are those of the viewer's terminal.
    case .learned, .shown: tabs.handle(event)
    case _ where isUsed: tabs.handle(event)
    case .input(.key(Key("q"))) where typedAfterSkip.isEmpty && !isOver: isLeft = true
    case .input(.key(Key("c", .ctrl))) where typedAfterSkip.isEmpty && !isOver: isLeft = true
    case .input(.key), .input(.paste), .input(.mouse):
      if isOver || isSkipping { typedAfterSkip.append(event) }
      if case .input(.key) = event { isSkipping = true }
    case .input, .resized, .resumed, .elapsed, .copied: break
    }
  }

  func step() -> UIStep {
    if isLeft { return .leave }
    play()
    if isOver, !isUsed, !typedAfterSkip.isEmpty { use() }
    switch tabs.step() {
    case .draw(let frame, let lasting):
      shown = frame
      return .draw(frame.clipped(to: canvas), lasting: isUsed ? lasting : pause)
    case let step where isUsed: return step
    // The recorded session was left, or lent the screen to a program.
    case .leave, .suspend, .lend:
      return shown.map { .draw($0.clipped(to: canvas), lasting: pause) } ?? .leave
    }
  }

  private var pause: Duration? {
    due.map { isSkipping ? .milliseconds(1) : max(.milliseconds(1), ContinuousClock.now.duration(to: $0)) }
  }

  private func play() {
    let end = ContinuousClock.now + Self.turn
    while let due, isSkipping || due <= .now, ContinuousClock.now < end {
      if let event = replay.playNext()?.event { tabs.handle(event) }
      self.due = replay.pause.map { .now + $0 }
      if self.due != nil { _ = tabs.step() }
    }
    guard due == nil, hasBegun, !isOver else { return }
    isOver = true
    if let fault = replay.fault { tabs.warn("\(fault)") }
  }

  private func use() {
    isUsed = true
    replay.release()
    tabs.handle(.resumed(canvas))
    for event in typedAfterSkip { tabs.handle(event) }
  }
}

extension Replay {
  /// The text of the last screen.
  func lastScreen(of tabs: SessionTabs) -> String {
    _ = tabs.step()
    tabs.handle(.shown)
    var canvas = canvas
    while let line = playNext() {
      if let event = line.event { tabs.handle(event) }
      canvas = line.size ?? line.resumed ?? canvas
      _ = tabs.step()
    }
    workers.waitUntilIdle()
    if case .draw(let frame, _) = tabs.step() { return frame.text + "\n" }
    // The session was left.
    tabs.handle(.resumed(canvas))
    if case .draw(let frame, _) = tabs.step() { return frame.text + "\n" }
    return ""
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
