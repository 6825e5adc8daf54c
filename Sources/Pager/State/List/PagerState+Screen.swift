import Terminal
import Text

/// How the list lies on the screen.
extension PagerState {
  /// Screen columns before the first column of the table: for the signs of the selection and of marks, which have
  /// their places before there are any, so that nothing moves when they come, and a blank.
  static let margin = 3

  /// Screen columns the table may take.
  var tableWidth: Int { max(1, canvas.size.columns - Self.margin) }

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
