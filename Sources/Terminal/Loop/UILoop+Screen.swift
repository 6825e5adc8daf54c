internal import Glibc

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
