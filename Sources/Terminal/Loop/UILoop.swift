internal import Glibc
internal import Text

/// An event at the terminal.
package enum UIEvent: Hashable, Sendable {
  case input(Input)
  /// The initial canvas, or a change of its size or of how wide the terminal draws text.
  case resized(Canvas)
  /// The program continues after `UIStep.suspend`, or after being stopped by another process.
  case resumed(Canvas)
  /// The initial traits of the terminal, or a change of them.
  case learned(TerminalTraits)
  /// The frame's copy was sent, once; `isSent` is false if the terminal does not support it.
  case copied(id: Frame.Copy.ID, isSent: Bool)
  /// The time for which the frame was to last has passed.
  case elapsed
}

/// What the program wants to do now.
package enum UIStep: Sendable {
  /// - Parameter lasting: How long the frame is valid without events, for animations, measured from the first
  ///   of consecutive frames with a limit. Nil if indefinitely.
  case draw(Frame, lasting: Duration? = nil)
  /// Restores the terminal and stops the process group until it is continued; then `resumed` is handled.
  case suspend
  case leave
}

/// Why the loop ended. The terminal has been restored.
package enum LoopExit: Hashable, Sendable {
  /// The program ended the loop.
  case finished
  /// This signal, or a key that stands for it: SIGQUIT for Ctrl-\, SIGINT for three Ctrl-C. The caller should
  /// end the process by it, so that the shell sees it.
  case signal(Int32)
  /// The terminal is gone, or SIGHUP was received; the caller should end the process by that signal.
  case hangup
}

/// The event loop that owns the terminal, on a single thread. It sleeps in `poll` on the terminal, signals
/// and wake-ups, reads all available input, passes each to the program, then draws the program's latest
/// frame. Without events it does not wake up.
package struct UILoop: ~Copyable {
  let tty: TTY
  let wake: Wake
  let signals: Signals
  let handle: (UIEvent) -> Void
  let step: () -> UIStep
  /// The terminal settings to restore.
  var found: termios
  var modes: TerminalModes
  var diff: FrameDiff
  var schedule: Schedule
  var parser = InputParser()
  var interrupts = ExitKeys()
  var output = OutputQueue()
  /// The number of unread bytes that were typed before raw mode was set.
  var typedAhead = 0
  /// The frame on the terminal; nil if unknown.
  var shown: Frame?
  /// The latest copy that was sent.
  var copied: Frame.Copy.ID?
  /// The time until which to wait for answers to the initial queries.
  var answersExpected = ContinuousClock.now
  var buffer = [UInt8](repeating: 0, count: 4_096)

  /// Runs the loop on the calling thread until the program ends it. The terminal is restored then, even if
  /// the program crashes.
  ///
  /// Ctrl-\ and three Ctrl-C within a second end the loop without reaching `handle`.
  /// - Parameters:
  ///   - wake: Causes `step` to be called again; usable from any thread.
  ///   - handle: Handles an event; the first one is `resized`, followed by `learned`.
  ///   - step: Returns what to show or do now. Called once after all pending events are handled; without
  ///     input at most 60 times per second.
  /// - Throws: If the terminal rejects its settings, in which case it is unchanged.
  package static func run(
    on tty: consuming TTY, wake: Wake, options: TerminalOptions,
    handle: @escaping (UIEvent) -> Void, step: @escaping () -> UIStep
  ) throws(SystemError) -> LoopExit {
    let found = try tty.settings
    var loop = UILoop(tty, found, try Signals(), wake, options, handle, step)
    Restore.prepareThread()
    return try loop.run()
  }

  private init(
    _ tty: consuming TTY, _ found: termios, _ signals: consuming Signals, _ wake: Wake,
    _ options: TerminalOptions,
    _ handle: @escaping (UIEvent) -> Void, _ step: @escaping () -> UIStep
  ) {
    self.tty = tty
    self.found = found
    self.signals = signals
    self.wake = wake
    self.handle = handle
    self.step = step
    modes = TerminalModes(options)
    diff = FrameDiff(colors: options.colors, isXtermLike: options.isXtermLike, scrolls: options.scrolls)
    schedule = Schedule(escapeDelay: options.escapeDelay)
  }

  private mutating func run() throws(SystemError) -> LoopExit {
    if let exitReason = stayInForeground() { return exitReason }
    try enter(sending: modes.queries)
    answersExpected = .now + .milliseconds(500)
    handle(.resized(canvas))
    handle(.learned(modes.traits))
    while true {
      if let exitReason = turn() {
        leave(exitReason)
        return exitReason
      }
    }
  }

  var canvas: Canvas { Canvas(size: tty.size, widthModel: modes.widthModel) }

  /// Draws if a frame is due, sleeps, then handles all pending events.
  private mutating func turn() -> LoopExit? {
    // A crash on another thread has restored the terminal: nothing more is written until the process ends.
    while !Restore.isArmed { pause() }
    if output.isEmpty, schedule.isFrameDue(at: .now), let exitReason = present() { return exitReason }
    let ready = sleep()
    if ready.signals, let exitReason = receiveSignals() { return exitReason }
    if ready.wake {
      wake.clear()
      schedule.needFrame()
    }
    if ready.output, !output.flush(to: tty) { return .hangup }
    if ready.input, let exitReason = receiveInput() { return exitReason }
    return receiveTime()
  }

  private mutating func present() -> LoopExit? {
    // The shell that started us may have been killed: another job owns the terminal now, and no input reports
    // that.
    if !tty.isInForeground { return resume() }
    switch step() {
    case .leave: return .finished
    case .suspend: return suspend()
    case .draw(var frame, let lasting):
      if !modes.showsLinks { frame = frame.withoutLinks }
      diff.isSynchronized = modes.isSynchronized
      let bytes = diff.bytes(from: shown, to: frame)
      output.append(bytes)
      output.append(modes.follow(frame).utf8)
      shown = frame
      schedule.drewFrame(at: .now, isVisible: !bytes.isEmpty, lasting: lasting)
      if let copy = frame.copy, copy.id != copied { send(copy) }
      return output.flush(to: tty) ? nil : .hangup
    }
  }

  private mutating func send(_ copy: Frame.Copy) {
    copied = copy.id
    if modes.sendsCopies { output.append(ControlSequence.copy(copy.text).utf8) }
    handle(.copied(id: copy.id, isSent: modes.sendsCopies))
    schedule.needFrame()
  }
}

/// Waiting for events and handling them.
extension UILoop {
  struct Readiness {
    var input = false
    var output = false
    var signals = false
    var wake = false
  }

  /// Sleeps until an event occurs or is due.
  func sleep() -> Readiness {
    let readable = Int16(POLLIN)
    let wanted = output.isEmpty ? readable : readable | Int16(POLLOUT)
    var polls = [
      pollfd(fd: tty.descriptor, events: wanted, revents: 0),
      pollfd(fd: signals.descriptor, events: readable, revents: 0),
      pollfd(fd: wake.descriptor, events: readable, revents: 0),
    ]
    let pause = schedule.pause(from: .now, canDraw: output.isEmpty)
    guard poll(&polls, nfds_t(polls.count), pause?.pollTimeout ?? -1) > 0 else { return Readiness() }
    return Readiness(
      input: polls[0].revents & ~Int16(POLLOUT) != 0, output: polls[0].revents & Int16(POLLOUT) != 0,
      signals: polls[1].revents != 0, wake: polls[2].revents != 0)
  }

  mutating func receiveSignals() -> LoopExit? {
    for signal in signals.drain() {
      switch signal {
      case SIGWINCH: schedule.needResize(at: .now)
      case SIGTSTP: if let exitReason = suspend() { return exitReason }
      case SIGCONT: if let exitReason = resume() { return exitReason }
      default: if let exitReason = LoopExit(signal) { return exitReason }
      }
    }
    return nil
  }

  /// Reads the available input, up to a limit; the rest is left to the next iteration.
  mutating func receiveInput() -> LoopExit? {
    for _ in 0..<16 {
      switch tty.read(into: &buffer) {
      case .blocked: return nil
      case .hangup: return .hangup
      case .count(let count):
        restoreReturns(in: count)
        if let exitReason = receive(buffer[..<count]) { return exitReason }
      }
    }
    return nil
  }

  /// If Enter was typed before raw mode was set, the terminal turned it into a newline (ICRNL), which would
  /// be read as Ctrl-J.
  private mutating func restoreReturns(in count: Int) {
    guard typedAhead > 0 else { return }
    for index in 0..<min(typedAhead, count) where buffer[index] == UInt8(ascii: "\n") {
      buffer[index] = UInt8(ascii: "\r")
    }
    typedAhead = max(0, typedAhead - count)
  }

  private mutating func receive(_ bytes: ArraySlice<UInt8>) -> LoopExit? {
    let typed = parser.keys(typedDuringPaste: bytes, among: ExitKeys.keys)
    for key in typed {
      if let exitReason = exitReason(by: key) { return exitReason }
    }
    if !typed.isEmpty { return nil }
    let inputs = parser.inputs(from: bytes)
    schedule.read(at: .now, pending: parser.pending)
    return deliver(inputs)
  }

  /// The exit requested by a key that the program cannot intercept.
  private mutating func exitReason(by key: Key) -> LoopExit? {
    switch interrupts.verdict(on: key, at: .now) {
    case .proceed: nil
    case .quit: .signal(SIGQUIT)
    case .interrupt: .signal(SIGINT)
    }
  }

  /// Handles what has become due.
  mutating func receiveTime() -> LoopExit? {
    let now = ContinuousClock.now
    if schedule.takeResize(at: now) {
      shown = nil
      schedule.needFrame()
      handle(.resized(canvas))
    }
    if schedule.takeLapse(at: now) {
      schedule.needFrame()
      handle(.elapsed)
    }
    return schedule.takeSilence(at: now) ? deliver(parser.silence()) : nil
  }

  private mutating func deliver(_ inputs: [Input]) -> LoopExit? {
    for input in inputs {
      if case .answer(let answer) = input { adopt(answer) }
      if case .key(let key) = input, let exitReason = exitReason(by: key) { return exitReason }
      handle(.input(input))
      schedule.needFrameAfterInput()
    }
    return nil
  }

  private mutating func adopt(_ answer: Answer) {
    let (widthModel, traits) = (modes.widthModel, modes.traits)
    let bytes = modes.adopt(answer)
    Restore.replace(leaving: modes.leaving)
    output.append(bytes.utf8)
    if modes.widthModel != widthModel { handle(.resized(canvas)) }
    if modes.traits != traits { handle(.learned(modes.traits)) }
  }
}

extension LoopExit {
  /// The exit requested by a signal; nil for signals with other meanings.
  init?(_ signal: Int32) {
    switch signal {
    case SIGHUP: self = .hangup
    case SIGINT, SIGTERM: self = .signal(signal)
    default: return nil
    }
  }
}

extension Duration {
  /// Milliseconds for `poll`, rounded up so that the deadline has passed when it returns.
  var pollTimeout: Int32 {
    let (seconds, attoseconds) = components
    let milliseconds = seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: milliseconds)
  }
}

/// Taking over the terminal and restoring it.
extension UILoop {
  private static let exitTimeout = Duration.milliseconds(100)

  mutating func enter(sending queries: String = "") throws(SystemError) {
    found = try tty.settings
    Restore.arm(tty, leaving: modes.leaving)
    do throws(SystemError) {
      try tty.set(found.raw, .drained)
    } catch {
      _ = Restore.take()
      throw error
    }
    typedAhead = found.turnsReturnIntoNewline ? tty.waitingByteCount : 0
    output.append(modes.entering(rows: tty.size.rows, sending: queries).utf8)
    shown = nil
    schedule.needFrame()
  }

  /// Restores the terminal, unless a crash did. Waits up to 100 ms for the terminal to accept the bytes, and
  /// up to 100 ms for answers to queries, so that none reach the shell.
  mutating func leave(_ exitReason: LoopExit) {
    guard Restore.take() else { return }
    let mayWait = exitReason != .hangup
    // Nothing more is drawn on a terminal that is gone.
    if mayWait { _ = output.flush(to: tty) }
    output.removeAll()
    output.append(modes.leaving.utf8)
    let isWritten = flush(within: mayWait ? UILoop.exitTimeout : .zero)
    if mayWait { awaitAnswers() }
    let moment: TTY.Moment = !mayWait || !isWritten ? .now : modes.isFenceSeen ? .drained : .flushed
    try? tty.set(found, moment)
  }

  /// Restores the terminal, stops, and takes it over again.
  mutating func suspend() -> LoopExit? {
    leave(.finished)
    signals.stop(by: SIGTSTP)
    return reenter()
  }

  /// Takes over the terminal after the process was stopped, because another program may have used it.
  mutating func resume() -> LoopExit? {
    if let exitReason = stayInForeground() { return exitReason }
    leave(.finished)
    return reenter()
  }

  /// If the terminal cannot be taken over again, it is gone: a hang-up also continues stopped processes.
  private mutating func reenter() -> LoopExit? {
    if let exitReason = stayInForeground() { return exitReason }
    guard (try? enter()) != nil else { return .hangup }
    handle(.resumed(canvas))
    return nil
  }

  /// While another job owns the terminal, stops before touching it. A group that cannot be stopped has lost
  /// the terminal.
  func stayInForeground() -> LoopExit? {
    for _ in 0..<20 {
      for signal in signals.drain() {
        if let exitReason = LoopExit(signal) { return exitReason }
      }
      if tty.isInForeground { return nil }
      signals.stop(by: SIGTTIN)
    }
    return .hangup
  }

  /// Returns whether everything was written in time.
  private mutating func flush(within limit: Duration) -> Bool {
    let deadline = ContinuousClock.now + limit
    while output.flush(to: tty) {
      if output.isEmpty { return true }
      guard wait(for: POLLOUT, until: deadline) else { return false }
    }
    return false
  }

  private mutating func awaitAnswers() {
    let deadline = ContinuousClock.now + UILoop.exitTimeout
    while !modes.isFenceSeen, .now < answersExpected, wait(for: POLLIN, until: deadline) {
      guard case .count(let count) = tty.read(into: &buffer) else { return }
      for case .answer(let answer) in parser.inputs(from: buffer[..<count]) { _ = modes.adopt(answer) }
    }
  }

  private func wait(for event: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    let left = deadline - .now
    guard left > .zero else { return false }
    var polled = pollfd(fd: tty.descriptor, events: Int16(event), revents: 0)
    return poll(&polled, 1, left.pollTimeout) > 0
  }
}
