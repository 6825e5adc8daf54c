extension Actions {
  static let showing: [Action] = [
    Action(
      "details", "show all fields of the row", table: ["v"], popup: ["v"],
      disabledReason: { $0.popup?.kind == .detail ? nil : $0.missingRowReason }
    ) { $0.toggle(.detail) },
    Action(
      "toggle-json", "show the row as JSON or as fields", table: ["J"], popup: ["J"],
      disabledReason: { $0.mode == .table ? $0.missingRowReason : nil }
    ) { state in
      if state.popup?.kind == .detail {
        state.change {
          $0.showsJSON.toggle()
          $0.scroll = 0
        }
      } else if state.mode == .table {
        state.toggle(.detail, showsJSON: true)
      }
    },
    Action("next-row", "show the details of the next row", popup: ["ctrl-n"]) { $0.showRow(by: $1 ?? 1) },
    Action("previous-row", "show the details of the previous row", popup: ["ctrl-p"]) {
      $0.showRow(by: -($1 ?? 1))
    },
    Action("request-log", "show the request log", table: ["L"], popup: ["L"]) { $0.toggle(.log) },
    Action("messages", "show earlier messages", table: ["!"], popup: ["!"]) { $0.toggle(.messages) },
    Action("help", "show all keys", table: ["?", "f1"], query: ["f1"], popup: ["?", "f1"], prompt: ["f1"]) {
      $0.toggle(.help)
    },
    Action("command-palette", "run an action by name", table: ["ctrl-x"], query: ["ctrl-x"]) {
      $0.ask(.palette)
    },
    Action("toggle-mouse", "turn the mouse on or off", table: ["%"]) { state in
      state.isMouseOn.toggle()
      state.notify(state.isMouseOn ? "mouse on" : "mouse off")
    },
    Action(
      "redraw", "redraw the screen", table: ["ctrl-l"], query: ["ctrl-l"], popup: ["ctrl-l"],
      prompt: ["ctrl-l"]
    ) { $0.redraws += 1 },
  ]
}

extension PagerState {
  fileprivate mutating func showRow(by places: Int) {
    guard popup?.kind == .detail else { return }
    viewport.select(viewport.selection + places, of: listCount)
    moveAnchor()
    change { $0.scroll = 0 }
  }
}
