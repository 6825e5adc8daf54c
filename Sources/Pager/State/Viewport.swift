/// Which rows are on screen, and which one is selected. Row numbers count from 0.
package struct Viewport: Sendable, Hashable {
  package private(set) var top = 0
  package private(set) var selection = 0

  package init(top: Int = 0, selection: Int = 0) {
    self.top = top
    self.selection = selection
  }

  /// Selects a row, bounded by the rows there are, and scrolls as little as shows it.
  package mutating func select(_ row: Int, of count: Int, height: Int) {
    selection = max(0, min(row, count - 1))
    fit(count: count, height: height)
  }

  /// Moves the selection and the screen by whole pages or parts of one.
  package mutating func scroll(by rows: Int, of count: Int, height: Int) {
    top += rows
    select(selection + rows, of: count, height: height)
  }

  /// Keeps the selection on screen and the screen on the rows; called when either changed.
  package mutating func fit(count: Int, height: Int) {
    selection = max(0, min(selection, count - 1))
    top = min(max(top, selection - height + 1), selection)
    top = max(0, min(top, max(0, count - height)))
  }
}
