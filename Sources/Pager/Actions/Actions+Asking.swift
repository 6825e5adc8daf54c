import Search

extension Actions {
  static let asking: [Action] = [
    Action("edit-query", "edit the query", table: ["s", "i"]) { $0.focus = .query },
    Action("submit", "search now; accept the line", query: ["enter"], prompt: ["enter"]) {
      state in
      if state.mode == .prompt { state.acceptPrompt() } else { state.runQuery() }
    },
    Action(
      "cancel", "undo one step: count, load, filter, search; close", table: ["esc"],
      query: ["esc"], popup: ["esc", "q"], prompt: ["esc"]
    ) { state, count in
      // A count that was being typed is dropped first, and only that.
      if count == nil { state.cancel() }
    },
    Action("history-previous", "previous query", query: ["alt-up"]) { $0.stepHistory(back: 1) },
    Action("history-next", "next query", query: ["alt-down"]) { $0.stepHistory(back: -1) },
    Action("history-search", "choose from earlier queries", query: ["ctrl-r"], prompt: ["ctrl-r"]) { state in
      if state.prompt?.purpose == .history {
        state.movePrompt(by: 1)
      } else if state.mode == .query {
        state.ask(.history)
      }
    },
  ]
}

extension PagerState {
  /// Whether there is a load to stop or a failed one to dismiss.
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
      } else if !search.text.isEmpty {
        search = RowSearch()
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
      return say(back > 0 ? "no earlier query" : "no later query")
    }
    line = LineEditor(query)
    edits += 1
  }
}
