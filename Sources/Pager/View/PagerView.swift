private import Search
package import Terminal
import Text

/// The picture of a state: pure, reads only.
package enum PagerView {
  /// O(what is shown).
  package static func frame(_ state: PagerState) -> Frame {
    let screen = Screen(state.canvas)
    var frame = Frame(state.canvas, title: Sanitized("riffle \(state.rules.title)"), redraws: state.redraws)
    guard !screen.isTooSmall else {
      frame.lines = [Line("too small")]
      return frame
    }
    if screen.hasTitle { frame.lines.append(TitleBar.line(state)) }
    let query = QueryLine(state)
    if state.mode == .query {
      frame.caret = Frame.Position(column: query.caretColumn, row: frame.lines.count)
    }
    frame.lines.append(query.line)
    if case .help(let scroll, _) = state.mode {
      frame.lines += HelpView.lines(
        state, scroll: scroll, height: screen.bodyHeight + (screen.hasHeading ? 1 : 0))
    } else {
      let table = TableView(state)
      if screen.hasHeading { frame.lines.append(table.heading) }
      frame.lines += state.session.rows.isEmpty ? EmptyView.lines(state) : table.body
    }
    while frame.lines.count < screen.size.rows - 2 { frame.lines.append(Line()) }
    frame.lines.append(NoticeLine.line(state))
    frame.lines.append(StatusBar.line(state))
    return frame
  }
}

extension Line {
  /// A line with `left` at its start and `right` at its end; `right` gives way when both do not fit.
  init(
    left: [(Sanitized, Style)], right: [(Sanitized, Style)], canvas: Canvas
  ) {
    self.init()
    let model = canvas.widthModel
    let columns = canvas.size.columns
    let rightWidth = right.reduce(0) { $0 + $1.0.width(model) }
    let leftWidth = left.reduce(0) { $0 + $1.0.width(model) }
    let showsRight = leftWidth + rightWidth + 2 <= columns
    var room = columns - 1
    for (text, style) in left {
      append(text.width(model) <= room ? text : text.fitted(to: max(0, room), .leading, model), style: style)
      room -= text.width(model)
      if room <= 0 { return }
    }
    guard showsRight, rightWidth > 0 else { return }
    advance(to: columns - rightWidth - 1)
    for (text, style) in right { append(text, style: style) }
  }
}
