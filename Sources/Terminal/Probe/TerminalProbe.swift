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
