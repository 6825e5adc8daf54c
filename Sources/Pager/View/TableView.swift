private import Search
import Terminal
private import Text

/// Heading and visible rows of the table.
struct TableView {
  private let state: PagerState
  private let widths: [Int]

  init(_ state: PagerState) {
    self.state = state
    widths = Self.widths(state)
  }

  /// Columns of the screen between two columns of the table.
  private static let gap = 2
  /// Columns before the first one: the selection's mark.
  private static let margin = 1

  private static func widths(_ state: PagerState) -> [Int] {
    let items = state.columns.enumerated().map { index, column in
      let title = Sanitized(column.title.uppercased()).width(state.canvas.widthModel)
      let natural = index < state.naturalWidths.count ? state.naturalWidths[index] : 0
      return ColumnLayout.Column(
        natural: max(natural, title), width: column.width, priority: column.priority)
    }
    return ColumnLayout(items, available: state.canvas.size.columns - margin, gap: gap).widths
  }

  var heading: Line {
    var line = Line()
    layOut(&line) { column in
      (Sanitized(state.columns[column].title.uppercased()), state.rules.theme[.header])
    }
    return line
  }

  var body: [Line] {
    let rows = state.session.rows
    let freshCount = state.session.freshCount
    let last = min(state.viewport.top + state.height, rows.count)
    return (state.viewport.top..<max(last, state.viewport.top)).map { number in
      var line = Line()
      guard let (block, row) = rows.locate(number), case .cells(let table)? = block.content else {
        return line
      }
      if number == state.viewport.selection { line.append("▌", style: state.rules.theme[.selected]) }
      let isStale = number >= freshCount
      layOut(&line) { column in
        let cell = table.cell(row: row, column: column)
        return (cell, isStale ? state.rules.theme[.dim] : style(of: cell, in: column))
      }
      return line
    }
  }

  private func style(of cell: Sanitized, in column: Int) -> Style {
    state.columns[column].role(for: cell.string).map { state.rules.theme[$0] } ?? .plain
  }

  /// Puts the cells of one row side by side; each starts at its own screen column whatever the terminal
  /// made of the text before it.
  private func layOut(_ line: inout Line, cell: (Int) -> (Sanitized, Style)) {
    var start = Self.margin
    for (index, width) in widths.enumerated() where width > 0 && index < state.columns.count {
      let (text, style) = cell(index)
      line.advance(to: start)
      line.append(
        text.fitted(to: width, state.columns[index].alignment, state.canvas.widthModel), style: style)
      start += width + Self.gap
    }
    line.advance(to: max(Self.margin, start - Self.gap))
  }
}
