import Search

extension Actions {
  static let asking: [Action] = [
    Action("edit-query", "edit the query", table: ["s", "i"]) { $0.focus = .query },
    Action("submit", "ask now, and go to the table; accept a line", query: ["enter"], prompt: ["enter"]) {
      state in
      if state.mode == .prompt { state.acceptPrompt() } else { state.runQuery() }
    },
    Action(
      "cancel", "undo one thing: count, load, failed row, filter; close what is open", table: ["esc"],
      query: ["esc"], popup: ["esc", "q"], prompt: ["esc"]
    ) { state, count in
      // A count that was being typed is dropped first, and only that.
      if count == nil { state.cancel() }
    },
    Action("history-previous", "the query before", query: ["alt-up"]) { $0.stepHistory(back: 1) },
    Action("history-next", "the query after", query: ["alt-down"]) { $0.stepHistory(back: -1) },
    Action("history-search", "choose a former query", query: ["ctrl-r"], prompt: ["ctrl-r"]) { state in
      if state.prompt?.purpose == .history {
        state.movePrompt(by: 1)
      } else if state.mode == .query {
        state.ask(.history)
      }
    },
  ]
}

extension PagerState {
  /// Whether there is a load to stop or a failed one to give up.
  var canCancel: Bool { session.phase.isLoading || session.phase.isWaiting || session.phase.isFailed }

  mutating func cancel() {
    switch mode {
    case .popup: close()
    case .prompt: cancelPrompt()
    case .query where session.phase.isLoading || session.phase.isWaiting: update(.stopped)
    case .query: leaveQueryLine()
    case .table:
      if canCancel {
        update(.stopped)
      } else if !list.filter.isEmpty {
        list.filter = ""
      } else if rules.purpose == .pick {
        departure = .quit
      }
    }
  }

  /// Goes to the table without asking: the line says again what the rows were asked with, and what was typed is the
  /// latest of the history.
  mutating func leaveQueryLine() {
    focus = .table
    guard isDraft, session.isAsking, session.generation > 0 else { return }
    if let draft = line.characters.first, draft != " " { history.append(trimmedLine) }
    line = LineEditor(session.query.text)
    edits += 1
  }

  /// Asks what the query line says, if that was not asked yet; what was submitted is remembered.
  mutating func runQuery() {
    if isDraft { submit() }
    // It was refused.
    if isDraft { return }
    focus = .table
    // A query that begins with a blank is kept out of the history.
    guard !trimmedLine.isEmpty, line.characters.first != " ", history.entries.last != trimmedLine else {
      return
    }
    history.append(trimmedLine)
    errandQueue.append(.remember(trimmedLine))
  }

  fileprivate mutating func stepHistory(back: Int) {
    guard let query = history.step(back: back, from: line.text) else {
      return say(back > 0 ? "no query before this one" : "no query after this one")
    }
    line = LineEditor(query)
    edits += 1
  }
}
