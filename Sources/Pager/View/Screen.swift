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

  var queryRow: Int { hasTitle ? 1 : 0 }
  /// The first row of the table, below the heading.
  var bodyRow: Int { queryRow + 1 + (hasHeading ? 1 : 0) }

  /// Rows of the table: what title, query line, heading, notice and status leave.
  package var bodyHeight: Int { max(1, size.rows - 2 - bodyRow) }

  /// The title of a popup has the place of the heading where there is one, else a row of the table, unless that is
  /// the only one.
  var hasPopupTitle: Bool { hasHeading || bodyHeight > 1 }

  /// Rows of a popup below its title.
  var popupHeight: Int { hasHeading || !hasPopupTitle ? bodyHeight : bodyHeight - 1 }
}
