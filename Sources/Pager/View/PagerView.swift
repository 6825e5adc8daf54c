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
    let prompt = state.prompt.map { TypedLine($0, state) }
    frame.lines.append(prompt?.line ?? NoticeLine.line(state))
    frame.lines.append(StatusBar.line(state))
    frame.caret = caret(state, screen, query, prompt)
    if state.glyphs.hasPlainMarks { frame.lines = frame.lines.map(\.withPlainMarks) }
    return frame
  }

  private static func middle(_ state: PagerState) -> [Line] {
    if let prompt = state.prompt, prompt.purpose.hasList {
      return PromptListView(state, prompt).lines { tableAndPreview(state) }
    }
    if let popup = state.shownPopup { return PopupView.lines(state, popup) { tableAndPreview(state) } }
    return tableAndPreview(state)
  }

  private static func tableAndPreview(_ state: PagerState) -> [Line] {
    let table = TableView(state)
    let lines =
      (state.screen.hasHeading ? [table.heading] : [])
      + (state.listCount == 0 ? EmptyView.lines(state) : table.body)
    return state.screen.preview.map { PreviewView.lines(state, in: $0, beside: lines) } ?? lines
  }

  /// The terminal's cursor: at the caret of the typed line or, for a screen reader, on the selected row.
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
  /// A line with `left` at its start and `right`, dimmed, at its end; `right` is dropped if both do not fit.
  ///
  /// - Parameter width: The terminal columns of the line; nil for those of the screen.
  init(left: [(Sanitized, Style)], right: Sanitized = "", width: Int? = nil, _ state: PagerState) {
    self.init()
    let model = state.widthModel
    let columns = width ?? state.screenWidth
    let rightWidth = right.width(model)
    var room = columns - 1
    for (text, style) in left {
      append(text.truncated(to: room, ellipsis: state.glyphs.ellipsis, model), style: style)
      room -= text.width(model)
      if room <= 0 { return }
    }
    guard rightWidth > 0, rightWidth < room else { return }
    advance(to: columns - rightWidth - 1)
    append(right, style: state.theme[.dim])
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
      state.line, prompt: Sanitized(" search") + state.glyphs.prompt,
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

struct TableView {
  private let state: PagerState
  private let layout: TableLayout
  private let highlights: [MatchHighlight]

  init(_ state: PagerState) {
    self.state = state
    layout = state.table.layout(width: state.tableWidth)
    let (table, texts) = (state.table, [state.search.text, state.list.filter])
    highlights = layout.columns.map { MatchHighlight(texts, in: $0.column, of: table.columns) }
  }

  private var glyphs: Glyphs { state.glyphs }
  private var model: WidthModel { state.widthModel }
  private var margin: Int { PagerState.margin }

  /// The titles, with indicators for the current column, the sort column, and columns that are off the
  /// screen. Empty until the widths of the columns are known, so that titles do not move.
  var heading: Line {
    var line = Line()
    guard !state.table.naturalWidths.isEmpty else { return line }
    if layout.before > 0 {
      let count = layout.before < 10 ? Sanitized("\(layout.before)") : Sanitized()
      line.append(glyphs.earlier + count, style: state.theme[.dim])
    }
    for column in layout.columns {
      if column.column == state.table.currentColumn {
        line.advance(to: margin + column.start - 1)
        line.append(glyphs.current, style: state.theme[.accent])
      }
      line.advance(to: margin + column.start)
      line.append(heading(of: column), style: state.theme[.header])
    }
    appendIndicator(to: &line)
    return line
  }

  /// Appends the indicator for columns off the screen at the end, over titles if it has no space.
  private func appendIndicator(to line: inout Line) {
    let end = margin + state.tableWidth
    let indicator = layout.indicator(
      isWide: state.tableWidth >= TableLayout.minWidthForWords, later: glyphs.later)
    guard !indicator.isEmpty else { return }
    let hasRoom = margin + layout.end + 1 + indicator.width(model) <= end
    let shown = hasRoom || layout.after == 0 ? indicator : glyphs.later
    line.advance(to: max(margin, end - shown.width(model)))
    line.append(shown.prefix(columns: end - margin, model), style: state.theme[.dim])
  }

  private func heading(of column: TableLayout.Column) -> Sanitized {
    let alignment = state.table.columns[column.column].alignment
    let title = Sanitized(state.table.columns[column.column].title.uppercased())
    guard let sort = state.list.sort, sort.column == column.column else {
      return title.fitted(to: column.width, alignment, ellipsis: glyphs.ellipsis, model)
    }
    // The gap has space for a narrow sort indicator, followed by the indicator of the current column.
    let room = min(column.width + 1, state.tableWidth - column.start)
    return SortedTitle(
      title: title, indicator: sort.isDescending ? glyphs.descending : glyphs.ascending, alignment: alignment,
      width: column.width, room: room
    ).text(ellipsis: glyphs.ellipsis, model)
  }

  /// As many lines as the table has on the screen, or fewer.
  var body: [Line] {
    var lines: [Line] = []
    var position = state.viewport.top
    while lines.count < state.height, let row = state.row(at: position) {
      lines += self.lines(of: row, at: position)
      position += 1
    }
    return Array(lines.prefix(state.height))
  }

  private func lines(of row: Int, at position: Int) -> [Line] {
    guard let (cells, place) = state.cells(of: row) else { return [Line()] }
    let isStale = row >= state.session.freshCount || state.showsPreviousResults
    let wholes = layout.columns.map { cells.cell(row: place, column: $0.column) }
    let texts = zip(wholes, layout.columns).map { whole, column in
      state.isWrapped ? state.table.wrapped(whole, in: column, height: state.height, model) : [whole]
    }
    let isSelected = position == state.viewport.selection
    let background = isSelected ? state.theme[.selected] : .plain
    let styles = zip(wholes, layout.columns).map { whole, column in
      let role = isStale ? .dim : state.table.columns[column.column].role(for: whole.string)
      return (role.map { state.theme[$0] } ?? .plain).laid(over: background)
    }
    let links = links(of: isSelected ? cells.link(row: place) : "", among: wholes)
    return (0..<max(1, texts.map(\.count).max() ?? 1)).map { number in
      var line = margin(of: row, isSelected: isSelected, isFirst: number == 0, on: background)
      for (index, column) in layout.columns.enumerated() where number < texts[index].count {
        let alignment = state.table.columns[column.column].alignment
        let text = texts[index][number].fitted(to: column.width, alignment, ellipsis: glyphs.ellipsis, model)
        line.advance(to: margin + column.start, style: background)
        append(text, styles[index], links[index], highlights[index], on: background, to: &line)
      }
      line.advance(to: isSelected ? margin + state.tableWidth : margin + layout.end, style: background)
      return line
    }
  }

  private func margin(of row: Int, isSelected: Bool, isFirst: Bool, on background: Style) -> Line {
    var line = Line()
    if isSelected { line.append(glyphs.selection, style: state.theme[.accent].laid(over: background)) }
    guard isFirst else { return line }
    line.advance(to: 1, style: background)
    if state.marks.contains(row) {
      line.append(glyphs.mark, style: state.theme[.accent].laid(over: background))
    } else {
      switch state.sign(of: row) {
      case .new?: line.append(glyphs.newRow, style: state.theme[.success].laid(over: background))
      case .changed?: line.append(glyphs.changedRow, style: state.theme[.warning].laid(over: background))
      case nil: break
      }
    }
    return line
  }

  /// The link of each cell: the row's address, on the cell that shows it, else on the first. Only the
  /// selected row has links, because those of all rows would more than double the bytes of a frame.
  private func links(of address: String, among cells: [Sanitized]) -> [Link?] {
    var links = [Link?](repeating: nil, count: cells.count)
    let shown = cells.firstIndex { $0.string == address } ?? 0
    if links.indices.contains(shown) { links[shown] = Link(address) }
    return links
  }

  private func append(
    _ text: Sanitized, _ style: Style, _ link: Link?, _ highlight: MatchHighlight, on background: Style,
    to line: inout Line
  ) {
    let (before, text, after) = link == nil ? (Sanitized(), text, Sanitized()) : text.unpadded
    if !before.isEmpty { line.append(before, style: style) }
    for (part, isMatch) in highlight.isEmpty ? [(text, false)] : highlight.parts(of: text) {
      line.append(part, style: isMatch ? state.theme[.match].laid(over: background) : style, link: link)
    }
    if !after.isEmpty { line.append(after, style: style) }
  }
}

extension Sanitized {
  /// The text without its leading and trailing spaces, and those spaces.
  fileprivate var unpadded: (before: Sanitized, text: Sanitized, after: Sanitized) {
    let count = string.utf8.count
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") }
    let start = string.utf8.prefix(while: isBlank).count
    let end = max(start, count - string.utf8.reversed().prefix(while: isBlank).count)
    return (self[0..<start], self[start..<end], self[end..<count])
  }
}

/// The title of the sort column with its sort indicator. The title keeps its position; the indicator follows
/// it, after a space if the column is wide enough, else directly, if necessary in the gap before the next
/// column. If there is no space even there, the title is truncated, unless too little of it would be left.
struct SortedTitle {
  let title: Sanitized
  let indicator: Sanitized
  let alignment: Alignment
  let width: Int
  /// The terminal columns available: those of the column, possibly with one of the gap.
  let room: Int

  func text(ellipsis: Sanitized, _ model: WidthModel) -> Sanitized {
    let whole = title.fitted(to: width, alignment, ellipsis: ellipsis, model)
    let end = alignment == .leading ? min(title.width(model), width) : width
    let indicatorWidth = indicator.width(model)
    if end + 1 + indicatorWidth <= width {
      return whole.prefix(columns: end, model) + Sanitized(" ") + indicator
    }
    if end + indicatorWidth <= room { return whole.prefix(columns: end, model) + indicator }
    guard room - indicatorWidth >= max(Self.minTitleWidth, indicatorWidth) else { return whole }
    return title.fitted(to: room - indicatorWidth, alignment, ellipsis: ellipsis, model) + indicator
  }

  private static let minTitleWidth = 3
}

/// The text in the middle of a table without rows, with the relevant keys.
enum EmptyView {
  /// Whether what happens to the first page is shown here, and so is omitted from the notice line.
  static func showsPhase(_ state: PagerState) -> Bool {
    let phase = state.session.phase
    let isTold = phase.isLoading || phase.isWaiting || phase.isFailed || phase.isStopped
    return state.rows.isEmpty && isTold && state.overlays.isEmpty && state.height >= 3
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
