internal import Glibc
package import Text

/// The results of querying a terminal as the pager does, and of measuring how far text moves its cursor.
package struct TerminalProbe: Sendable, Hashable {
  package let size: Size
  /// Whether queries were sent; some terminals would print them.
  package let wasQueried: Bool
  /// The answers, in order of arrival.
  package let answers: [Answer]
  /// The width of each text in columns; nil if the terminal did not report it.
  package let widths: [Int?]
  /// The width model that the pager would use on this terminal.
  package let widthModel: WidthModel
  package let traits: TerminalTraits

  /// Queries a terminal, and restores it afterwards, even if the program crashes.
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
    var conversation = try TerminalConversation.begin(with: tty, modes, timeout: timeout)
    var answers: [Answer] = []
    while !conversation.terminal.modes.isFenceSeen, let answer = conversation.answer() {
      answers.append(answer)
      conversation.terminal.adopt(answer)
      conversation.write("")
    }
    modes = conversation.terminal.modes
    widths = modes.isFenceSeen && size.rows > 1 ? conversation.widths(of: texts) : texts.map { _ in nil }
    conversation.end()
    self.answers = answers
    (widthModel, traits) = (modes.widthModel, modes.traits)
  }
}

/// Sends queries to a terminal and reads its answers, for a limited time. Input typed meanwhile is dropped.
private struct TerminalConversation: ~Copyable {
  var terminal: TakenTerminal
  private let deadline: ContinuousClock.Instant
  private var answers: [Answer] = []
  /// The signals that were blocked before.
  private var blocked = sigset_t()

  /// Takes over the terminal and sends its queries; `end` must restore it.
  static func begin(
    with tty: consuming TTY, _ modes: TerminalModes, timeout: Duration
  ) throws(SystemError) -> TerminalConversation {
    // Changing the settings from the background would stop the process.
    if !tty.isInForeground { throw SystemError(operation: "draw in the background", code: EPERM) }
    let deadline = ContinuousClock.now + timeout
    var terminal = TakenTerminal(tty, modes)
    Restore.prepareThread()
    try terminal.take(sending: modes.queries)
    var conversation = TerminalConversation(terminal: terminal, deadline: deadline)
    // Signals that would end or stop the process are blocked until the terminal is restored.
    var mask = sigset_t([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGALRM])
    pthread_sigmask(SIG_BLOCK, &mask, &conversation.blocked)
    conversation.write("")
    return conversation
  }

  mutating func write(_ text: String) {
    terminal.output.append(text.utf8)
    _ = terminal.flush(by: deadline)
  }

  /// The next answer; nil if none arrives in time, or the terminal is gone.
  mutating func answer() -> Answer? {
    while answers.isEmpty {
      guard let more = terminal.answers(by: deadline) else { return nil }
      answers = more
    }
    return answers.removeFirst()
  }

  /// Writes each text in the second row, and queries the cursor position.
  mutating func widths(of texts: [String]) -> [Int?] {
    texts.map { text in
      write(ControlSequence.moveCursor(column: 0, row: 1) + ControlSequence.eraseToRowEnd + text)
      write(ControlSequence.queryCursor)
      while let answer = answer() {
        if case .cursor(let column, 1) = answer { return column }
      }
      return nil
    }
  }

  /// Restores the terminal. Pending answers are dropped, along with everything typed.
  consuming func end() {
    terminal.giveBack(dropsInput: true)
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }
}
