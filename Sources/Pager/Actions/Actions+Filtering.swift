import Search
import Text

extension Actions {
  static let filtering: [Action] = [
    Action("find", "find words in loaded rows or in a popup", table: ["/"], popup: ["/"]) { state in
      state.ask(.search, former: state.popup?.searchText ?? state.search.text)
    },
    Action("next-match", "next match", table: ["n"], popup: ["n"]) { $0.seek(forward: true, $1 ?? 1) },
    Action("previous-match", "previous match", table: ["N"], popup: ["N"]) {
      $0.seek(forward: false, $1 ?? 1)
    },
    Action("filter", "show only loaded rows that match", table: ["&"]) { state in
      state.ask(.filter, text: state.list.filter, former: state.list.filter)
    },
    Action(
      "sort-ascending", "sort loaded rows by the current column, ascending", table: ["]"],
      unless: { $0.rows.isEmpty ? $0.missingRowReason : nil }
    ) { $0.sort(isDescending: false) },
    Action(
      "sort-descending", "sort loaded rows by the current column, descending", table: ["["],
      unless: { $0.rows.isEmpty ? $0.missingRowReason : nil }
    ) {
      $0.sort(isDescending: true)
    },
    Action("clear-sort", "restore the order of the service", table: ["="]) { $0.list.sort = nil },
  ]
}

extension PagerState {
  fileprivate mutating func seek(forward: Bool, _ count: Int) {
    if mode == .popup { return seekInPopup(forward: forward) }
    guard !search.text.isEmpty else {
      return say("nothing to find yet" + hint("find", "find"), .warning)
    }
    search.seek = RowSearch.Seek(row: selectedRow ?? 0, isForward: forward, count: count)
  }

  fileprivate mutating func sort(isDescending: Bool) {
    guard let column = table.currentColumn else { return }
    sort(by: column, isDescending: isDescending)
  }

  mutating func sort(by column: Int, isDescending: Bool) {
    list.sort = ColumnSort(column: column, isDescending: isDescending)
  }
}
