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
        Line(Sanitized("terminal too small").prefix(columns: screen.size.columns, state.canvas.widthModel))
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
    if state.rules.glyphs.hasPlainMarks { frame.lines = frame.lines.map(\.withPlainMarks) }
    return frame
  }

  /// The lines between query line and notice.
  private static func middle(_ state: PagerState, _ screen: Screen) -> [Line] {
    if let prompt = state.prompt, prompt.purpose.hasList {
      return PromptListView.lines(state, prompt, screen)
    }
    if let popup = state.overlays.last(where: { $0.popup != nil })?.popup {
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
    let model = state.canvas.widthModel
    let columns = state.canvas.size.columns
    let rightWidth = right.reduce(0) { $0 + $1.0.width(model) }
    let leftWidth = left.reduce(0) { $0 + $1.0.width(model) }
    let showsRight = leftWidth + rightWidth + 2 <= columns
    var room = columns - 1
    for (text, style) in left {
      let ellipsis = state.rules.glyphs.ellipsis
      append(
        text.width(model) <= room ? text : text.fitted(to: max(0, room), ellipsis: ellipsis, model),
        style: style)
      room -= text.width(model)
      if room <= 0 { return }
    }
    guard showsRight, rightWidth > 0 else { return }
    advance(to: columns - rightWidth - 1)
    for (text, style) in right { append(text, style: style) }
  }
}
