package import Terminal

/// The vertical layout of the screen. Small screens drop the title, then the heading.
package struct Screen: Sendable, Hashable {
  package let size: Size
  package let hasTitle: Bool
  package let hasHeading: Bool

  package init(_ canvas: Canvas) {
    size = canvas.size
    hasTitle = canvas.size.rows >= 8
    hasHeading = canvas.size.rows >= 6
  }

  /// Below this size, nothing useful fits.
  package var isTooSmall: Bool { size.columns < 20 || size.rows < 4 }

  var queryRow: Int { hasTitle ? 1 : 0 }
  /// The first row of the table, below the heading.
  var bodyRow: Int { queryRow + 1 + (hasHeading ? 1 : 0) }

  /// The rows left for the table after title, query line, heading, notice and status.
  package var bodyHeight: Int { max(1, size.rows - 2 - bodyRow) }

  /// Whether a popup has a title: it replaces the heading or, without a heading, takes a row of the table if
  /// there is more than one.
  var hasPopupTitle: Bool { hasHeading || bodyHeight > 1 }

  /// The rows of a popup below its title.
  var popupHeight: Int { hasHeading || !hasPopupTitle ? bodyHeight : bodyHeight - 1 }
}
