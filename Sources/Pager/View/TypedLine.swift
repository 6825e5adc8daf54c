import Search
import Terminal
import Text

/// A line being typed. Text wider than the screen scrolls so that the caret stays visible.
struct TypedLine {
  let line: Line
  /// The position of the caret, in terminal columns from the left edge.
  let caretColumn: Int

  /// - Parameter hint: Shown while nothing is typed.
  init(
    _ editor: LineEditor, prompt: Sanitized, isActive: Bool, hint: String = "", _ state: PagerState
  ) {
    let model = state.canvas.widthModel
    let columns = state.canvas.size.columns
    let theme = state.theme
    let start = min(prompt.width(model), columns / 2)
    let room = max(1, columns - start - 1)
    let before = Sanitized(editor.textBeforeCaret)
    let hidden = max(0, before.width(model) - room + 1)
    let visible = before.dropping(columns: hidden, model)
    let after = Sanitized(String(editor.characters[editor.position...]))
    var line = Line(prompt, style: isActive ? theme[.accent] : theme[.dim])
    caretColumn = min(start + visible.width(model), columns - 1)
    line.advance(to: start)
    line.append(visible)
    line.advance(to: caretColumn)
    line.append(after.prefix(columns: max(0, columns - caretColumn), model))
    if editor.isEmpty { line.append(Sanitized(hint).prefix(columns: room, model), style: theme[.dim]) }
    self.line = line
  }
}

extension TypedLine {
  /// The query line.
  init(queryOf state: PagerState) {
    self.init(
      state.line, prompt: Sanitized(" search") + state.rules.glyphs.prompt,
      isActive: state.mode == .query, hint: state.rules.input.placeholder, state)
  }

  /// The line of a prompt, shown instead of the notice.
  init(_ prompt: Prompt, _ state: PagerState) {
    let name =
      switch prompt.purpose {
      case .search: "find"
      case .filter: "filter"
      case .file: "write rows to"
      case .recording: "save recording to"
      case .history: "history"
      case .palette: "action"
      case .source: "source"
      }
    self.init(
      prompt.line, prompt: Sanitized(" \(name)") + state.rules.glyphs.prompt, isActive: true,
      hint: prompt.purpose.hint, state)
  }
}

extension Prompt.Purpose {
  /// Shown while nothing is typed.
  fileprivate var hint: String {
    switch self {
    case .file: "name.csv, .tsv or .jsonl"
    case .recording: "name.riffle (rows and typed text, no credentials)"
    case .search, .filter, .history, .palette, .source: ""
    }
  }
}
