/// The rows of the list that are on the screen, and the selected one. Positions count from 0.
package struct Viewport: Sendable, Hashable {
  package private(set) var top = 0
  package private(set) var selection = 0

  /// Selects a row, clamped to the list; `fit` then scrolls by the minimum to show it.
  package mutating func select(_ row: Int, of count: Int) { selection = max(0, min(row, count - 1)) }

  /// The distance in rows of the selected row from the top.
  package var line: Int { selection - top }

  /// Selects a row and places it `line` rows below the top; `fit` then clamps the viewport to the list.
  package mutating func place(_ row: Int, line: Int) {
    top = row - line
    selection = row
  }

  package mutating func scroll(by rows: Int, of count: Int) {
    top += rows
    select(selection + rows, of: count)
  }

  /// Moves the viewport; the selection stays unless it would leave the screen.
  package mutating func pan(by rows: Int, of count: Int, height: Int) {
    top = max(0, min(top + rows, count - height))
    selection = max(top, min(selection, top + height - 1))
  }

  /// Keeps the selection on the screen and the screen within the rows; called when either changed. O(height).
  ///
  /// - Parameter lines: The number of lines of a row, at least 1.
  package mutating func fit(count: Int, height: Int, lines: (Int) -> Int = { _ in 1 }) {
    select(selection, of: count)
    guard count > 0 else {
      top = 0
      return
    }
    top = max(0, min(top, selection))
    top = max(top, Self.first(endingAt: selection, height: height, lines))
    top = min(top, max(0, Self.first(endingAt: count - 1, height: height, lines)))
  }

  /// The first row of a screen that ends with `row`.
  private static func first(endingAt row: Int, height: Int, _ lines: (Int) -> Int) -> Int {
    var first = row
    var used = lines(row)
    while first > 0 {
      used += lines(first - 1)
      if used > height { break }
      first -= 1
    }
    return first
  }
}
