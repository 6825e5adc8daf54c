package import Text

/// Columns and rows of terminal cells, each at least 1.
package struct Size: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }
}

/// What a view needs for layout: the size of the screen, and how wide the terminal draws text.
package struct Canvas: Hashable, Sendable {
  package let size: Size
  package let widthModel: WidthModel

  package init(size: Size, widthModel: WidthModel) {
    self.size = size
    self.widthModel = widthModel
  }
}
