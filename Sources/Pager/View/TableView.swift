import Search
import Terminal
import Text

/// Heading and visible rows of the table.
struct TableView {
  private let state: PagerState
  private let columns: [PlacedColumn]
  private let highlight: MatchHighlight

  init(_ state: PagerState) {
    self.state = state
    columns = state.table.layout(width: state.tableWidth)
    highlight = MatchHighlight(state.search.text)
  }

  private var glyphs: Glyphs { state.rules.glyphs }
  private var model: WidthModel { state.canvas.widthModel }
  private var margin: Int { PagerState.margin }

  /// The titles; the current column and the one that is sorted by have their signs.
  var heading: Line {
    var line = Line()
    let style = state.theme[.header]
    for column in columns {
      if column.column == state.table.currentColumn {
        line.advance(to: margin + column.start - 1)
        line.append(glyphs.current, style: state.theme[.accent])
      }
      line.advance(to: margin + column.start)
      line.append(heading(of: column), style: style)
    }
    return line
  }

  private func heading(of column: PlacedColumn) -> Sanitized {
    let alignment = state.table.columns[column.column].alignment
    let title = Sanitized(state.table.columns[column.column].title.uppercased())
    guard let sort = state.list.sort, sort.column == column.column else {
      return title.fitted(to: column.width, alignment, ellipsis: glyphs.ellipsis, model)
    }
    // The gap has room for a narrow sign, and the sign of a current column behind it.
    let room = min(column.width + 1, state.tableWidth - column.start)
    return SortedTitle(
      title: title, sign: sort.isDescending ? glyphs.descending : glyphs.ascending, alignment: alignment,
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
    guard let (block, place) = state.rows.locate(row), case .cells(let cells)? = block.content else {
      return [Line()]
    }
    let isStale = row >= state.session.freshCount
    let wholes = columns.map { cells.cell(row: place, column: $0.column) }
    let texts = zip(wholes, columns).map { Self.wrapped($0, $1, state) }
    let styles = zip(wholes, columns).map { whole, column in
      let role = isStale ? .dim : state.table.columns[column.column].role(for: whole.string)
      return role.map { state.theme[$0] } ?? .plain
    }
    let isSelected = position == state.viewport.selection
    let links = links(of: isSelected ? cells.link(row: place) : "", among: wholes)
    return (0..<max(1, texts.map(\.count).max() ?? 1)).map { number in
      var line = margin(of: row, isSelected: isSelected, isFirst: number == 0)
      for (index, column) in columns.enumerated() where number < texts[index].count {
        let alignment = state.table.columns[column.column].alignment
        let text = texts[index][number].fitted(
          to: column.width, alignment, ellipsis: glyphs.ellipsis, model)
        line.advance(to: margin + column.start)
        append(text, styles[index], links[index], to: &line)
      }
      line.advance(to: margin + (columns.last.map { $0.start + $0.width } ?? 0))
      return line
    }
  }

  private func margin(of row: Int, isSelected: Bool, isFirst: Bool) -> Line {
    var line = Line()
    if isSelected { line.append(glyphs.selection, style: state.theme[.selected]) }
    guard isFirst else { return line }
    line.advance(to: 1)
    if state.marks.contains(row) {
      line.append(glyphs.mark, style: state.theme[.accent])
    } else if state.novelties.contains(row) {
      line.append(glyphs.novelty, style: state.theme[.success])
    }
    return line
  }

  /// What each cell leads to: the row's address from the cell that shows it, else from the first. Only the
  /// selected row has one: addresses of all rows would more than double the bytes of a page.
  private func links(of address: String, among cells: [Sanitized]) -> [Link?] {
    var links = [Link?](repeating: nil, count: cells.count)
    let shown = cells.firstIndex { $0.string == address } ?? 0
    if links.indices.contains(shown) { links[shown] = Link(address) }
    return links
  }

  private func append(_ text: Sanitized, _ style: Style, _ link: Link?, to line: inout Line) {
    let (before, text, after) = link == nil ? (Sanitized(), text, Sanitized()) : text.unpadded
    if !before.isEmpty { line.append(before, style: style) }
    for (part, isMatch) in highlight.isEmpty ? [(text, false)] : highlight.parts(of: text) {
      line.append(part, style: isMatch ? state.theme[.match] : style, link: link)
    }
    if !after.isEmpty { line.append(after, style: style) }
  }

  // MARK: Long cells on several lines

  /// Lines a row may take at most.
  private static let mostLines = 8

  private static func wrapped(_ cell: Sanitized, _ column: PlacedColumn, _ state: PagerState) -> [Sanitized] {
    guard state.isWrapped, state.table.columns[column.column].alignment == .leading else { return [cell] }
    return cell.wrapped(
      to: column.width, most: max(1, min(mostLines, state.height)), state.canvas.widthModel)
  }

  /// The cells of a row as the lines they take.
  static func wrappedCells(of row: Int, _ state: PagerState) -> [[Sanitized]] {
    guard let (block, place) = state.rows.locate(row), case .cells(let cells)? = block.content else {
      return []
    }
    return state.table.layout(width: state.tableWidth).map { column in
      wrapped(cells.cell(row: place, column: column.column), column, state)
    }
  }
}

extension Sanitized {
  /// The text between the blanks before and behind it.
  fileprivate var unpadded: (before: Sanitized, text: Sanitized, after: Sanitized) {
    let count = string.utf8.count
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") }
    let start = string.utf8.prefix(while: isBlank).count
    let end = max(start, count - string.utf8.reversed().prefix(while: isBlank).count)
    return (self[0..<start], self[start..<end], self[end..<count])
  }
}
