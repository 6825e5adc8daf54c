internal import Glibc

/// What the loop sleeps for, and what it does about it.
extension UILoop {
  struct Readiness {
    var input = false
    var output = false
    var signals = false
    var wake = false
  }

  /// Sleeps until something happens or is due.
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

  mutating func receiveSignals() -> Departure? {
    for signal in signals.drain() {
      switch signal {
      case SIGWINCH: schedule.needResize(at: .now)
      case SIGTSTP: if let departure = suspend() { return departure }
      case SIGCONT: if let departure = resume() { return departure }
      default: if let departure = Departure(signal) { return departure }
      }
    }
    return nil
  }

  /// Reads what there is; the end of a flood is left to the next turn.
  mutating func receiveInput() -> Departure? {
    for _ in 0..<16 {
      switch tty.read(into: &buffer) {
      case .blocked: return nil
      case .hangup: return .hangup
      case .count(let count):
        restoreReturns(in: count)
        if let departure = receive(buffer[..<count]) { return departure }
      }
    }
    return nil
  }

  /// Enter typed before the terminal was ours was made a newline by it (ICRNL), which as a key is Ctrl-J.
  private mutating func restoreReturns(in count: Int) {
    guard typedAhead > 0 else { return }
    for index in 0..<min(typedAhead, count) where buffer[index] == UInt8(ascii: "\n") {
      buffer[index] = UInt8(ascii: "\r")
    }
    typedAhead = max(0, typedAhead - count)
  }

  private mutating func receive(_ bytes: ArraySlice<UInt8>) -> Departure? {
    let typed = parser.keys(typedDuringPaste: bytes, among: Interrupts.keys)
    for key in typed {
      if let departure = departure(by: key) { return departure }
    }
    if !typed.isEmpty { return nil }
    let inputs = parser.inputs(from: bytes)
    schedule.read(at: .now, pending: parser.pending)
    return deliver(inputs)
  }

  /// Leaving by a key that nobody may handle.
  private mutating func departure(by key: Key) -> Departure? {
    switch interrupts.verdict(on: key, at: .now) {
    case .goOn: nil
    case .quit: .signal(SIGQUIT)
    case .interrupt: .signal(SIGINT)
    }
  }

  /// Does what became due.
  mutating func receiveTime() -> Departure? {
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

  private mutating func deliver(_ inputs: [Input]) -> Departure? {
    for input in inputs {
      if case .answer(let answer) = input { adopt(answer) }
      if case .key(let key) = input, let departure = departure(by: key) { return departure }
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

extension Departure {
  /// The departure a signal asks for; nil for those that ask for something else.
  init?(_ signal: Int32) {
    switch signal {
    case SIGHUP: self = .hangup
    case SIGINT, SIGTERM: self = .signal(signal)
    default: return nil
    }
  }
}

extension Duration {
  /// Milliseconds for `poll`, rounded up so that what is due has come.
  var pollTimeout: Int32 {
    let (seconds, attoseconds) = components
    let milliseconds = seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: milliseconds)
  }
}
