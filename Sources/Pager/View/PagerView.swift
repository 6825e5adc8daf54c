import Search
package import Terminal
import Text

/// Renders a state as a frame, without side effects.
package enum PagerView {
  /// O(visible content).
  package static func frame(_ state: PagerState) -> Frame {
    let screen = Screen(state.canvas)
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
    frame.lines += middle(state, screen).prefix(screen.size.rows - 2 - frame.lines.count)
    while frame.lines.count < screen.size.rows - 2 { frame.lines.append(Line()) }
    let prompt = state.prompt.map { TypedLine($0, state) }
    frame.lines.append(prompt?.line ?? NoticeLine.line(state))
    frame.lines.append(StatusBar.line(state))
    frame.caret = caret(state, screen, query, prompt)
    if state.glyphs.hasPlainMarks { frame.lines = frame.lines.map(\.withPlainMarks) }
    return frame
  }

  private static func middle(_ state: PagerState, _ screen: Screen) -> [Line] {
    if let prompt = state.prompt, prompt.purpose.hasList {
      return PromptListView.lines(state, prompt, screen)
    }
    if let popup = state.shownPopup {
      return PopupView.frame(state, popup, screen)
    }
    let table = TableView(state)
    return (screen.hasHeading ? [table.heading] : [])
      + (state.listCount == 0 ? EmptyView.lines(state) : table.body)
  }

  /// The terminal's cursor: at the caret of the line being typed or, for a screen reader, on the selected
  /// row.
  private static func caret(
    _ state: PagerState, _ screen: Screen, _ query: TypedLine, _ prompt: TypedLine?
  ) -> Frame.Position? {
    if let prompt { return Frame.Position(column: prompt.caretColumn, row: screen.size.rows - 2) }
    if state.mode == .query { return Frame.Position(column: query.caretColumn, row: screen.queryRow) }
    guard state.rules.isAccessible else { return nil }
    guard state.mode == .table, state.listCount > 0 else {
      return Frame.Position(column: 0, row: screen.queryRow + 1)
    }
    let above = (state.viewport.top..<state.viewport.selection).reduce(0) {
      $0 + state.lineCount(ofRowAt: $1)
    }
    return Frame.Position(column: 0, row: min(screen.bodyRow + above, screen.size.rows - 3))
  }
}

extension Line {
  /// A line with `left` at its start and `right` at its end; `right` is dropped if both do not fit.
  init(left: [(Sanitized, Style)], right: [(Sanitized, Style)], _ state: PagerState) {
    self.init()
    let model = state.widthModel
    let columns = state.screenWidth
    let rightWidth = right.reduce(0) { $0 + $1.0.width(model) }
    let leftWidth = left.reduce(0) { $0 + $1.0.width(model) }
    let showsRight = leftWidth + rightWidth + 2 <= columns
    var room = columns - 1
    for (text, style) in left {
      append(text.truncated(to: room, ellipsis: state.glyphs.ellipsis, model), style: style)
      room -= text.width(model)
      if room <= 0 { return }
    }
    guard showsRight, rightWidth > 0 else { return }
    advance(to: columns - rightWidth - 1)
    for (text, style) in right { append(text, style: style) }
  }
}

/// The first line: the source, how loaded rows are sorted, and the service's remaining budget.
enum TitleBar {
  static func line(_ state: PagerState) -> Line {
    let dim = state.theme[.dim]
    let facts = (sort(state) + options(state)).map { (Sanitized("   \($0)"), dim) }
    return Line(
      left: [(Sanitized(" riffle  "), state.theme[.header]), (Sanitized(state.rules.title), .plain)]
        + facts,
      right: budget(state).map { [(Sanitized($0), dim)] } ?? [], state)
  }

  private static func sort(_ state: PagerState) -> [String] {
    guard let sort = state.list.sort, state.table.columns.indices.contains(sort.column) else { return [] }
    let arrow = sort.isDescending ? state.glyphs.descending : state.glyphs.ascending
    return ["sorted by \(state.table.columns[sort.column].title) \(arrow)"]
  }

  /// The options that can be cycled with a key, and those that were set.
  private static func options(_ state: PagerState) -> [String] {
    state.rules.options.compactMap { option in
      guard option.key != nil || state.options[option.name] != nil,
        let value = state.options[option.name] ?? option.defaultValue
      else { return nil }
      return "\(option.name): \(SourceOption.label(of: value))"
    }
  }

  /// `27/30 requests left, resets at 14:02`.
  private static func budget(_ state: PagerState) -> String? {
    guard let budget = state.session.budget, let remaining = budget.remaining else { return nil }
    let share = budget.limit.map { "\(remaining)/\($0) requests left" } ?? "\(remaining) requests left"
    guard let reset = budget.resetsAt.flatMap(Timestamp.init(epoch:)) else { return share }
    return "\(share), resets at \(reset.clock(in: state.rules.zone))"
  }
}

/// A line being typed. Text wider than the screen scrolls so that the caret stays visible.
struct TypedLine {
  let line: Line
  /// The position of the caret, in terminal columns from the left edge.
  let caretColumn: Int

  /// - Parameter hint: Shown while nothing is typed.
  init(
    _ editor: LineEditor, prompt: Sanitized, isActive: Bool, hint: String = "", _ state: PagerState
  ) {
    let model = state.widthModel
    let columns = state.screenWidth
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

  init(queryOf state: PagerState) {
    self.init(
      state.line, prompt: Sanitized(" search") + state.glyphs.prompt,
      isActive: state.mode == .query, hint: state.rules.input.placeholder, state)
  }

  /// The line of a prompt, shown instead of the notice.
  init(_ prompt: Prompt, _ state: PagerState) {
    let words = prompt.purpose.words
    self.init(
      prompt.line, prompt: Sanitized(" \(words.label)") + state.glyphs.prompt, isActive: true,
      hint: words.hint, state)
  }
}
