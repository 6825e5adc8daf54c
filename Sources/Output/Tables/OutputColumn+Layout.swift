import Search
import Text

extension OutputColumn {
  /// The width constraints of the column on a terminal.
  ///
  /// - Parameter contentWidth: The columns that its widest cell takes.
  func layoutColumn(contentWidth: Int) -> ColumnLayout.Column {
    guard case .column(let column) = content else { return ColumnLayout.Column(content: contentWidth) }
    return ColumnLayout.Column(content: contentWidth, width: column.width, priority: column.priority)
  }
}
