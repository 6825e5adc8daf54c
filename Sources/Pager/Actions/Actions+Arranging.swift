import Text

extension Actions {
  static let arranging: [Action] = [
    Action("hide-column", "hide the current column", table: ["-"]) { state in
      if state.table.shown.count > 1 {
        state.table.hideCurrent()
      } else {
        state.notify("cannot hide the only visible column", .warning)
      }
    },
    Action("show-all-columns", "show all columns", table: ["+"]) { $0.table.showAll() },
    Action("move-column-left", "move the current column left", table: ["{"]) {
      $0.table.shiftCurrent(by: -($1 ?? 1))
    },
    Action("move-column-right", "move the current column right", table: ["}"]) {
      $0.table.shiftCurrent(by: $1 ?? 1)
    },
    Action("narrow-column", "make the current column narrower", table: ["<"]) { state, count in
      state.table.widenCurrent(by: -2 * (count ?? 1), screen: state.tableWidth)
    },
    Action("widen-column", "make the current column wider", table: [">"]) { state, count in
      state.table.widenCurrent(by: 2 * (count ?? 1), screen: state.tableWidth)
    },
    Action("fit-column", "fit the current column to its widest cell", table: ["|"]) { $0.table.fitCurrent() },
    Action("toggle-wrap", "wrap or truncate long cells", table: ["W"]) { $0.isWrapped.toggle() },
  ]
}
