internal import Glibc
internal import Synchronization

/// The events that the loop passes to the program.
package enum UIEvent: Hashable, Sendable {
  case input(Input)
  /// The initial canvas, or a change of its size or its width model.
  case resized(Canvas)
  /// The program continues after `UIStep.suspend`, or after being stopped by another process.
  case resumed(Canvas)
  /// The initial traits of the terminal, or a change of them.
  case learned(TerminalTraits)
  /// The first frame has been drawn. Work that it does not need can begin now.
  case shown
  /// The frame's copy was sent, once; `isSent` is false if the terminal does not support it.
  case copied(id: Frame.Copy.ID, isSent: Bool)
  /// The time limit of the frame has passed.
  case elapsed
}

/// The next action of the program.
package enum UIStep: Sendable {
  /// - Parameter lasting: How long the frame is valid without events, for animations, measured from the first
  ///   of consecutive frames with a limit. Nil if indefinitely.
  case draw(Frame, lasting: Duration? = nil)
  /// Restores the terminal and stops the process group until it is continued; then `resumed` is handled.
  case suspend
  /// Restores the terminal, lets the closure use it, and takes it over again; then `resumed` is handled. Like
  /// `suspend`, the function passed to the closure stops the process group until it is continued. Other events wait.
  case lend(@Sendable (_ stop: () -> Void) -> Void)
  case leave
}

/// The reason why the loop ended. The terminal has been restored.
package enum LoopExit: Hashable, Sendable {
  case finished
  /// The process received this signal, or a key that represents it: SIGQUIT for Ctrl-\, SIGINT for three Ctrl-C. The
  /// caller should end the process by the signal, so that the shell sees it.
  case signal(Int32)
  /// The terminal is gone, or SIGHUP was received; the caller should end the process by that signal.
  case hangup

  /// The exit requested by a signal; nil for signals with other meanings.
  init?(_ signal: Int32) {
    switch signal {
    case SIGHUP: self = .hangup
    case SIGINT, SIGTERM: self = .signal(signal)
    default: return nil
    }
  }
}

/// The event loop that owns the terminal, on a single thread. It sleeps in `poll` on the terminal, signals
/// and wake-ups, reads all available input, passes each to the program, then draws the program's latest
/// frame. Without events it does not wake up.
package struct UILoop: ~Copyable {
  private var terminal: TakenTerminal
  private let wake: Wake
  private let signals: SignalPipe
  private let handle: (UIEvent) -> Void
  private let step: () -> UIStep
  private var diff: FrameDiff
  private var schedule: Schedule
  private var exitKeys = ExitKeys()
  /// The frame on the terminal; nil if unknown.
  private var shown: Frame?
  private var copied: Frame.Copy.ID?

  /// Runs the loop on the calling thread until the program ends it. The terminal is restored then, even if
  /// the program crashes.
  ///
  /// Ctrl-\ and three Ctrl-C within a second end the loop without reaching `handle`.
  /// - Parameters:
  ///   - ownsProcess: False for a run that shares its process: it leaves signals and crashes alone.
  ///   - wake: Causes `step` to be called again; usable from any thread.
  ///   - handle: Handles an event; the first ones are `resized`, `learned` and, after the first frame, `shown`.
  ///   - step: Returns what to show or do now. Called once after all pending events are handled; without
  ///     input at most 60 times per second.
  /// - Throws: If the terminal rejects its settings, in which case it is unchanged.
  package static func run(
    on tty: consuming TTY, ownsProcess: Bool = true, wake: Wake, options: TerminalOptions,
    handle: @escaping (UIEvent) -> Void, step: @escaping () -> UIStep
  ) throws(SystemError) -> LoopExit {
    let signals = try SignalPipe(isUsed: ownsProcess)
    var loop = UILoop(
      terminal: TakenTerminal(tty, TerminalModes(options), ownsProcess: ownsProcess), wake: wake,
      signals: signals, handle: handle, step: step,
      diff: FrameDiff(colors: options.colors, isXtermLike: options.isXtermLike, scrolls: options.scrolls),
      schedule: Schedule(escapeDelay: options.escapeDelay))
    if ownsProcess { Restore.prepareThread() }
    return try loop.run()
  }

  private mutating func run() throws(SystemError) -> LoopExit {
    if let exitReason = stayInForeground() { return exitReason }
    try enter(sending: terminal.modes.queries)
    handle(.resized(canvas))
    handle(.learned(terminal.modes.traits))
    if let exitReason = present() { return leave(exitReason) }
    handle(.shown)
    schedule.needFrame()
    while true {
      if let exitReason = turn() { return leave(exitReason) }
    }
  }

  private mutating func leave(_ exitReason: LoopExit) -> LoopExit {
    terminal.giveBack(isGone: exitReason == .hangup)
    return exitReason
  }

  private var canvas: Canvas { Canvas(size: terminal.size, widthModel: terminal.modes.widthModel) }

  /// Draws if a frame is due, sleeps, then handles all pending events.
  private mutating func turn() -> LoopExit? {
    // A crash on another thread has restored the terminal: nothing more is written until the process ends.
    while terminal.isRestoredByCrash { pause() }
    if terminal.output.isEmpty, schedule.isFrameDue(at: .now), let exitReason = present() {
      return exitReason
    }
    let ready = sleep()
    if ready.signals, let exitReason = receiveSignals() { return exitReason }
    if ready.wake {
      wake.clear()
      schedule.needFrame()
    }
    if ready.output, !terminal.output.flush(to: terminal.tty) { return .hangup }
    if ready.input, let exitReason = receiveInput() { return exitReason }
    return receiveTime()
  }

  private mutating func present() -> LoopExit? {
    // The shell that started us may have been killed: another job owns the terminal now, and no input reports
    // that.
    if !terminal.tty.isInForeground { return resume() }
    switch step() {
    case .leave: return .finished
    case .suspend: return suspend()
    case .lend(let use): return lend(to: use)
    case .draw(var frame, let lasting):
      if !terminal.modes.showsLinks { frame = frame.withoutLinks }
      diff.isSynchronized = terminal.modes.isSynchronized
      diff.top = terminal.modes.region?.top
      let bytes = diff.bytes(from: shown, to: frame)
      terminal.output.append(bytes)
      terminal.output.append(terminal.modes.follow(frame).utf8)
      shown = frame
      schedule.drewFrame(at: .now, isVisible: !bytes.isEmpty, lasting: lasting)
      if let copy = frame.copy, copy.id != copied { send(copy) }
      return terminal.output.flush(to: terminal.tty) ? nil : .hangup
    }
  }

  private mutating func send(_ copy: Frame.Copy) {
    copied = copy.id
    let isSent = terminal.modes.sendsCopies
    if isSent { terminal.output.append(terminal.modes.copying(copy.text).utf8) }
    handle(.copied(id: copy.id, isSent: isSent))
    schedule.needFrame()
  }
}

/// Waiting for events and handling them.
extension UILoop {
  private struct Readiness {
    var input = false
    var output = false
    var signals = false
    var wake = false
  }

  private func sleep() -> Readiness {
    if terminal.hasUnreadBytes { return Readiness(input: true) }
    let readable = Int16(POLLIN)
    let wanted = terminal.output.isEmpty ? readable : readable | Int16(POLLOUT)
    var polls = [
      pollfd(fd: terminal.tty.descriptor, events: wanted, revents: 0),
      pollfd(fd: signals.descriptor, events: readable, revents: 0),
      pollfd(fd: wake.descriptor, events: readable, revents: 0),
    ]
    let pause = schedule.pause(from: .now, canDraw: terminal.output.isEmpty)
    guard poll(&polls, nfds_t(polls.count), pause?.pollTimeout ?? -1) > 0 else { return Readiness() }
    return Readiness(
      input: polls[0].revents & ~Int16(POLLOUT) != 0, output: polls[0].revents & Int16(POLLOUT) != 0,
      signals: polls[1].revents != 0, wake: polls[2].revents != 0)
  }

  private mutating func receiveSignals() -> LoopExit? {
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
  private mutating func receiveInput() -> LoopExit? {
    for _ in 0..<16 {
      guard let bytes = terminal.read() else { return .hangup }
      if bytes.isEmpty { return nil }
      if let exitReason = receive(bytes) { return exitReason }
    }
    return nil
  }

  private mutating func receive(_ bytes: ArraySlice<UInt8>) -> LoopExit? {
    let typed = terminal.parser.keys(typedDuringPaste: bytes, among: ExitKeys.keys)
    for key in typed {
      if let exitReason = exitKeys.exit(by: key, at: .now) { return exitReason }
    }
    if !typed.isEmpty { return nil }
    let inputs = terminal.parser.inputs(from: bytes)
    schedule.read(at: .now, pending: terminal.parser.pending)
    return deliver(inputs)
  }

  private mutating func receiveTime() -> LoopExit? {
    let now = ContinuousClock.now
    if schedule.takeResize(at: now) {
      let columns = terminal.modes.wrapsLines ? terminal.size.columns : nil
      terminal.followResize(cursorRow: shown?.cursorRow(wrappedTo: columns) ?? 0)
      shown = nil
      schedule.needFrame()
      handle(.resized(canvas))
    }
    if schedule.expireNotice(at: now) {
      schedule.needFrame()
      handle(.elapsed)
    }
    return schedule.expireSilence(at: now) ? deliver(terminal.parser.silence()) : nil
  }

  private mutating func deliver(_ inputs: [Input]) -> LoopExit? {
    for input in inputs {
      if case .answer(let answer) = input { adopt(answer) }
      guard let input = located(input) else { continue }
      if case .key(let key) = input, let exitReason = exitKeys.exit(by: key, at: .now) { return exitReason }
      handle(.input(input))
      schedule.needFrameAfterInput()
    }
    return nil
  }

  /// The input with its place in what is drawn on; nil if it is outside.
  private func located(_ input: Input) -> Input? {
    guard case .mouse(let mouse) = input, let region = terminal.modes.region else { return input }
    return region.located(mouse).map(Input.mouse)
  }

  private mutating func adopt(_ answer: Answer) {
    let (widthModel, traits) = (terminal.modes.widthModel, terminal.modes.traits)
    terminal.adopt(answer)
    if terminal.modes.widthModel != widthModel { handle(.resized(canvas)) }
    if terminal.modes.traits != traits { handle(.learned(terminal.modes.traits)) }
  }
}

/// Taking over the terminal and restoring it.
extension UILoop {
  private mutating func enter(sending queries: String = "") throws(SystemError) {
    try terminal.take(sending: queries)
    shown = nil
    schedule.needFrame()
  }

  private mutating func suspend() -> LoopExit? {
    terminal.giveBack()
    signals.stop(by: SIGTSTP)
    return reenter()
  }

  private mutating func lend(to use: (_ stop: () -> Void) -> Void) -> LoopExit? {
    terminal.giveBack()
    use { signals.stop(by: SIGTSTP) }
    return reenter()
  }

  /// Takes over the terminal after the process was stopped, because another program may have used it.
  private mutating func resume() -> LoopExit? {
    if let exitReason = stayInForeground() { return exitReason }
    terminal.giveBack()
    return reenter()
  }

  /// Takes over the terminal again. If that fails, the terminal is gone: a hang-up continues stopped processes.
  private mutating func reenter() -> LoopExit? {
    if let exitReason = stayInForeground() { return exitReason }
    guard (try? enter()) != nil else { return .hangup }
    handle(.resumed(canvas))
    return nil
  }

  /// While another job owns the terminal, stops before touching it. A group that cannot be stopped has lost
  /// the terminal.
  private func stayInForeground() -> LoopExit? {
    for _ in 0..<20 {
      if let exitReason = signals.drain().lazy.compactMap(LoopExit.init).first { return exitReason }
      if terminal.tty.isInForeground { return nil }
      signals.stop(by: SIGTTIN)
    }
    return .hangup
  }
}

/// The times at which the loop must act without input. If nothing is due, it sleeps indefinitely.
struct Schedule {
  /// The minimum interval between frames; the first one after a pause, and those after input, are drawn
  /// immediately.
  private static let frameInterval = Duration.milliseconds(16)
  /// The delay of a frame after a resize, because dragging changes the size of a window many times.
  private static let resizeDelay = Duration.milliseconds(15)
  private static let sequenceTimeout = Duration.milliseconds(500)
  private static let pasteTimeout = Duration.seconds(2)

  let escapeDelay: Duration
  private(set) var isFrameNeeded = true
  private var nextFrame: ContinuousClock.Instant?
  private var resize: ContinuousClock.Instant?
  private var lapse: ContinuousClock.Instant?
  private var silence: ContinuousClock.Instant?

  init(escapeDelay: Duration) { self.escapeDelay = escapeDelay }

  mutating func needFrame() { isFrameNeeded = true }

  /// Schedules an immediate frame after input; all input available by then shares one frame.
  mutating func needFrameAfterInput() {
    isFrameNeeded = true
    nextFrame = nil
  }

  /// - Parameter isVisible: Whether anything was written.
  mutating func drewFrame(at now: ContinuousClock.Instant, isVisible: Bool, lasting: Duration?) {
    isFrameNeeded = false
    lapse = lasting.map { lapse ?? now + $0 }
    if isVisible { nextFrame = now + Schedule.frameInterval }
  }

  mutating func needResize(at now: ContinuousClock.Instant) {
    if resize == nil { resize = now + Schedule.resizeDelay }
  }

  /// Restarts or clears the parser's timeout after input.
  mutating func read(at now: ContinuousClock.Instant, pending: InputParser.PendingInput?) {
    silence = pending.map { pending in
      switch pending {
      case .escape: now + escapeDelay
      case .sequence: now + Schedule.sequenceTimeout
      case .paste: now + Schedule.pasteTimeout
      }
    }
  }

  mutating func takeResize(at now: ContinuousClock.Instant) -> Bool { Schedule.take(&resize, now) }
  mutating func expireNotice(at now: ContinuousClock.Instant) -> Bool { Schedule.take(&lapse, now) }
  mutating func expireSilence(at now: ContinuousClock.Instant) -> Bool { Schedule.take(&silence, now) }

  func isFrameDue(at now: ContinuousClock.Instant) -> Bool { isFrameNeeded && nextFrame ?? now <= now }

  /// How long to sleep; nil if indefinitely.
  /// - Parameter canDraw: False while the terminal has not accepted the last frame.
  func pause(from now: ContinuousClock.Instant, canDraw: Bool) -> Duration? {
    let frame = isFrameNeeded && canDraw ? nextFrame ?? now : nil
    return [resize, silence, lapse, frame].compactMap { $0 }.min().map { max(.zero, $0 - now) }
  }

  private static func take(_ deadline: inout ContinuousClock.Instant?, _ now: ContinuousClock.Instant) -> Bool
  {
    guard let due = deadline, due <= now else { return false }
    deadline = nil
    return true
  }
}

/// Recognizes the keys that always end the program: Ctrl-\, and Ctrl-C three times within a second.
struct ExitKeys {
  /// The recognized keys. They also work during a paste, where they are not passed on.
  static let keys: Set = [Key("\\", .ctrl), Key("c", .ctrl)]

  private static let window = Duration.seconds(1)

  private var times: [ContinuousClock.Instant] = []

  mutating func exit(by key: Key, at now: ContinuousClock.Instant) -> LoopExit? {
    if key == Key("\\", .ctrl) { return .signal(SIGQUIT) }
    guard key == Key("c", .ctrl) else { return nil }
    times.removeAll { now - $0 > ExitKeys.window }
    times.append(now)
    return times.count >= 3 ? .signal(SIGINT) : nil
  }
}

/// Wakes the UI thread from any other thread, to draw changes. Cheap to call often: at most one byte is
/// pending.
package final class Wake: Sendable {
  private let pipe: SelfPipe
  private let isPending = Atomic(false)

  package init() throws(SystemError) { pipe = try SelfPipe() }

  package func callAsFunction() {
    guard !isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 1
    _ = write(pipe.writeEnd, &byte, 1)
  }

  var descriptor: Int32 { pipe.readEnd }

  /// Must be called before reading what changed, so that a later wake-up is not lost.
  func clear() {
    _ = pipe.drain()
    isPending.store(false, ordering: .sequentiallyConsistent)
  }
}
