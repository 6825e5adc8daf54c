internal import Glibc

/// Taking the terminal and giving it back.
extension UILoop {
  private static let patience = Duration.milliseconds(100)

  mutating func enter(asking queries: String = "") throws(SystemError) {
    found = try tty.settings
    Restore.arm(tty, leaving: modes.leaving)
    do throws(SystemError) {
      try tty.set(found.raw, .drained)
    } catch {
      _ = Restore.take()
      throw error
    }
    output.append(modes.entering(asking: queries).utf8)
    shown = nil
    schedule.needFrame()
  }

  /// Gives the terminal back, unless a crash did. Waits at most 100 ms each for the terminal to take the bytes and
  /// to answer what it was asked, so that no answer lands in the shell.
  mutating func leave(_ departure: Departure) {
    guard Restore.take() else { return }
    _ = output.flush(to: tty)
    output.removeAll()
    output.append(modes.leaving.utf8)
    let isWritten =
      departure != .hangup ? flush(within: UILoop.patience) : output.flush(to: tty) && output.isEmpty
    if departure != .hangup { awaitAnswers() }
    let moment: TTY.Moment = !isWritten ? .now : modes.isFenceSeen ? .drained : .flushed
    try? tty.set(found, moment)
  }

  /// Gives the terminal back, stops, and takes it again.
  mutating func suspend() throws(SystemError) -> Departure? {
    leave(.finished)
    signals.stop(by: SIGTSTP)
    return try enterAgain()
  }

  /// Somebody else may have used the terminal while the process was stopped.
  mutating func resume() throws(SystemError) -> Departure? {
    if let departure = stayInForeground() { return departure }
    leave(.finished)
    return try enterAgain()
  }

  private mutating func enterAgain() throws(SystemError) -> Departure? {
    if let departure = stayInForeground() { return departure }
    try enter()
    handle(.resumed(canvas))
    return nil
  }

  /// Stops while the terminal is another job's, before it is touched. A group that cannot be stopped has lost it.
  func stayInForeground() -> Departure? {
    for _ in 0..<20 {
      for signal in signals.drain() {
        if let departure = Departure(signal) { return departure }
      }
      if tty.isInForeground { return nil }
      signals.stop(by: SIGTTIN)
    }
    return .hangup
  }

  /// Whether everything was written in time.
  private mutating func flush(within limit: Duration) -> Bool {
    let deadline = ContinuousClock.now + limit
    while output.flush(to: tty) {
      if output.isEmpty { return true }
      guard wait(for: POLLOUT, until: deadline) else { return false }
    }
    return false
  }

  private mutating func awaitAnswers() {
    let deadline = ContinuousClock.now + UILoop.patience
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
