private import Search

extension Actions {
  static let leaving: [Action] = [
    Action("redraw", "draw the screen anew", table: ["ctrl-l"], query: ["ctrl-l"], popup: ["ctrl-l"]) {
      state, _ in state.redraws += 1
    },
    Action(
      "suspend", "stop the program; fg brings it back", table: ["ctrl-z"], query: ["ctrl-z"],
      popup: ["ctrl-z"]
    ) { state, _ in state.departure = .suspend },
    Action(
      "interrupt", "stop the load, else quit", table: ["ctrl-c"], query: ["ctrl-c"], popup: ["ctrl-c"]
    ) { state, _ in
      if state.canCancel { state.update(.stopped) } else { state.departure = .quit }
    },
    Action("delete-or-quit", "delete the next character; on an empty line quit", query: ["ctrl-d"]) {
      state, _ in state.deleteOrQuit()
    },
    Action("quit", "leave", table: ["q"]) { state, _ in state.departure = .quit },
  ]
}

extension PagerState {
  fileprivate mutating func deleteOrQuit() {
    guard !line.isEmpty else {
      departure = .quit
      return
    }
    line.perform(.deleteForward)
    edits += 1
  }
}
