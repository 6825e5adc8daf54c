import Terminal
import Text

/// The layout of the list on the screen.
extension PagerState {
  /// The terminal columns before the first column of the table: one for the selection indicator, one for the
  /// mark, and a space. They are always reserved, so that nothing moves when an indicator appears.
  static let margin = 3

  /// The terminal columns available to the table.
  var tableWidth: Int { max(1, canvas.size.columns - Self.margin) }

  mutating func fitViewport() {
    let height = height
    guard isWrapped else { return viewport.fit(count: listCount, height: height) }
    let state = self
    viewport.fit(count: listCount, height: height) { state.lineCount(ofRowAt: $0) }
  }

  /// The number of rows on the screen, including a last one that is only partly visible.
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

  /// The number of lines of the row at a position of the list.
  func lineCount(ofRowAt position: Int) -> Int {
    guard isWrapped, let row = row(at: position) else { return 1 }
    return TableView.wrappedCells(of: row, self).map(\.count).max() ?? 1
  }
}
