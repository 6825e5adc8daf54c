import Text

extension Actions {
  static let arranging: [Action] = [
    Action("column-hide", "hide the current column", table: ["-"]) { state in
      if state.table.shown.count > 1 {
        state.table.hideCurrent()
      } else {
        state.say("cannot hide the last column", .warning)
      }
    },
    Action("columns-show-all", "show all columns", table: ["+"]) { $0.table.showAll() },
    Action("column-move-left", "move the current column left", table: ["{"]) {
      $0.table.shiftCurrent(by: -($1 ?? 1))
    },
    Action("column-move-right", "move it right", table: ["}"]) {
      $0.table.shiftCurrent(by: $1 ?? 1)
    },
    Action("column-narrower", "make it narrower", table: ["<"]) { state, count in
      state.table.widenCurrent(by: -2 * (count ?? 1), screen: state.tableWidth)
    },
    Action("column-wider", "make it wider", table: [">"]) { state, count in
      state.table.widenCurrent(by: 2 * (count ?? 1), screen: state.tableWidth)
    },
    Action("column-fit", "fit it to its widest cell", table: ["|"]) { $0.table.fitCurrent() },
    Action("wrap", "wrap long cells, or cut them", table: ["W"]) { $0.isWrapped.toggle() },
  ]
}
