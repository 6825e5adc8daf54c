import Terminal
private import Text

/// All keys, made from the table of actions: first those of the place help was asked from.
enum HelpView {
  static func lines(_ state: PagerState) -> [StyledText] {
    Array(groups(state).map { Section(state: state, modes: $0).lines }.joined(separator: [StyledText()]))
  }

  /// The places whose keys stand beside each other.
  private static func groups(_ state: PagerState) -> [[Mode]] {
    // Nothing lies under the list of sources.
    if case .prompt(let prompt)? = state.overlays.first, prompt.purpose == .source { return [[.prompt]] }
    let isWide = state.canvas.size.columns >= 90
    let groups: [[Mode]] = isWide ? [[.table, .query], [.popup, .prompt]] : Mode.allCases.map { [$0] }
    let asked = groups.filter { $0.contains(state.helpedMode) }
    return asked + groups.filter { !asked.contains($0) }
  }

  private struct Section {
    let state: PagerState
    let modes: [Mode]

    private static let keysWidth = 22

    private var start: Int { 1 + modes.count * Self.keysWidth }
    private var isNarrow: Bool { state.canvas.size.columns < start + 30 }

    var lines: [StyledText] {
      rows(modes.map(Self.title), "what it does", state.theme[.header])
        + state.rules.keyMap.actions.filter(isReached).flatMap(lines)
    }

    private static func title(_ mode: Mode) -> String {
      switch mode {
      case .table: "table"
      case .query: "query line"
      case .popup: "popup"
      case .prompt: "prompt"
      }
    }

    /// By a key, or by the palette, which knows what has keys by default.
    private func isReached(_ action: Action) -> Bool {
      modes.contains { mode in
        !state.rules.keyMap.keys(of: action.name, in: mode).isEmpty
          || (mode == .table || mode == .query) && action.keys[mode] != nil
      }
    }

    private func lines(_ action: Action) -> [StyledText] {
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
