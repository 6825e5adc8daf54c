import Search
import Terminal
import Text

/// The heading and the visible rows of the table.
enum TableView {
  /// Appends the heading, if it has a place on the screen, and the rows. What has not changed is taken from `drawn`.
  static func append(to lines: inout [Line], _ state: PagerState, _ drawn: inout DrawnTable) {
    drawn.begin(state)
    if state.screen.hasHeading { lines.append(drawn.heading(state)) }
    lines += state.listCount == 0 ? EmptyView.lines(state) : drawn.rows(state)
  }
}

/// The titles of the columns, with indicators for the current column, the sort column, and columns that are off the screen.
private enum HeadingView {
  static func line(_ state: PagerState, _ layout: TableLayout) -> Line {
    let margin = PagerState.margin
    let current = state.table.currentColumn
    var line = Line()
    if layout.before > 0 {
      let count = layout.before < 10 ? Sanitized("\(layout.before)") : Sanitized()
      line.append(state.glyphs.earlier + count, style: state.theme[.dim])
    }
    for column in layout.columns {
      if column.column == current {
        line.advance(to: margin + column.start - 1)
        line.append(state.glyphs.current, style: state.theme[.accent])
      }
      line.advance(to: margin + column.start)
      line.append(title(of: column, state), style: state.theme[.header])
    }
    appendIndicator(to: &line, state, layout)
    return line
  }

  /// Appends the indicator for columns off the screen at the end, over titles if it has no space.
  private static func appendIndicator(to line: inout Line, _ state: PagerState, _ layout: TableLayout) {
    let (margin, width, model) = (PagerState.margin, state.tableWidth, state.widthModel)
    let later = state.glyphs.later
    let indicator = layout.indicator(isWide: width >= TableLayout.minWidthForWords, later: later)
    guard !indicator.isEmpty else { return }
    let hasRoom = layout.end + 1 + indicator.width(model) <= width
    let shown = hasRoom || layout.after == 0 ? indicator : later
    line.advance(to: max(margin, margin + width - shown.width(model)))
    line.append(shown.prefix(columns: width, model), style: state.theme[.dim])
  }

  private static func title(of column: TableLayout.Column, _ state: PagerState) -> Sanitized {
    let (ellipsis, model) = (state.glyphs.ellipsis, state.widthModel)
    let alignment = state.table.columns[column.column].alignment
    let title = Sanitized(state.table.columns[column.column].title.uppercased())
    guard let sort = state.list.sort, sort.column == column.column else {
      return title.fitted(to: column.width, alignment, ellipsis: ellipsis, model)
    }
    // The gap has space for a narrow sort indicator, followed by the indicator of the current column.
    let room = min(column.width + 1, state.tableWidth - column.start)
    return SortedTitle(
      title: title, indicator: sort.isDescending ? state.glyphs.descending : state.glyphs.ascending,
      alignment: alignment, width: column.width, room: room
    ).text(ellipsis: ellipsis, model)
  }
}

/// Draws the rows of the table in one look.
private final class RowView {
  let layout: TableLayout
  private let drawing: DrawingRules
  private let table: TableColumns
  private let theme: Theme
  private let width: Int
  /// The texts whose matches are highlighted.
  private let search: String
  private let filter: String
  /// For each column of the layout.
  private let highlights: [MatchHighlight]
  /// The most lines of a row; nil if cells are not wrapped.
  private let wrappedHeight: Int?

  init(_ state: __shared PagerState) {
    let (table, width) = (state.table, state.tableWidth)
    layout = table.layout(width: width)
    drawing = DrawingRules(state)
    self.table = table
    self.width = width
    theme = state.theme
    let (search, filter) = (state.search.text, state.list.filter)
    (self.search, self.filter) = (search, filter)
    highlights =
      search.isEmpty && filter.isEmpty
      ? Array(repeating: MatchHighlight(phrase: ""), count: layout.columns.count)
      : layout.columns.map { MatchHighlight([search, filter], in: $0.column, of: table.columns) }
    wrappedHeight = Self.wrappedHeight(state)
  }

  /// Whether it draws rows of the state as a new one would. O(columns).
  func isCurrent(_ state: PagerState) -> Bool {
    width == state.tableWidth && table.hasLayout(of: state.table) && drawing == DrawingRules(state)
      && search == state.search.text && filter == state.list.filter
      && wrappedHeight == Self.wrappedHeight(state)
  }

  private static func wrappedHeight(_ state: PagerState) -> Int? { state.isWrapped ? state.height : nil }

  private var glyphs: Glyphs { drawing.rules.wrappedValue.glyphs }
  private var model: WidthModel { drawing.canvas.widthModel }
  private var margin: Int { PagerState.margin }

  func lines(of cells: CellTable, _ place: Int, _ form: DrawnTable.Form) -> [Line] {
    let wholes = layout.columns.map { cells.cell(row: place, column: $0.column) }
    let texts = zip(wholes, layout.columns).map { whole, column in
      wrappedHeight.map { table.wrapped(whole, in: column, height: $0, model) } ?? [whole]
    }
    let background = form.isSelected ? theme[.selected] : .plain
    let styles = zip(wholes, layout.columns).map { whole, column in
      let role = form.isStale ? .dim : table.columns[column.column].role(for: whole.string)
      return (role.map { theme[$0] } ?? .plain).laid(over: background)
    }
    let links = links(of: form.isSelected ? cells.link(row: place) : "", among: wholes)
    return (0..<max(1, texts.map(\.count).max() ?? 1)).map { number in
      var line = margin(of: form, isFirst: number == 0, on: background)
      for (index, column) in layout.columns.enumerated() where number < texts[index].count {
        let alignment = table.columns[column.column].alignment
        let text = texts[index][number].fitted(to: column.width, alignment, ellipsis: glyphs.ellipsis, model)
        line.advance(to: margin + column.start, style: background)
        append(text, styles[index], links[index], highlights[index], on: background, to: &line)
      }
      line.advance(to: margin + (form.isSelected ? width : layout.end), style: background)
      return line
    }
  }

  private func margin(of form: DrawnTable.Form, isFirst: Bool, on background: Style) -> Line {
    var line = Line()
    if form.isSelected { line.append(glyphs.selection, style: theme[.accent].laid(over: background)) }
    guard isFirst else { return line }
    line.advance(to: 1, style: background)
    if form.isMarked {
      line.append(glyphs.mark, style: theme[.accent].laid(over: background))
    } else {
      switch form.sign {
      case .new?: line.append(glyphs.newRow, style: theme[.success].laid(over: background))
      case .changed?: line.append(glyphs.changedRow, style: theme[.warning].laid(over: background))
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
      line.append(part, style: isMatch ? theme[.match].laid(over: background) : style, link: link)
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

/// The lines of the table in the last frame. Most keys move the selection, which changes two of them.
struct DrawnTable {
  private struct HeadingSource: Equatable {
    let sort: ColumnSort?
    let current: Int?
  }

  /// Which rows are on the screen, and what their lines depend on besides the look and the selection.
  private final class RowsSource {
    let top: Int
    let height: Int
    /// The rows from this one on are those of an earlier result.
    let firstStale: Int
    private let rows: RowStore
    private let order: [UInt32]?
    private let marks: Marks
    private let changes: RowChanges

    init(_ state: __shared PagerState) {
      top = state.viewport.top
      height = state.height
      firstStale = Self.firstStale(state)
      rows = state.rows
      order = state.list.order?.rows
      marks = state.marks
      changes = state.changes
    }

    /// Whether they are those of the state. Only what is shared is known to be the same, so that it takes no time.
    func isCurrent(_ state: PagerState) -> Bool {
      let hasSameOrder =
        switch (order, state.list.order?.rows) {
        case (nil, nil): true
        case (let mine?, let theirs?): mine.sharesStorage(with: theirs)
        case (nil, _), (_, nil): false
        }
      return hasSameOrder && top == state.viewport.top && height == state.height
        && firstStale == Self.firstStale(state) && rows.sharesStorage(with: state.rows)
        && marks.hasSameRows(as: state.marks) && changes.hasSameSigns(as: state.changes)
    }

    private static func firstStale(_ state: PagerState) -> Int {
      state.showsPreviousResults ? 0 : state.session.freshCount
    }
  }

  /// What the lines of one row depend on, besides its cells.
  struct Form: Equatable {
    var isSelected: Bool
    let isStale: Bool
    let isMarked: Bool
    let sign: RowChanges.Sign?
  }

  private struct Row {
    let number: Int
    /// Nil if the page has none.
    let cells: CellTable?
    let place: Int
    var form: Form
    /// At least one; empty if it is still to be drawn.
    var lines: [Line] = []
    /// Those of the form before: the selection moves on, and often comes back.
    var earlier: (form: Form, lines: [Line])?

    /// Takes another form, of which the lines are known only if it is the one before.
    mutating func take(_ form: Form) {
      let lines = earlier?.form == form ? earlier?.lines : nil
      earlier = (self.form, self.lines)
      (self.form, self.lines) = (form, lines ?? [])
    }

    mutating func draw(by view: RowView) {
      guard lines.isEmpty else { return }
      lines = if let cells { view.lines(of: cells, place, form) } else { [Line()] }
    }
  }

  private var heading = DrawnPart<HeadingSource, Line>()
  private var view: RowView?
  private var source: RowsSource?
  /// The rows on the screen, from the top, and their lines.
  private var rows: [Row] = []
  private var lines: [Line] = []
  /// The position of the selected row in the list.
  private var selection = 0

  fileprivate mutating func begin(_ state: PagerState) {
    if let view, view.isCurrent(state) { return }
    self = DrawnTable()
    view = RowView(state)
  }

  /// The line of the titles. It is empty until the widths of the columns are known, so that titles do not move.
  fileprivate mutating func heading(_ state: PagerState) -> Line {
    guard let view, !state.table.naturalWidths.isEmpty else { return Line() }
    let source = HeadingSource(sort: state.list.sort, current: state.table.currentColumn)
    return heading.part(from: source, of: state) { HeadingView.line($0, view.layout) }
  }

  /// The lines of the rows: as many as the table has on the screen, or fewer.
  fileprivate mutating func rows(_ state: PagerState) -> [Line] {
    guard let view else { return [] }
    // If each row has one line, it stands where the row does.
    if let source, source.isCurrent(state), rows.count == lines.count {
      select(state.viewport.selection, from: source.top, view)
    } else {
      let source = RowsSource(state)
      self.source = source
      selection = state.viewport.selection
      draw(state, source, view)
    }
    return lines
  }

  /// Draws the row that was selected and the one that is selected now.
  private mutating func select(_ position: Int, from top: Int, _ view: RowView) {
    let changed = [selection, position]
    selection = position
    for position in changed {
      let index = position - top
      guard rows.indices.contains(index) else { continue }
      var form = rows[index].form
      form.isSelected = position == selection
      if form == rows[index].form { continue }
      rows[index].take(form)
      rows[index].draw(by: view)
      lines[index] = rows[index].lines[0]
    }
  }

  /// Draws the rows that are not the same as in the last frame.
  private mutating func draw(_ state: PagerState, _ source: RowsSource, _ view: RowView) {
    let last = rows
    rows.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
    var expected = 0
    var position = source.top
    while lines.count < source.height, let number = state.row(at: position) {
      let cells = state.cells(of: number)
      let isMarked = state.marks.contains(number)
      let form = Form(
        isSelected: position == selection, isStale: number >= source.firstStale, isMarked: isMarked,
        sign: isMarked ? nil : state.sign(of: number))
      var row = Row(number: number, cells: cells?.0, place: cells?.1 ?? 0, form: form)
      if expected >= last.count || last[expected].number != number {
        expected = last.firstIndex { $0.number == number } ?? expected
      }
      if expected < last.count, last[expected].number == number, last[expected].place == row.place,
        last[expected].cells === row.cells
      {
        row = last[expected]
        if row.form != form { row.take(form) }
        expected += 1
      }
      row.draw(by: view)
      lines += row.lines
      rows.append(row)
      position += 1
    }
    if lines.count > source.height { lines.removeLast(lines.count - source.height) }
  }
}
