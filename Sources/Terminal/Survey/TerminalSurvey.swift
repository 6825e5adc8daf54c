package import Text

/// What a terminal answers when it is asked as the pager asks it, and how far texts move its cursor.
package struct TerminalSurvey: Sendable, Hashable {
  /// Columns and rows.
  package let size: Size
  /// Whether it may be asked; others would print the questions.
  package let wasAsked: Bool
  /// In the order in which they came.
  package let answers: [Answer]
  /// Columns each of the texts took; nil where the terminal did not tell.
  package let widths: [Int?]
  /// How the pager would measure texts on this terminal.
  package let widthModel: WidthModel
  package let traits: TerminalTraits

  /// Asks a terminal. It is as it was found then, also when the program crashes meanwhile.
  ///
  /// - Parameters:
  ///   - texts: those to be measured, each shorter than the screen is wide.
  ///   - patience: the time for all answers together; what comes later is dropped.
  /// - Throws: when the terminal refuses its settings, or this process may not draw on it.
  package init(
    of tty: consuming TTY, _ options: TerminalOptions, measuring texts: [String] = [],
    patience: Duration = .milliseconds(500)
  ) throws(SystemError) {
    size = tty.size
    wasAsked = options.answersQueries
    var modes = TerminalModes(options)
    guard options.answersQueries else {
      (answers, widths) = ([], texts.map { _ in nil })
      (widthModel, traits) = (modes.widthModel, modes.traits)
      return
    }
    var conversation = try TerminalConversation.begin(on: tty, patience: patience, leaving: modes.leaving)
    conversation.write(modes.entering(rows: size.rows, asking: modes.queries))
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
  /// Writes each text into the second row, and asks where the cursor is then.
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
