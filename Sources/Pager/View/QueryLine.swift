private import Search
import Terminal
private import Text

/// The line the query is typed on; a text longer than the screen scrolls so that the caret shows.
struct QueryLine {
  let line: Line
  /// Where the caret stands, in terminal columns from the left edge.
  let caretColumn: Int

  init(_ state: PagerState) {
    let model = state.canvas.widthModel
    let prompt = Sanitized(" search› ")
    let start = prompt.width(model)
    let room = max(1, state.canvas.size.columns - start - 1)
    let before = Sanitized(state.line.textBeforeCaret)
    let hidden = max(0, before.width(model) - room + 1)
    let visible = before.dropping(columns: hidden, model)
    let after = Sanitized(String(state.line.characters[state.line.position...]))
    let isEditing = state.mode == .query
    var line = Line(prompt, style: isEditing ? state.rules.theme[.accent] : state.rules.theme[.dim])
    caretColumn = min(start + visible.width(model), state.canvas.size.columns - 1)
    line.advance(to: start)
    line.append(visible)
    line.advance(to: caretColumn)
    line.append(after.prefix(columns: max(0, state.canvas.size.columns - caretColumn), model))
    if state.line.isEmpty {
      line.append(
        Sanitized(state.rules.input.placeholder).prefix(columns: room, model), style: state.rules.theme[.dim])
    }
    self.line = line
  }
}
