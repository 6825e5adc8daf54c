import Search

extension Actions {
  static let querying: [Action] = [
    Action("edit-query", "edit the query", table: ["s", "i"]) { $0.focus = .query },
    Action("submit", "search, or accept the prompt", query: ["enter"], prompt: ["enter"]) {
      state in
      if state.mode == .prompt { state.acceptPrompt() } else { state.runQuery() }
    },
    Action(
      "cancel", "cancel a typed count or a load, clear the filter or matches, or close", table: ["esc"],
      query: ["esc"], popup: ["esc", "q"], prompt: ["esc"]
    ) { state, count in
      // If a count is being typed, only the count is dropped.
      if count == nil { state.cancel() }
    },
    Action("previous-history", "previous query", query: ["alt-up"]) { $0.stepHistory(back: 1) },
    Action("next-history", "next query", query: ["alt-down"]) { $0.stepHistory(back: -1) },
    Action("search-history", "search earlier queries", query: ["ctrl-r"], prompt: ["ctrl-r"]) { state in
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
        exitReason = .quit
      }
    }
  }

  /// Moves the focus to the table without searching. The line shows the current query again, and the typed
  /// text becomes the latest history entry.
  mutating func leaveQueryLine() {
    focus = .table
    guard isDraft, session.hasQuery, session.generation > 0 else { return }
    if let draft = line.characters.first, draft != " " { history.append(trimmedLine) }
    line = LineEditor(session.query.text)
    edits += 1
  }

  /// Submits the query line if it differs from the current query; a submitted query is added to the history.
  mutating func runQuery() {
    if isDraft { submit() }
    // The session rejected the query.
    if isDraft { return }
    focus = .table
    // A query that starts with a space is kept out of the history.
    guard !trimmedLine.isEmpty, line.characters.first != " ", history.entries.last != trimmedLine else {
      return
    }
    history.append(trimmedLine)
    effectQueue.append(.remember(trimmedLine))
  }

  fileprivate mutating func stepHistory(back: Int) {
    guard let query = history.step(back: back, from: line.text) else {
      return notify(back > 0 ? "no earlier query" : "no later query")
    }
    line = LineEditor(query)
    edits += 1
  }
}
