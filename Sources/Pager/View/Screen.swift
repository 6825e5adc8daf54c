package import Terminal

/// Which row of the screen holds what. Small screens give up the title, then the heading.
package struct Screen: Sendable, Hashable {
  package let size: Size
  package let hasTitle: Bool
  package let hasHeading: Bool

  package init(_ canvas: Canvas) {
    size = canvas.size
    hasTitle = canvas.size.rows >= 8
    hasHeading = canvas.size.rows >= 6
  }

  /// Below this nothing useful fits.
  package var isTooSmall: Bool { size.columns < 20 || size.rows < 4 }

  /// Rows of the table: what title, query line, heading, notice and status leave.
  package var bodyHeight: Int {
    max(1, size.rows - 3 - (hasTitle ? 1 : 0) - (hasHeading ? 1 : 0))
  }
}
