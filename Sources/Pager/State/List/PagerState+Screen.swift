import Terminal
import Text

/// How the list lies on the screen.
extension PagerState {
  /// Screen columns before the first column of the table: for the selection, and for marks once there are any.
  var margin: Int { marks.isEmpty && novelties.isEmpty ? 1 : 2 }

  /// Screen columns the table may take.
  var tableWidth: Int { max(1, canvas.size.columns - margin) }

  /// Where the sign of the sort stands, and how wide it is.
  var sortSign: (column: Int, signWidth: Int)? {
    list.sort.map { sort in
      let sign = sort.isDescending ? rules.glyphs.descending : rules.glyphs.ascending
      return (sort.column, sign.width(canvas.widthModel))
    }
  }

  mutating func fitViewport() {
    let height = height
    guard isWrapped else { return viewport.fit(count: listCount, height: height) }
    let state = self
    viewport.fit(count: listCount, height: height) { state.lineCount(ofRowAt: $0) }
  }

  /// Rows that are on the screen, the last one perhaps in part.
  var shownRowCount: Int {
    guard isWrapped else { return height }
    var used = 0
    var count = 0
    while used < height, viewport.top + count < listCount {
      used += lineCount(ofRowAt: viewport.top + count)
      count += 1
    }
    return max(1, count)
  }

  /// Lines the row at a position of the list takes.
  func lineCount(ofRowAt position: Int) -> Int {
    guard isWrapped, let row = row(at: position) else { return 1 }
    return TableView.wrappedCells(of: row, self).map(\.count).max() ?? 1
  }
}
