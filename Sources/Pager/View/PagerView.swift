import Search
package import Terminal
import Text

package enum PagerView {
  /// Renders a state, without side effects. O(visible content).
  package static func frame(_ state: PagerState) -> Frame {
    let screen = state.screen
    var frame = Frame(state.canvas, title: Sanitized("riffle \(state.rules.title)"), redraws: state.redraws)
    frame.tracksMouse = state.isMouseOn
    frame.isBusy = state.session.phase.isLoading
    guard !screen.isTooSmall else {
      frame.lines = [
        Line(Sanitized("terminal too small").prefix(columns: screen.size.columns, state.widthModel))
      ]
      return frame
    }
    if screen.hasTitle { frame.lines.append(TitleBar.line(state)) }
    let query = TypedLine(queryOf: state)
    frame.lines.append(query.line)
    frame.lines += middle(state).prefix(screen.middle.rows)
    while frame.lines.count < screen.size.rows - 2 { frame.lines.append(Line()) }
    let prompt = state.overlays.prompt.map { TypedLine($0, state) }
    frame.lines.append(prompt?.line ?? NoticeLine.line(state))
    frame.lines.append(StatusBar.line(state))
    frame.caret = caret(state, screen, query, prompt)
    if state.glyphs.hasPlainMarks { frame.lines = frame.lines.map(\.withPlainMarks) }
    return frame
  }

  private static func middle(_ state: PagerState) -> [Line] {
    if let prompt = state.overlays.prompt, prompt.purpose.hasList {
      return PromptListView(state, prompt).lines { tableAndPreview(state) }
    }
    if let popup = state.overlays.shownPopup {
      return PopupView.lines(state, popup) { tableAndPreview(state) }
    }
    return tableAndPreview(state)
  }

  private static func tableAndPreview(_ state: PagerState) -> [Line] {
    let table = TableView(state)
    let lines =
      (state.screen.hasHeading ? [table.heading] : [])
      + (state.list.count == 0 ? EmptyView.lines(state) : table.rows)
    return state.screen.preview.map { PreviewView(state, in: $0).lines(beside: lines) } ?? lines
  }

  /// The terminal's cursor: at the caret of the typed line or, for a screen reader, on the selected row.
  private static func caret(
    _ state: PagerState, _ screen: Screen, _ query: TypedLine, _ prompt: TypedLine?
  ) -> Frame.Position? {
    if let prompt { return Frame.Position(column: prompt.caretColumn, row: screen.size.rows - 2) }
    if state.mode == .query { return Frame.Position(column: query.caretColumn, row: screen.queryRow) }
    guard state.rules.isAccessible else { return nil }
    guard state.mode == .table, state.list.count > 0 else {
      return Frame.Position(column: 0, row: screen.queryRow + 1)
    }
    let above = (state.list.viewport.top..<state.list.viewport.selection).reduce(0) {
      $0 + state.lineCount(ofRowAt: $1)
    }
    return Frame.Position(column: 0, row: min(screen.bodyRow + above, screen.size.rows - 3))
  }
}

extension Line {
  /// A line with `left` at its start and `right`, dimmed, at its end; `right` is dropped if both do not fit.
  ///
  /// - Parameter width: The terminal columns of the line; nil for those of the screen.
  static func justified(
    _ left: [(Sanitized, Style)], right: Sanitized = "", width: Int? = nil, _ state: PagerState
  ) -> Line {
    var line = Line()
    let model = state.widthModel
    let columns = if let width { width } else { state.screenWidth }
    let rightWidth = right.width(model)
    var room = columns - 1
    for (text, style) in left {
      line.append(text.truncated(to: room, ellipsis: state.glyphs.ellipsis, model), style: style)
      room -= text.width(model)
      if room <= 0 { return line }
    }
    guard rightWidth > 0, rightWidth < room else { return line }
    line.advance(to: columns - rightWidth - 1)
    line.append(right, style: state.theme[.dim])
    return line
  }

  /// Appends a rule with a title, and with `place` at its end if both fit.
  ///
  /// - Parameters:
  ///   - lead: The terminal columns of the rule before the title.
  ///   - width: Those of the whole rule.
  mutating func appendRule(
    _ title: Sanitized, _ style: Style, place: String = "", lead: Int, width: Int, _ state: PagerState
  ) {
    let (dim, model, rule) = (state.theme[.dim], state.widthModel, state.glyphs.rule)
    func run(_ columns: Int) -> Sanitized {
      Sanitized(String(repeating: rule.string, count: max(0, columns / max(1, rule.width(model)))))
    }
    let name = title.truncated(to: width - lead - 3, ellipsis: state.glyphs.ellipsis, model)
    let left = width - lead - name.width(model) - 2
    let end = place.isEmpty ? Sanitized() : Sanitized(" \(place) ")
    let showsPlace = !end.isEmpty && end.width(model) + 1 <= left
    append(run(lead), style: dim)
    append(.spaces(1) + name + .spaces(1), style: style)
    append(run(left - (showsPlace ? end.width(model) + 1 : 0)), style: dim)
    if showsPlace { append(end + run(1), style: dim) }
  }
}

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
    for (text, style) in Self.parts(editor, 0..<editor.position, mistake, theme) {
      let width = text.width(model)
      line.append(hidden == 0 ? text : text.dropping(columns: min(hidden, width), model), style: style)
      hidden = max(0, hidden - width)
    }
    line.advance(to: caretColumn)
    var rest = max(0, columns - caretColumn)
    for (text, style) in Self.parts(editor, editor.position..<editor.characters.count, mistake, theme) {
      let shown = text.prefix(columns: rest, model)
      line.append(shown, style: style)
      rest -= shown.width(model)
    }
    if editor.isEmpty { line.append(Sanitized(hint).prefix(columns: room, model), style: theme[.dim]) }
    self.line = line
  }

  /// A part of the typed text, with its marked characters apart.
  private static func parts(
    _ editor: LineEditor, _ range: Range<Int>, _ mistake: Range<Int>?, _ theme: Theme
  ) -> [(text: Sanitized, style: Style)] {
    let marked = (mistake ?? range.upperBound..<range.upperBound).clamped(to: range)
    var style = theme[.error]
    style.attributes.insert(.underline)
    let parts = [
      (range.lowerBound..<marked.lowerBound, Style.plain), (marked, style),
      (marked.upperBound..<range.upperBound, .plain),
    ]
    return parts.filter { !$0.0.isEmpty }.map { (Sanitized(String(editor.characters[$0.0])), $0.1) }
  }

  init(queryOf state: PagerState) {
    self.init(
      state.query.editor, prompt: Sanitized(" search") + state.glyphs.prompt,
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

/// The text in the middle of a table without rows, with the relevant keys.
enum EmptyView {
  /// Whether what happens to the first page is shown here, and so is omitted from the notice line.
  static func showsPhase(_ state: PagerState) -> Bool {
    let phase = state.session.phase
    let isTold = phase.isLoading || phase.isWaiting || phase.isFailed || phase.isStopped
    return state.list.rows.isEmpty && isTold && state.overlays.isEmpty && state.height >= 3
  }

  static func lines(_ state: PagerState) -> [Line] {
    let text = state.emptyText
    let width = state.screen.table.columns
    let wrapped = (text.lines + keys(text.keys, state)).flatMap { text, role in
      Sanitized(text).wrapped(to: width - 4, state.widthModel).map { (text: $0, role: role) }
    }
    let lines = fitted(wrapped, to: state.height)
    let indent = max(2, (width - (lines.map { $0.text.width(state.widthModel) }.max() ?? 0)) / 2)
    let blanks = [Line](repeating: Line(), count: (state.height - lines.count) / 2)
    return blanks
      + lines.map { Line(.spaces(indent) + $0.text, style: $0.role.map { state.theme[$0] } ?? .plain) }
  }

  /// On a low screen, drops blank lines first, then lines before the last, which has the keys.
  private static func fitted(
    _ lines: [(text: Sanitized, role: Role?)], to height: Int
  ) -> [(text: Sanitized, role: Role?)] {
    if lines.count <= height { return lines }
    let filled = lines.filter { !$0.text.isEmpty }
    return filled.count <= height ? filled : Array(filled.prefix(max(0, height - 1)) + filled.suffix(1))
  }

  /// A blank line, followed by the keys of actions available in the current mode, as many per line as fit.
  private static func keys(_ hints: [KeyHint], _ state: PagerState) -> [(text: String, role: Role?)] {
    var lines: [String] = []
    for hint in hints.compactMap({ state.text(of: $0, in: state.mode) }) {
      let joined = lines.last.map { "\($0)   \(hint)" } ?? hint
      let fits = Sanitized(joined).width(state.widthModel) <= state.screen.table.columns - 4
      if fits, !lines.isEmpty { lines[lines.count - 1] = joined } else { lines.append(hint) }
    }
    return lines.isEmpty ? [] : ([""] + lines).map { ($0, .dim) }
  }
}
