extension Actions {
  static let marking: [Action] = [
    Action(
      "toggle-mark", "mark or unmark the row, then move down", table: ["x", "tab"], query: ["tab"],
      disabledReason: { $0.missingRowReason }
    ) { $0.mark(rows: $1 ?? 1) },
    Action(
      "toggle-mark-up", "mark or unmark the row, then move up", table: ["shift-tab"], query: ["shift-tab"],
      disabledReason: { $0.missingRowReason }
    ) { $0.mark(rows: -($1 ?? 1)) },
    Action("mark-all", "mark all listed rows", table: ["a"], disabledReason: { $0.missingRowReason }) {
      $0.markListed { marks, row in marks.insert(row) }
    },
    Action(
      "invert-marks", "invert the marks of all listed rows", table: ["*"],
      disabledReason: { $0.missingRowReason }
    ) { $0.markListed { marks, row in marks.toggle(row) } },
    Action("clear-marks", "clear all marks", table: ["alt-a"]) { $0.marks = Marks() },
  ]
}

extension PagerState {
  /// Toggles the marks of `count` rows starting with the selected one, upward if negative, and selects the
  /// row after them.
  fileprivate mutating func mark(rows count: Int) {
    for _ in 0..<min(abs(count), listCount) {
      guard let row = selectedRow else { return }
      marks.toggle(row)
      let before = viewport.selection
      viewport.select(before + count.signum(), of: listCount)
      if viewport.selection == before { break }
    }
    moveAnchor()
  }

  /// O(rows).
  fileprivate mutating func markListed(_ change: (inout Marks, Int) -> Void) {
    for position in 0..<listCount {
      if let row = row(at: position) { change(&marks, row) }
    }
  }
}
