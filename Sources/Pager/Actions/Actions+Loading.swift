import Search
import Text

extension Actions {
  static let loading: [Action] = [
    Action(
      "load-more", "load the next page; with a count, that many", table: ["M"], unless: { $0.lackOfQuery }
    ) { $0.load(.pages($1 ?? 1)) },
    Action(
      "load-all", "load everything", table: ["alt-m"], query: ["alt-m"], unless: { $0.lackOfQuery }
    ) { $0.load(.everything) },
    Action(
      "refresh", "ask again: a failed, waiting or stopped load now, else from page 1",
      table: ["r", "f5"], query: ["f5"], unless: { $0.isDraft ? nil : $0.lackOfQuery }
    ) { $0.askAgain() },
    Action("reset", "as started: first query, row 1, asked anew", table: ["R"]) { state in
      let hasMarks = !state.marks.isEmpty || state.marks.elsewhere > 0
      if hasMarks { state.overlays.append(.question(.reset)) } else { state.resetNow() }
    },
  ]
}

extension PagerState {
  fileprivate mutating func load(_ demand: Demand) {
    switch session.phase {
    case .end(.maxRows(let most)):
      say("\(Digits.grouped(most)) rows are the most kept (max_rows in [pager])", .warning)
    case .end: say("nothing more to load: this is the end")
    default: update(.wanted(demand))
    }
  }

  fileprivate mutating func askAgain() {
    switch session.phase {
    case .failed, .waiting, .stopped: update(.retried)
    case .loading: say("it is loading already", .warning)
    case .idle, .end:
      if isDraft { submit() } else { refresh() }
    }
  }

  /// Query, options, columns, filter, sort and marks as they were in the beginning.
  mutating func resetNow() {
    line = LineEditor(start.text)
    options = start.options
    edits += 1
    focus = start.text.isEmpty ? .query : .table
    list = RowList()
    search = RowSearch()
    marks = Marks()
    table = table.original
    update(.searched(start, .pages(1)))
    viewport = Viewport()
  }
}
