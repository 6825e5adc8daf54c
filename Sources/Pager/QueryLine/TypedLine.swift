import Search
import Terminal
import Text

/// A line being typed. Text wider than the screen scrolls so that the caret stays visible.
struct TypedLine {
  let line: Line
  /// The position of the caret, in terminal columns from the left edge.
  let caretColumn: Int

  /// - Parameters:
  ///   - hint: Shown while nothing is typed.
  ///   - mistake: The characters that are marked as wrong.
  init(
    _ editor: LineEditor, prompt: Sanitized, isActive: Bool, hint: String, mistake: Range<Int>? = nil,
    _ state: PagerState
  ) {
    let model = state.widthModel
    let columns = state.screenWidth
    let theme = state.theme
    let start = min(prompt.width(model), columns / 2)
    let room = max(1, columns - start - 1)
    let before = Sanitized(editor.textBeforeCaret)
    var hidden = max(0, before.width(model) - room + 1)
    let visible = before.dropping(columns: hidden, model)
    var line = Line(prompt, style: isActive ? theme[.accent] : theme[.dim])
    caretColumn = min(start + visible.width(model), columns - 1)
    line.advance(to: start)
    for (text, style) in Self.parts(editor, 0..<editor.position, mistake, isActive, theme) {
      let width = text.width(model)
      line.append(hidden == 0 ? text : text.dropping(columns: min(hidden, width), model), style: style)
      hidden = max(0, hidden - width)
    }
    line.advance(to: caretColumn)
    var rest = max(0, columns - caretColumn)
    for (text, style) in Self.parts(
      editor, editor.position..<editor.characters.count, mistake, isActive, theme)
    {
      let shown = text.prefix(columns: rest, model)
      line.append(shown, style: style)
      rest -= shown.width(model)
    }
    if editor.isEmpty { line.append(Sanitized(hint).prefix(columns: room, model), style: theme[.dim]) }
    self.line = line
  }

  /// A part of the typed text, with its marked characters apart.
  private static func parts(
    _ editor: LineEditor, _ range: Range<Int>, _ mistake: Range<Int>?, _ isActive: Bool, _ theme: Theme
  ) -> [(text: Sanitized, style: Style)] {
    let marked = (mistake ?? range.upperBound..<range.upperBound).clamped(to: range)
    var style = theme[.error]
    style.attributes.insert(.underline)
    let usual = isActive && editor.isSelected ? theme[.selected] : .plain
    let parts = [
      (range.lowerBound..<marked.lowerBound, usual), (marked, style),
      (marked.upperBound..<range.upperBound, usual),
    ]
    return parts.filter { !$0.0.isEmpty }.map { (Sanitized(String(editor.characters[$0.0])), $0.1) }
  }

  init(queryOf state: PagerState) {
    self.init(
      state.query.editor, prompt: Sanitized(" query") + state.glyphs.prompt,
      isActive: state.mode == .query, hint: state.rules.input.placeholder, state)
  }

  /// The line of a prompt, shown instead of the notice.
  init(_ prompt: Prompt, _ state: PagerState) {
    let words = prompt.purpose.words
    self.init(
      prompt.line, prompt: Sanitized(" \(prompt.subject ?? words.label)") + state.glyphs.prompt,
      isActive: true, hint: words.hint, mistake: state.typedMistake?.range, state)
  }
}
