import Terminal
private import Text

/// All keys, made from the table of actions. A narrow screen shows those of the place help was asked from.
enum HelpView {
  static func lines(_ state: PagerState) -> [StyledText] {
    let layout = Layout(state)
    return layout.heading + state.rules.keyMap.actions.filter(layout.shows).flatMap(layout.lines)
  }

  private struct Layout {
    let state: PagerState
    let modes: [Mode]

    private static let keysWidth = 22

    init(_ state: PagerState) {
      self.state = state
      modes =
        switch state.canvas.size.columns {
        case 116...: [.table, .query, .popup]
        case 90...: [.table, .query]
        default: [state.baseMode]
        }
    }

    private var start: Int { 1 + modes.count * Self.keysWidth }
    private var isNarrow: Bool { state.canvas.size.columns < start + 30 }

    var heading: [StyledText] {
      let titles = modes.map { $0 == .query ? "query line" : $0.rawValue }
      return rows(titles, "what it does", state.theme[.header])
    }

    /// Actions that have no key here are left out, those without any key are not.
    func shows(_ action: Action) -> Bool { action.keys.isEmpty || modes.contains { action.keys[$0] != nil } }

    func lines(_ action: Action) -> [StyledText] {
      rows(
        modes.map {
          state.rules.keyMap.keys(of: action.name, in: $0).map(KeyMap.label).joined(separator: ", ")
        },
        "\(action.name): \(action.summary)", state.theme[.accent])
    }

    private func rows(_ keys: [String], _ text: String, _ style: Style) -> [StyledText] {
      isNarrow ? below(keys, text, style) : beside(keys, text, style)
    }

    private func beside(_ keys: [String], _ text: String, _ style: Style) -> [StyledText] {
      let model = state.canvas.widthModel
      let texts = Sanitized(text).wrapped(to: state.canvas.size.columns - start - 1, model)
      return texts.enumerated().map { number, text in
        var line = StyledText(.spaces(1))
        for key in keys {
          let shown = number == 0 ? Sanitized(key) : Sanitized()
          line.append(
            shown.fitted(to: Self.keysWidth - 2, ellipsis: state.rules.glyphs.ellipsis, model) + .spaces(2),
            style)
        }
        line.append(text)
        return line
      }
    }

    private func below(_ keys: [String], _ text: String, _ style: Style) -> [StyledText] {
      let keys = keys.filter { !$0.isEmpty }.joined(separator: "  ")
      return (keys.isEmpty ? [] : state.paragraph(keys, style)) + state.paragraph(text, indent: 3)
    }
  }
}
