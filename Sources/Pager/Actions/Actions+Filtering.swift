import Search
import Text

extension Actions {
  static let filtering: [Action] = [
    Action("find", "find words in loaded rows or in a popup", table: ["/"], popup: ["/"]) { state in
      state.ask(.search, previous: state.popup?.searchText ?? state.search.text)
    },
    Action("next-match", "next match", table: ["n"], popup: ["n"]) { $0.findNext(forward: true, $1 ?? 1) },
    Action("previous-match", "previous match", table: ["N"], popup: ["N"]) {
      $0.findNext(forward: false, $1 ?? 1)
    },
    Action("filter", "show only loaded rows that match", table: ["&"]) { state in
      state.ask(.filter, text: state.list.filter, previous: state.list.filter)
    },
    Action(
      "sort-ascending", "sort loaded rows by the current column, ascending", table: ["]"],
      disabledReason: { $0.rows.isEmpty ? $0.missingRowReason : nil }
    ) { $0.sort(isDescending: false) },
    Action(
      "sort-descending", "sort loaded rows by the current column, descending", table: ["["],
      disabledReason: { $0.rows.isEmpty ? $0.missingRowReason : nil }
    ) {
      $0.sort(isDescending: true)
    },
    Action("clear-sort", "restore the order of the service", table: ["="]) { $0.list.sort = nil },
  ]
}

extension PagerState {
  fileprivate mutating func findNext(forward: Bool, _ count: Int) {
    if mode == .popup { return findInPopup(forward: forward) }
    guard !search.text.isEmpty else {
      return notify("nothing to find yet" + hint("find", "find"), .warning)
    }
    search.findNext = RowSearch.FindNext(row: selectedRow ?? 0, isForward: forward, count: count)
  }

  fileprivate mutating func sort(isDescending: Bool) {
    guard let column = table.currentColumn else { return }
    sort(by: column, isDescending: isDescending)
  }

  mutating func sort(by column: Int, isDescending: Bool) {
    list.sort = ColumnSort(column: column, isDescending: isDescending)
  }
}
