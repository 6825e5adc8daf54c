import Search

extension Actions {
  static let leaving: [Action] = [
    Action(
      "suspend", "suspend riffle (fg: resume)", table: ["ctrl-z"], query: ["ctrl-z"],
      popup: ["ctrl-z"], prompt: ["ctrl-z"]
    ) { $0.exitReason = .suspend },
    Action(
      "interrupt", "cancel what is open or loading, or quit", table: ["ctrl-c"], query: ["ctrl-c"],
      popup: ["ctrl-c"], prompt: ["ctrl-c"]
    ) { state in
      if !state.overlays.isEmpty {
        state.cancel()
      } else if state.canCancel {
        state.update(.stopped)
      } else {
        state.exitReason = .quit
      }
    },
    Action("delete-or-quit", "delete the next character; quit on an empty line", query: ["ctrl-d"]) {
      $0.deleteOrQuit()
    },
    Action("quit", "quit", table: ["q"]) { $0.exitReason = .quit },
  ]
}

extension PagerState {
  fileprivate mutating func deleteOrQuit() {
    guard !line.isEmpty else {
      exitReason = .quit
      return
    }
    line.perform(.deleteForward)
    edited()
  }
}
