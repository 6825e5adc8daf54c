package import Terminal
import Text

/// A rectangle of cells of the screen, zero-based from the top left.
struct Region: Sendable, Hashable {
  var column: Int
  var row: Int
  var columns: Int
  var rows: Int

  func contains(column: Int, row: Int) -> Bool {
    self.column..<self.column + columns ~= column && self.row..<self.row + rows ~= row
  }

  /// Without one cell at each side.
  var inner: Region {
    Region(column: column + 1, row: row + 1, columns: max(1, columns - 2), rows: max(1, rows - 2))
  }
}

/// The layout of the screen: title, query line, the middle with the table and the preview, notice and status.
/// Small screens drop the title, then the heading.
package struct Screen: Sendable, Hashable {
  package let size: Size
  /// Where the preview is, without the line that separates it from the table; nil if it is closed, or if the screen
  /// is too small for it.
  private(set) var preview: Region?
  private let isPreviewBeside: Bool

  /// - Parameter previewShare: The share of the preview in percent; nil if it is closed.
  package init(_ canvas: Canvas, previewShare: Int? = nil) {
    size = canvas.size
    isPreviewBeside = size.columns >= Self.minColumnsBeside
    guard let share = previewShare else { return }
    let middle = middle
    if isPreviewBeside {
      let columns = max(30, min(size.columns * share / 100, size.columns - 50))
      preview = Region(
        column: size.columns - columns, row: middle.row, columns: columns, rows: middle.rows)
    } else if middle.rows >= Self.minRowsBelow {
      let rows = max(4, min(middle.rows * share / 100, middle.rows - 8))
      preview = Region(
        column: 0, row: middle.row + middle.rows - rows, columns: size.columns, rows: rows)
    }
  }

  /// The terminal columns from which on the preview is beside the table, not below it.
  private static let minColumnsBeside = 120
  /// The rows of the middle from which on there is room for a preview below the table.
  private static let minRowsBelow = 16

  package var hasTitle: Bool { size.rows >= 8 }
  package var hasHeading: Bool { size.rows >= 6 }

  package var isTooSmall: Bool { size.columns < 20 || size.rows < 4 }

  var queryRow: Int { hasTitle ? 1 : 0 }

  /// What is between the query line and the notice.
  var middle: Region {
    let row = queryRow + 1
    return Region(column: 0, row: row, columns: size.columns, rows: max(1, size.rows - 2 - row))
  }

  /// The middle without the preview and its separator: the heading and the body of the table.
  var table: Region {
    var table = middle
    guard let preview else { return table }
    // Beside it, a blank and the line between them; below it, the line.
    if isPreviewBeside { table.columns -= preview.columns + 2 } else { table.rows -= preview.rows + 1 }
    return table
  }

  /// The first row of the table, below the heading.
  var bodyRow: Int { queryRow + 1 + (hasHeading ? 1 : 0) }

  /// The rows left for the table after title, query line, heading, preview, notice and status.
  package var bodyHeight: Int { max(1, table.rows - (hasHeading ? 1 : 0)) }

  /// Whether a popup without a frame has a title, which it has if there is more than one row.
  var hasPopupTitle: Bool { middle.rows > 1 }
}

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
