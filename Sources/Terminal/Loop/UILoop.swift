internal import Glibc
internal import Text

/// The one thread that owns the terminal, from key to screen: it sleeps in `poll` over the terminal, the signals
/// and the wake, reads every input there is, hands each to the program, then draws the program's newest picture.
/// While nothing happens it does not wake up.
package struct UILoop: ~Copyable {
  let tty: TTY
  let wake: Wake
  let signals: Signals
  let handle: (UIEvent) -> Void
  let step: () -> UIStep
  /// The settings to give back.
  var found: termios
  var modes: TerminalModes
  var diff: FrameDiff
  var schedule: Schedule
  var parser = InputParser()
  var interrupts = Interrupts()
  var output = OutputQueue()
  /// Bytes still to be read that were typed before the terminal was ours.
  var typedAhead = 0
  /// What the terminal shows; nil when that is not known.
  var shown: Frame?
  /// What was copied last.
  var copied: Frame.Copy.ID?
  /// Until when an answer to the start's queries is worth waiting for.
  var answersExpected = ContinuousClock.now
  var buffer = [UInt8](repeating: 0, count: 4_096)

  /// Blocks the calling thread until the program leaves. The terminal is as it was found then, also when the
  /// program crashes meanwhile.
  ///
  /// Ctrl-\ and three Ctrl-C within a second end it before `handle` sees them.
  /// - Parameters:
  ///   - wake: makes `step` be asked again, from any thread.
  ///   - handle: takes what happened; `resized` comes first of all, then `learned`.
  ///   - step: what to show or do now; asked once after all that happened was handled; without input at most 60 times a
  ///     second.
  /// - Throws: when the terminal refuses its settings. It was not changed then.
  package static func run(
    on tty: consuming TTY, wake: Wake, options: TerminalOptions,
    handle: @escaping (UIEvent) -> Void, step: @escaping () -> UIStep
  ) throws(SystemError) -> Departure {
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

  private mutating func run() throws(SystemError) -> Departure {
    if let departure = stayInForeground() { return departure }
    try enter(asking: modes.queries)
    answersExpected = .now + .milliseconds(500)
    handle(.resized(canvas))
    handle(.learned(modes.traits))
    while true {
      if let departure = turn() {
        leave(departure)
        return departure
      }
    }
  }

  var canvas: Canvas { Canvas(size: tty.size, widthModel: modes.widthModel) }

  /// Draws if that is due, sleeps, then takes in all that happened.
  private mutating func turn() -> Departure? {
    // A crash on another thread has given the terminal back: not one byte more until the process ends.
    while !Restore.isArmed { pause() }
    if output.isEmpty, schedule.isFrameDue(at: .now), let departure = present() { return departure }
    let ready = sleep()
    if ready.signals, let departure = receiveSignals() { return departure }
    if ready.wake {
      wake.clear()
      schedule.needFrame()
    }
    if ready.output, !output.flush(to: tty) { return .hangup }
    if ready.input, let departure = receiveInput() { return departure }
    return receiveTime()
  }

  private mutating func present() -> Departure? {
    // The shell that started us may have been killed: another job has the terminal now, and no key tells.
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
