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
    typedAhead = found.turnsReturnIntoNewline ? tty.waitingByteCount : 0
    output.append(modes.entering(rows: tty.size.rows, asking: queries).utf8)
    shown = nil
    schedule.needFrame()
  }

  /// Gives the terminal back, unless a crash did. Waits at most 100 ms each for the terminal to take the bytes and
  /// to answer what it was asked, so that no answer lands in the shell.
  mutating func leave(_ departure: Departure) {
    guard Restore.take() else { return }
    let mayWait = departure != .hangup
    // A terminal that is lost gets no more pictures.
    if mayWait { _ = output.flush(to: tty) }
    output.removeAll()
    output.append(modes.leaving.utf8)
    let isWritten = flush(within: mayWait ? UILoop.patience : .zero)
    if mayWait { awaitAnswers() }
    let moment: TTY.Moment = !mayWait || !isWritten ? .now : modes.isFenceSeen ? .drained : .flushed
    try? tty.set(found, moment)
  }

  /// Gives the terminal back, stops, and takes it again.
  mutating func suspend() -> Departure? {
    leave(.finished)
    signals.stop(by: SIGTSTP)
    return enterAgain()
  }

  /// Somebody else may have used the terminal while the process was stopped.
  mutating func resume() -> Departure? {
    if let departure = stayInForeground() { return departure }
    leave(.finished)
    return enterAgain()
  }

  /// A terminal that was taken once and cannot be again is gone: a hang-up continues what is stopped, too.
  private mutating func enterAgain() -> Departure? {
    if let departure = stayInForeground() { return departure }
    guard (try? enter()) != nil else { return .hangup }
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
