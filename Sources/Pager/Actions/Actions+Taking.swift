import Text

extension Actions {
  static let taking: [Action] = [
    Action(
      "accept", "show all fields of the row; in pick, select it or the marked rows", table: ["enter"],
      disabledReason: { $0.rules.purpose == .pick && !$0.marks.isEmpty ? nil : $0.missingRowReason }
    ) { $0.choose() },
    Action(
      "open-link", "open the row's link", table: ["o"], query: ["alt-o"], popup: ["o"],
      disabledReason: { $0.takesRow ? $0.missingRowReason : nil }
    ) { state in
      if state.takesRow { state.openLink() }
    },
    Action("copy-row", "copy the row", table: ["y y"], query: ["alt-y"], popup: ["y y"]) { state in
      if state.takesRow { state.copyRow() }
    },
    Action("copy-cell", "copy the current cell", table: ["y c"]) { $0.copyCell() },
    Action("copy-link", "copy the row's link", table: ["y u"]) { $0.copyLink() },
    Action("copy-json", "copy the row as JSON", table: ["y j"]) { $0.copyJSON() },
    Action(
      "write-rows", "write the marked rows, or all listed rows, to a file", table: ["w"], popup: ["w"]
    ) { state in
      // Popups other than the detail are about the session.
      state.ask(state.takesRow ? .file : .recording)
    },
    Action(
      "save-recording", "save a recording of this session for riffle replay",
      table: ["alt-w"], popup: ["alt-w"]
    ) { $0.ask(.recording) },
  ]
}

extension PagerState {
  /// Whether the action applies to a row: with a popup open, only the detail popup is about a row.
  var takesRow: Bool { popup.map { $0.kind == .detail } ?? true }

  fileprivate mutating func choose() {
    switch rules.purpose {
    case .browse: toggle(.detail)
    case .pick:
      if marks.elsewhere > 0 { overlays.append(.question(.accept)) } else { exitReason = .accept }
    }
  }
}
