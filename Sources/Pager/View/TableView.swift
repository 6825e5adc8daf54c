import Search
import Terminal
import Text

/// The heading and the visible rows of the table.
struct TableView {
  private let state: PagerState
  private let layout: TableLayout
  private let highlights: [MatchHighlight]
  private let rows: RowStore
  /// The rows from this one on are those of an earlier result.
  private let firstStaleRow: Int

  init(_ state: borrowing PagerState, _ drawn: inout DrawnTable) {
    self.state = copy state
    layout = drawn.layout(of: state.table, width: state.tableWidth)
    rows = state.rows
    firstStaleRow = state.showsPreviousResults ? 0 : state.session.freshCount
    let (table, texts) = (state.table, [state.search.text, state.list.filter])
    highlights =
      texts.allSatisfy(\.isEmpty)
      ? Array(repeating: MatchHighlight(phrase: ""), count: layout.columns.count)
      : layout.columns.map { MatchHighlight(texts, in: $0.column, of: table.columns) }
  }

  private var glyphs: Glyphs { state.glyphs }
  private var model: WidthModel { state.widthModel }
  private var margin: Int { PagerState.margin }

  /// The heading, if it has a place on the screen, and the rows. What has not changed is taken from `drawn`.
  func lines(_ drawn: inout DrawnTable) -> [Line] {
    drawn.begin(look)
    defer { drawn.end() }
    var lines = state.screen.hasHeading ? [heading(&drawn)] : []
    guard state.listCount > 0 else { return lines + EmptyView.lines(state) }
    appendBody(to: &lines, &drawn)
    return lines
  }

  /// Empty until the widths of the columns are known, so that titles do not move.
  private func heading(_ drawn: inout DrawnTable) -> Line {
    guard !state.table.naturalWidths.isEmpty else { return Line() }
    let current = state.table.currentColumn
    return drawn.heading(state.list.sort, current: current) { heading(current: current) }
  }

  /// The titles, with indicators for the current column, the sort column, and columns that are off the screen.
  private func heading(current: Int?) -> Line {
    var line = Line()
    if layout.before > 0 {
      let count = layout.before < 10 ? Sanitized("\(layout.before)") : Sanitized()
      line.append(glyphs.earlier + count, style: state.theme[.dim])
    }
    for column in layout.columns {
      if column.column == current {
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

  /// Appends as many lines as the table has on the screen, or fewer.
  private func appendBody(to lines: inout [Line], _ drawn: inout DrawnTable) {
    let height = state.height
    let end = lines.count + height
    var position = state.viewport.top
    while lines.count < end, let row = state.row(at: position) {
      let ofRow = self.lines(of: row, isSelected: position == state.viewport.selection, &drawn)
      if ofRow.count == 1 { lines.append(ofRow[0]) } else { lines += ofRow }
      position += 1
    }
    if lines.count > end { lines.removeLast(lines.count - end) }
  }

  private var look: DrawnTable.Look {
    DrawnTable.Look(
      rules: DrawingRules(state), layout: layout, columns: state.table.columns, width: state.tableWidth,
      matches: [state.search.text, state.list.filter],
      wrappedHeight: state.isWrapped ? state.height : nil)
  }

  private func lines(of row: Int, isSelected: Bool, _ drawn: inout DrawnTable) -> [Line] {
    guard let (cells, place) = rows.cells(of: row) else { return [Line()] }
    let isMarked = state.marks.contains(row)
    let form = DrawnTable.Form(
      isSelected: isSelected, isStale: row >= firstStaleRow,
      isMarked: isMarked, sign: isMarked ? nil : state.sign(of: row))
    if let lines = drawn.lines(of: row, cells, place, form) { return lines }
    let lines = lines(of: cells, place, form)
    drawn.keep(lines)
    return lines
  }

  private func lines(of cells: CellTable, _ place: Int, _ form: DrawnTable.Form) -> [Line] {
    let wholes = layout.columns.map { cells.cell(row: place, column: $0.column) }
    let texts = zip(wholes, layout.columns).map { whole, column in
      state.isWrapped ? state.table.wrapped(whole, in: column, height: state.height, model) : [whole]
    }
    let background = form.isSelected ? state.theme[.selected] : .plain
    let styles = zip(wholes, layout.columns).map { whole, column in
      let role = form.isStale ? .dim : state.table.columns[column.column].role(for: whole.string)
      return (role.map { state.theme[$0] } ?? .plain).laid(over: background)
    }
    let links = links(of: form.isSelected ? cells.link(row: place) : "", among: wholes)
    return (0..<max(1, texts.map(\.count).max() ?? 1)).map { number in
      var line = margin(of: form, isFirst: number == 0, on: background)
      for (index, column) in layout.columns.enumerated() where number < texts[index].count {
        let alignment = state.table.columns[column.column].alignment
        let text = texts[index][number].fitted(to: column.width, alignment, ellipsis: glyphs.ellipsis, model)
        line.advance(to: margin + column.start, style: background)
        append(text, styles[index], links[index], highlights[index], on: background, to: &line)
      }
      line.advance(
        to: form.isSelected ? margin + state.tableWidth : margin + layout.end, style: background)
      return line
    }
  }

  private func margin(of form: DrawnTable.Form, isFirst: Bool, on background: Style) -> Line {
    var line = Line()
    if form.isSelected { line.append(glyphs.selection, style: state.theme[.accent].laid(over: background)) }
    guard isFirst else { return line }
    line.advance(to: 1, style: background)
    if form.isMarked {
      line.append(glyphs.mark, style: state.theme[.accent].laid(over: background))
    } else {
      switch form.sign {
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

/// The lines of the table in the last frame.
struct DrawnTable {
  /// What all lines depend on.
  struct Look: Equatable {
    let rules: DrawingRules
    let layout: TableLayout
    let columns: [Column]
    let width: Int
    /// The texts whose matches are highlighted.
    let matches: [String]
    /// The most lines of a row; nil if cells are not wrapped.
    let wrappedHeight: Int?

    static func == (left: Look, right: Look) -> Bool {
      left.columns.sharesStorage(with: right.columns) && left.layout == right.layout
        && left.width == right.width && left.rules == right.rules && left.matches == right.matches
        && left.wrappedHeight == right.wrappedHeight
    }
  }

  /// What the lines of one row depend on, besides its cells.
  struct Form: Equatable {
    let isSelected: Bool
    let isStale: Bool
    let isMarked: Bool
    let sign: RowChanges.Sign?
  }

  private struct HeadingSource: Equatable {
    let sort: ColumnSort?
    let current: Int?
  }

  private struct Row {
    let number: Int
    let cells: CellTable
    let place: Int
    var form: Form
    var lines: [Line]
    /// Those of the form before: the selection moves on, and often comes back.
    var earlier: (form: Form, lines: [Line])?

    /// Takes another form, of which the lines are known only if it is the one before.
    mutating func take(_ form: Form) {
      let lines = earlier?.form == form ? earlier?.lines : nil
      earlier = (self.form, self.lines)
      (self.form, self.lines) = (form, lines ?? [])
    }
  }

  private var layout: (table: TableColumns, width: Int, layout: TableLayout)?
  private var look: Look?
  private var heading = DrawnPart<HeadingSource, Line>()
  /// The rows of the last frame, from the top, and those of the frame being drawn.
  private var rows: [Row] = []
  private var next: [Row] = []
  /// Where in `rows` the next row is expected: after the one before it.
  private var expected = 0

  fileprivate mutating func layout(of table: TableColumns, width: Int) -> TableLayout {
    if let layout, layout.width == width, layout.table.hasLayout(of: table) { return layout.layout }
    let layout = table.layout(width: width)
    self.layout = (table, width, layout)
    return layout
  }

  fileprivate mutating func begin(_ look: Look) {
    if look != self.look {
      heading = DrawnPart()
      rows = []
    }
    self.look = look
    expected = 0
  }

  fileprivate mutating func end() {
    swap(&rows, &next)
    next.removeAll(keepingCapacity: true)
  }

  /// The line of the titles: that of the last frame if it is the same, else that of `draw`.
  fileprivate mutating func heading(_ sort: ColumnSort?, current: Int?, _ draw: () -> Line) -> Line {
    heading.part(from: HeadingSource(sort: sort, current: current), draw)
  }

  /// The lines of the next row, if they are the same as in the last frame; else the caller draws and keeps them.
  fileprivate mutating func lines(
    of number: Int, _ cells: CellTable, _ place: Int, _ form: Form
  ) -> [Line]? {
    if expected >= rows.count || rows[expected].number != number {
      expected = rows.firstIndex { $0.number == number } ?? expected
    }
    guard expected < rows.count, rows[expected].number == number, rows[expected].place == place,
      rows[expected].cells === cells
    else {
      next.append(Row(number: number, cells: cells, place: place, form: form, lines: []))
      return nil
    }
    if rows[expected].form != form { rows[expected].take(form) }
    let lines = rows[expected].lines
    next.append(rows[expected])
    expected += 1
    return lines.isEmpty ? nil : lines
  }

  /// Keeps the lines of the row that was asked for last.
  fileprivate mutating func keep(_ lines: [Line]) {
    if !next.isEmpty { next[next.count - 1].lines = lines }
  }
}
