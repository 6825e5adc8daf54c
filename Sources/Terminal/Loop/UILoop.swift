internal import Glibc
internal import Text

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
