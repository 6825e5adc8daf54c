import Terminal
private import Text

/// All keys, made from the table of actions. A narrow screen shows those of the place help was asked from.
enum HelpView {
  static var lineCount: Int { Actions.all.count + 1 }

  static func lines(_ state: PagerState, scroll: Int, height: Int) -> [Line] {
    let top = max(0, min(scroll, lineCount - height))
    let layout = Layout(state)
    return Array(([layout.heading] + Actions.all.map(layout.line)).dropFirst(top).prefix(height))
  }

  private struct Layout {
    let state: PagerState
    let scopes: [KeyScope]

    private static let keysWidth = 22

    init(_ state: PagerState) {
      self.state = state
      if state.canvas.size.columns >= 90 {
        scopes = [.table, .query]
      } else if case .help(_, .query) = state.mode {
        scopes = [.query]
      } else {
        scopes = [.table]
      }
    }

    var heading: Line {
      row(scopes.map { $0 == .table ? "table" : "query line" }, "what it does", state.rules.theme[.header])
    }

    func line(_ action: Action) -> Line {
      row(
        scopes.map { (action.keys[$0] ?? []).joined(separator: " ") }, "\(action.name): \(action.summary)",
        state.rules.theme[.accent])
    }

    private func row(_ keys: [String], _ text: String, _ style: Style) -> Line {
      let model = state.canvas.widthModel
      var line = Line()
      for (index, key) in keys.enumerated() {
        line.advance(to: 1 + index * Self.keysWidth)
        line.append(Sanitized(key).fitted(to: Self.keysWidth - 2, .leading, model), style: style)
      }
      let start = 1 + keys.count * Self.keysWidth
      line.advance(to: start)
      line.append(Sanitized(text).prefix(columns: max(0, state.canvas.size.columns - start - 1), model))
      return line
    }
  }
}
