private import Search

extension Actions {
  static let loading: [Action] = [
    Action("load-more", "load the next page; with a count, that many", table: ["M"], query: ["alt-m"]) {
      state, count in state.loadMore(pages: count ?? 1)
    },
    Action(
      "refresh", "ask again: a failed, waiting or stopped load now, else from page 1",
      table: ["r", "f5"], query: ["f5"]
    ) { state, _ in state.askAgain() },
    Action("reset", "as started: first query, row 1, asked anew", table: ["R"]) { state, _ in
      state.reset()
    },
  ]
}

extension PagerState {
  fileprivate mutating func loadMore(pages: Int) {
    if case .end = session.phase {
      message = "nothing more to load: this is the end"
    } else {
      update(.wanted(.pages(pages)))
    }
  }

  fileprivate mutating func askAgain() {
    switch session.phase {
    case .failed, .waiting, .stopped: update(.retried)
    case .loading: break
    case .idle, .end:
      if isDraft { submit() } else { refresh() }
    }
  }

  fileprivate mutating func reset() {
    line = LineEditor(start.text)
    edits += 1
    mode = start.text.isEmpty ? .query : .table
    update(.searched(start, .pages(1)))
    viewport = Viewport()
  }
}
