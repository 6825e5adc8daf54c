extension Actions {
  static let showing: [Action] = [
    Action(
      "detail", "the whole row", table: ["v"], popup: ["v"],
      unless: { $0.popup?.kind == .detail ? nil : $0.lackOfRow }
    ) { $0.toggle(.detail) },
    Action(
      "raw-json", "the row as JSON, or its fields", table: ["J"], popup: ["J"],
      unless: { $0.mode == .table ? $0.lackOfRow : nil }
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
    Action("next-row", "in the detail, the next row", popup: ["ctrl-n"]) { $0.showRow(by: $1 ?? 1) },
    Action("previous-row", "in the detail, the row before", popup: ["ctrl-p"]) { $0.showRow(by: -($1 ?? 1)) },
    Action("log", "the requests that were sent", table: ["L"], popup: ["L"]) { $0.toggle(.log) },
    Action("messages", "what was said", table: ["!"], popup: ["!"]) { $0.toggle(.messages) },
    Action("help", "all keys", table: ["?", "f1"], query: ["f1"], popup: ["?", "f1"], prompt: ["f1"]) {
      $0.toggle(.help)
    },
    Action("palette", "choose an action by its name", table: ["ctrl-x"], query: ["ctrl-x"]) {
      $0.ask(.palette)
    },
    Action("mouse", "let the mouse choose rows, or leave it to the terminal", table: ["%"]) { state in
      state.isMouseOn.toggle()
      state.say(state.isMouseOn ? "the mouse chooses rows" : "the mouse is the terminal's")
    },
    Action(
      "redraw", "draw the screen anew", table: ["ctrl-l"], query: ["ctrl-l"], popup: ["ctrl-l"],
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
