private import Search
import Text

extension Actions {
  static let moving: [Action] = [
    Action(
      "down", "next row or line", table: ["j", "down", "ctrl-n"], query: ["down", "ctrl-n"],
      popup: ["j", "down"], prompt: ["down"]
    ) { $0.move(by: $1 ?? 1) },
    Action(
      "up", "previous row or line", table: ["k", "up", "ctrl-p"], query: ["up", "ctrl-p"],
      popup: ["k", "up"], prompt: ["up"]
    ) { $0.move(by: -($1 ?? 1)) },
    Action(
      "page-down", "next screen", table: ["space", "f", "pagedown"], query: ["pagedown"],
      popup: ["space", "pagedown"], prompt: ["pagedown"]
    ) { $0.scroll(pages: $1 ?? 1) },
    Action(
      "page-up", "previous screen", table: ["b", "pageup"], query: ["pageup"], popup: ["b", "pageup"],
      prompt: ["pageup"]
    ) { $0.scroll(pages: -($1 ?? 1)) },
    Action("half-page-down", "half a screen down", table: ["d"], popup: ["d"]) {
      $0.scroll(pages: $1 ?? 1, of: 2)
    },
    Action("half-page-up", "half a screen up", table: ["u"], popup: ["u"]) {
      $0.scroll(pages: -($1 ?? 1), of: 2)
    },
    Action(
      "first", "first row", table: ["g", "home"], query: ["ctrl-home"], popup: ["g", "home"]
    ) { $0.go(to: 0) },
    Action(
      "last", "last loaded row; with count N, row N", table: ["G", "end"], query: ["ctrl-end"],
      popup: ["G", "end"]
    ) { state, count in
      if let count { state.go(toNumber: count) } else { state.go(to: Int.max / 2) }
    },
    Action("go-to-row", "go to row N; type N first") { state, count in
      if let count {
        state.go(toNumber: count)
      } else {
        state.notify("type a row number first", .warning)
      }
    },
    Action("previous-column", "previous column", table: ["h", "left"]) {
      $0.table.moveCurrent(by: -($1 ?? 1))
    },
    Action("next-column", "next column", table: ["l", "right"]) { $0.table.moveCurrent(by: $1 ?? 1) },
    Action("first-column", "first column", table: ["0"]) { $0.table.goTo(0) },
    Action("last-column", "last column", table: ["$"]) { $0.table.goTo($0.table.shown.count - 1) },
  ]
}

extension PagerState {
  mutating func move(by rows: Int) {
    switch mode {
    case .popup: scrollPopup(by: rows)
    case .prompt: movePrompt(by: rows)
    case .table, .query: go(to: viewport.selection + rows)
    }
  }

  /// - Parameter parts: The number of parts a page is divided into.
  fileprivate mutating func scroll(pages: Int, of parts: Int = 1) {
    let bounded = max(-1_000_000, min(pages, 1_000_000))
    switch mode {
    case .popup: scrollPopup(by: bounded * max(1, Screen(canvas).popupHeight / parts))
    case .prompt: movePrompt(by: bounded * max(1, Screen(canvas).popupHeight - 1))
    case .table, .query:
      viewport.scroll(by: bounded * max(1, shownRowCount / parts), of: listCount)
      moveAnchor()
    }
  }

  /// - Parameter number: The row number, from 1. Beyond the last row, selects the last one and shows a
  ///   message.
  fileprivate mutating func go(toNumber number: Int) {
    go(to: number - 1)
    guard mode != .popup, number > listCount, listCount > 0 else { return }
    let isFiltered = !list.filter.isEmpty
    let more = session.hasMore && !isFiltered ? hint("load-more", "load more") : ""
    notify(
      "no row \(Digits.grouped(number)): \(Digits.counted(listCount, "row")) \(isFiltered ? "match" : "loaded")\(more)",
      .warning)
  }

  mutating func go(to row: Int) {
    if mode == .popup { return change { $0.scroll = row } }
    viewport.select(row, of: listCount)
    moveAnchor()
  }
}
