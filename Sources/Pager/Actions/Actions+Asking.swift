private import Search

extension Actions {
  static let asking: [Action] = [
    Action("edit-query", "edit the query", table: ["s", "i"]) { state, _ in state.mode = .query },
    Action("submit", "ask now, and go to the table", query: ["enter"]) { state, _ in
      if state.isDraft { state.submit() }
      state.mode = .table
    },
    Action(
      "cancel", "stop one thing: the count, the load, the failed row; in the query line go to the table",
      table: ["esc"], query: ["esc"], popup: ["esc", "q"]
    ) { state, count in
      // A count that was being typed is dropped first, and only that.
      if count == nil { state.cancel() }
    },
    Action("help", "all keys", table: ["?", "f1"], query: ["f1"], popup: ["?", "f1"]) { state, _ in
      state.toggleHelp()
    },
  ]
}

extension PagerState {
  /// Whether there is a load to stop or a failed one to give up.
  var canCancel: Bool { session.phase.isLoading || session.phase.isWaiting || session.phase.isFailed }

  mutating func cancel() {
    switch mode {
    case .help(_, let under): mode = under == .query ? .query : .table
    case .query where session.phase.isLoading || session.phase.isWaiting: update(.stopped)
    case .query: mode = .table
    case .table:
      if canCancel { update(.stopped) }
    }
  }

  fileprivate mutating func toggleHelp() {
    switch mode {
    case .help: cancel()
    case .query: mode = .help(scroll: 0, under: .query)
    case .table: mode = .help(scroll: 0, under: .table)
    }
  }
}
