import Search
import Text

extension Actions {
  static let loading: [Action] = [
    Action(
      "load-more", "load the next page; with count N, N pages", table: ["M"],
      disabledReason: { $0.missingQueryReason }
    ) { $0.load(.pages($1 ?? 1)) },
    Action(
      "load-all", "load all pages", table: ["alt-m"], query: ["alt-m"],
      disabledReason: { $0.missingQueryReason }
    ) { $0.load(.everything) },
    Action(
      "refresh", "retry a failed, waiting or stopped load, or refresh",
      table: ["r", "f5"], query: ["f5"], disabledReason: { $0.isDraft ? nil : $0.missingQueryReason }
    ) { $0.retryFailed() },
    Action("reset", "start over: initial query, no filter, sort or marks", table: ["R"]) { state in
      let hasMarks = !state.marks.isEmpty || state.marks.elsewhere > 0
      if hasMarks { state.overlays.append(.question(.reset)) } else { state.resetNow() }
    },
  ]
}

extension PagerState {
  fileprivate mutating func load(_ demand: Demand) {
    switch session.phase {
    case .end(.maxRows(let most)):
      notify("stopped at \(Digits.grouped(most)) rows. Raise pager.max_rows to load more", .warning)
    case .end: notify("no more rows")
    default: update(.wanted(demand))
    }
  }

  fileprivate mutating func retryFailed() {
    switch session.phase {
    case .failed, .waiting, .stopped: update(.retried)
    case .loading: notify("already loading", .warning)
    case .idle, .end:
      if isDraft { submit() } else { refresh() }
    }
  }

  /// Resets query, options, columns, filter, sort and marks to their initial values.
  mutating func resetNow() {
    line = LineEditor(start.text)
    options = start.options
    edits += 1
    focus = initialFocus
    list = RowList()
    search = RowSearch()
    marks = Marks()
    table = table.original
    update(.searched(start, .pages(1)))
    viewport = Viewport()
  }
}
