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
    frame.notification = state.notices.latest
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

  /// The terminal's cursor: at the caret of the typed line or, for a screen reader, on the selected row or entry.
  private static func caret(
    _ state: PagerState, _ screen: Screen, _ query: TypedLine, _ prompt: TypedLine?
  ) -> Frame.Position? {
    if let prompt { return Frame.Position(column: prompt.caretColumn, row: screen.size.rows - 2) }
    if state.mode == .query { return Frame.Position(column: query.caretColumn, row: screen.queryRow) }
    guard state.rules.isAccessible else { return nil }
    if state.mode.isPopup, let place = state.popupPlace {
      let inner = state.popupBox.inner
      let line = min(place.selected.isEmpty ? 0 : place.selected.lowerBound, inner.rows - 1)
      return Frame.Position(column: inner.column, row: inner.row + line)
    }
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
