internal import Glibc
package import Text

/// The results of querying a terminal as the pager does, and of measuring how far texts move its cursor.
package struct TerminalProbe: Sendable, Hashable {
  /// Columns and rows.
  package let size: Size
  /// Whether queries were sent; some terminals would print them.
  package let wasQueried: Bool
  /// In order of arrival.
  package let answers: [Answer]
  /// The width of each text in columns; nil if the terminal did not report it.
  package let widths: [Int?]
  /// How the pager would measure texts on this terminal.
  package let widthModel: WidthModel
  package let traits: TerminalTraits

  /// Queries a terminal. It is restored afterwards, even if the program crashes.
  ///
  /// - Parameters:
  ///   - texts: The texts to measure, each narrower than the screen.
  ///   - timeout: The time limit for all answers together; later ones are dropped.
  /// - Throws: If the terminal rejects its settings, or this process may not draw on it.
  package init(
    of tty: consuming TTY, _ options: TerminalOptions, measuring texts: [String] = [],
    timeout: Duration = .milliseconds(500)
  ) throws(SystemError) {
    size = tty.size
    wasQueried = options.answersQueries
    var modes = TerminalModes(options)
    guard options.answersQueries else {
      (answers, widths) = ([], texts.map { _ in nil })
      (widthModel, traits) = (modes.widthModel, modes.traits)
      return
    }
    var conversation = try TerminalConversation.begin(on: tty, timeout: timeout, leaving: modes.leaving)
    conversation.write(modes.entering(rows: size.rows, sending: modes.queries))
    var answers: [Answer] = []
    while let answer = conversation.answer() {
      answers.append(answer)
      conversation.write(modes.adopt(answer))
      conversation.replace(leaving: modes.leaving)
      if modes.isFenceSeen { break }
    }
    widths = modes.isFenceSeen && size.rows > 1 ? conversation.widths(of: texts) : texts.map { _ in nil }
    conversation.end()
    self.answers = answers
    (widthModel, traits) = (modes.widthModel, modes.traits)
  }
}

extension TerminalConversation {
  /// Writes each text in the second row, and queries the cursor position.
  fileprivate mutating func widths(of texts: [String]) -> [Int?] {
    texts.map { text in
      write(ControlSequence.moveCursor(column: 0, row: 1) + ControlSequence.eraseToRowEnd + text)
      write(ControlSequence.queryCursor)
      while let answer = answer() {
        if case .cursor(let column, 1) = answer { return column }
      }
      return nil
    }
  }
}

/// Sends queries to a terminal and reads its answers, for a limited time. Input typed meanwhile is dropped.
struct TerminalConversation: ~Copyable {
  private let tty: TTY
  private let found: termios
  private var blocked: sigset_t
  private let deadline: ContinuousClock.Instant
  private var leaving: String
  private var parser = InputParser()
  private var answers: [Answer] = []
  private var output = OutputQueue()

  /// Takes over the terminal; `end` must restore it.
  ///
  /// - Parameter leaving: Undoes everything that will be written; also written after a crash.
  static func begin(
    on tty: consuming TTY, timeout: Duration, leaving: String
  ) throws(SystemError) -> TerminalConversation {
    // Changing the settings from the background would stop the process.
    if !tty.isInForeground { throw SystemError(operation: "draw in the background", code: EPERM) }
    let found = try tty.settings
    Restore.arm(tty, leaving: leaving)
    Restore.prepareThread()
    do throws(SystemError) { try tty.set(found.raw, .drained) } catch {
      _ = Restore.take()
      throw error
    }
    return TerminalConversation(tty, found, deadline: .now + timeout, leaving)
  }

  private init(
    _ tty: consuming TTY, _ found: termios, deadline: ContinuousClock.Instant, _ leaving: String
  ) {
    self.tty = tty
    self.found = found
    self.deadline = deadline
    self.leaving = leaving
    blocked = TerminalConversation.blockSignals()
  }

  mutating func replace(leaving: String) {
    self.leaving = leaving
    Restore.replace(leaving: leaving)
  }

  mutating func write(_ text: String) {
    output.append(text.utf8)
    flush()
  }

  /// The next answer; nil if none arrives in time, or the terminal is gone.
  mutating func answer() -> Answer? {
    while answers.isEmpty {
      guard wait(for: POLLIN) else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      guard case .count(let count) = tty.read(into: &buffer) else { return nil }
      for case .answer(let answer) in parser.inputs(from: buffer[..<count]) { answers.append(answer) }
    }
    return answers.removeFirst()
  }

  /// Restores the terminal. Pending answers are dropped, along with everything typed.
  consuming func end() {
    output.append(leaving.utf8)
    if Restore.take() {
      flush()
      try? tty.set(found, .flushed)
    }
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }

  private mutating func flush() {
    while output.flush(to: tty), !output.isEmpty {
      guard wait(for: POLLOUT) else { return }
    }
  }

  private func wait(for event: Int32) -> Bool {
    let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
    guard left > 0 else { return false }
    var polled = pollfd(fd: tty.descriptor, events: Int16(event), revents: 0)
    return poll(&polled, 1, Int32(left.rounded(.up))) > 0
  }

  /// Blocks signals that would end or stop the process until the terminal is restored.
  private static func blockSignals() -> sigset_t {
    var (mask, before) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGALRM] { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_BLOCK, &mask, &before)
    return before
  }
}
