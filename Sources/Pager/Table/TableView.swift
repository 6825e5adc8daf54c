import Search
import Terminal
import Text

/// The heading and the visible rows of the table.
struct TableView {
  private let state: PagerState
  private let layout: TableLayout
  /// For each column of the layout.
  private let highlights: [MatchHighlight]

  init(_ state: PagerState) {
    self.state = state
    let layout = state.table.layout(width: state.tableWidth)
    self.layout = layout
    let texts = [state.list.search.text, state.list.filter]
    highlights = layout.columns.map { MatchHighlight(texts, in: $0.column, of: state.table.columns) }
  }

  private var glyphs: Glyphs { state.glyphs }
  private var model: WidthModel { state.widthModel }
  private var margin: Int { PagerState.margin }

  /// The titles of the columns, with indicators for the current column, the sort column, and columns that are off the
  /// screen. It is empty until the widths of the columns are known, so that titles do not move.
  var heading: Line {
    var line = Line()
    if state.table.naturalWidths.isEmpty { return line }
    let current = state.table.currentColumn
    if layout.before > 0 {
      // The margin has room for one digit.
      let count = layout.before < 10 ? "\(layout.before)" : "+"
      line.append(glyphs.earlier + Sanitized(count), style: state.theme[.dim])
    }
    for column in layout.columns {
      if column.column == current {
        line.advance(to: margin + column.start - 1)
        line.append(glyphs.current, style: state.theme[.accent])
      }
      line.advance(to: margin + column.start)
      line.append(title(of: column), style: state.theme[.header])
    }
    appendIndicator(to: &line)
    return line
  }

  /// Appends the indicator for columns off the screen at the end. Without space for it, only their sign is there, over a
  /// title, or nothing if all others are hidden.
  private func appendIndicator(to line: inout Line) {
    let width = state.tableWidth
    let indicator = [true, false].map { isWide in
      layout.indicator(isWide: isWide && width >= TableLayout.minWidthForWords, later: glyphs.later)
    }.first { layout.end + 1 + $0.width(model) <= width }
    let shown = indicator ?? (layout.after > 0 ? glyphs.later : "")
    if shown.isEmpty { return }
    line.advance(to: max(margin, margin + width - shown.width(model)))
    line.append(shown.prefix(columns: width, model), style: state.theme[.dim])
  }

  private func title(of column: TableLayout.Column) -> Sanitized {
    let alignment = state.table.columns[column.column].alignment
    let title = Sanitized(state.table.columns[column.column].title.uppercased())
    guard let sort = state.list.sort, sort.column == column.column else {
      return title.fitted(to: column.width, alignment, ellipsis: glyphs.ellipsis, model)
    }
    // The gap has space for a narrow sort indicator, followed by the indicator of the current column.
    let room = min(column.width + 1, state.tableWidth - column.start)
    return SortedTitle(
      title: title, indicator: sort.isDescending ? glyphs.descending : glyphs.ascending,
      alignment: alignment, width: column.width, room: room
    ).text(ellipsis: glyphs.ellipsis, model)
  }

  /// As many lines as the table has on the screen, or fewer.
  var rows: [Line] {
    var lines: [Line] = []
    var position = state.list.viewport.top
    while lines.count < state.height, let row = state.list.row(at: position) {
      lines += self.lines(of: row, isSelected: position == state.list.viewport.selection)
      position += 1
    }
    return Array(lines.prefix(state.height))
  }

  private func lines(of row: Int, isSelected: Bool) -> [Line] {
    guard let (cells, place) = state.list.cells(of: row) else { return [Line()] }
    let isStale = row >= state.session.freshCount || state.showsPreviousResults
    let wholes = layout.columns.map { cells.cell(row: place, column: $0.column) }
    let texts = zip(wholes, layout.columns).map { whole, column in
      state.isWrapped ? state.table.wrapped(whole, in: column, height: state.height, model) : [whole]
    }
    let background = isSelected ? state.theme[.selected] : .plain
    let styles = zip(wholes, layout.columns).map { whole, column in
      let role = isStale ? .dim : state.table.columns[column.column].role(for: whole.string)
      var style = (role.map { state.theme[$0] } ?? .plain).laid(over: background)
      // The current cell, for keys that are about it.
      if isSelected, column.column == state.table.currentColumn { style.attributes.insert(.underline) }
      return style
    }
    let links = links(of: isSelected ? cells.link(row: place) : "", among: wholes)
    return (0..<max(1, texts.map(\.count).max() ?? 1)).map { number in
      var line = margin(of: row, isSelected: isSelected, isFirst: number == 0, on: background)
      for (index, column) in layout.columns.enumerated() where number < texts[index].count {
        let alignment = state.table.columns[column.column].alignment
        let isNumber = cells.sortKey(row: place, column: column.column).kind == .number
        let text = texts[index][number].fitted(
          to: column.width, alignment, ellipsis: glyphs.ellipsis,
          canBeCut: !isNumber && state.table.canBeCut(column.column), model)
        line.advance(to: margin + column.start, style: background)
        append(text, styles[index], links[index], highlights[index], on: background, to: &line)
      }
      line.advance(to: margin + (isSelected ? state.tableWidth : layout.end), style: background)
      return line
    }
  }

  private func margin(of row: Int, isSelected: Bool, isFirst: Bool, on background: Style) -> Line {
    var line = Line()
    if isSelected { line.append(glyphs.selection, style: state.theme[.accent].laid(over: background)) }
    guard isFirst else { return line }
    line.advance(to: 1, style: background)
    if state.list.marks.contains(row) {
      line.append(glyphs.mark, style: state.theme[.accent].laid(over: background))
    } else {
      switch state.list.sign(of: row) {
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
