private import Search

extension Actions {
  static let moving: [Action] = [
    Action(
      "down", "next row", table: ["j", "down", "ctrl-n"], query: ["down", "ctrl-n"], popup: ["j", "down"]
    ) { $0.move(by: $1 ?? 1) },
    Action(
      "up", "previous row", table: ["k", "up", "ctrl-p"], query: ["up", "ctrl-p"], popup: ["k", "up"]
    ) { $0.move(by: -($1 ?? 1)) },
    Action(
      "page-down", "next screen", table: ["space", "f", "pagedown"], query: ["pagedown"],
      popup: ["space", "pagedown"]
    ) { $0.scroll(by: ($1 ?? 1) * $0.height) },
    Action(
      "page-up", "previous screen", table: ["b", "pageup"], query: ["pageup"], popup: ["b", "pageup"]
    ) { $0.scroll(by: -($1 ?? 1) * $0.height) },
    Action("half-page-down", "half a screen down", table: ["d"], popup: ["d"]) {
      $0.scroll(by: ($1 ?? 1) * max(1, $0.height / 2))
    },
    Action("half-page-up", "half a screen up", table: ["u"], popup: ["u"]) {
      $0.scroll(by: -($1 ?? 1) * max(1, $0.height / 2))
    },
    Action(
      "first", "first row", table: ["g", "home"], query: ["ctrl-home"], popup: ["g", "home"]
    ) { state, _ in state.select(0) },
    Action(
      "last", "last loaded row; with a count, that row", table: ["G", "end"], query: ["ctrl-end"],
      popup: ["G", "end"]
    ) { state, count in state.select(count.map { $0 - 1 } ?? Int.max) },
  ]
}

extension PagerState {
  fileprivate mutating func move(by rows: Int) {
    if case .help(let scroll, let under) = mode {
      mode = .help(scroll: max(0, scroll + rows), under: under)
    } else {
      select(viewport.selection + rows)
    }
  }

  fileprivate mutating func scroll(by rows: Int) {
    if case .help = mode { return move(by: rows) }
    viewport.scroll(by: rows, of: session.rows.count, height: height)
    moveAnchor()
  }

  fileprivate mutating func select(_ row: Int) {
    if case .help(_, let under) = mode {
      mode = .help(scroll: row == 0 ? 0 : HelpView.lineCount, under: under)
    } else {
      viewport.select(row, of: session.rows.count, height: height)
      moveAnchor()
    }
  }
}
