import Text

extension Actions {
  static let arranging: [Action] = [
    Action("column-hide", "hide the current column", table: ["-"]) { state in
      if state.table.shown.count > 1 {
        state.table.hideCurrent()
      } else {
        state.say("the last column stays", .warning)
      }
    },
    Action("columns-show-all", "show hidden columns again", table: ["+"]) { $0.table.showAll() },
    Action("column-move-left", "move the current column to the left", table: ["{"]) {
      $0.table.shiftCurrent(by: -($1 ?? 1))
    },
    Action("column-move-right", "move it to the right", table: ["}"]) {
      $0.table.shiftCurrent(by: $1 ?? 1)
    },
    Action("column-narrower", "make it narrower", table: ["<"]) { state, count in
      state.table.widenCurrent(by: -2 * (count ?? 1), screen: state.tableWidth)
    },
    Action("column-wider", "make it wider", table: [">"]) { state, count in
      state.table.widenCurrent(by: 2 * (count ?? 1), screen: state.tableWidth)
    },
    Action("column-fit", "make it as wide as its widest cell", table: ["|"]) { $0.table.fitCurrent() },
    Action("wrap", "long cells on several lines, or cut", table: ["W"]) { $0.isWrapped.toggle() },
  ]
}
