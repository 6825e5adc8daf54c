internal import Glibc

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
