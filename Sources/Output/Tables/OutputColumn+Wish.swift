import Search
import Text

extension OutputColumn {
  /// The width constraints of the column on a terminal.
  func wish(natural: Int) -> ColumnLayout.Column {
    guard case .column(let column) = content else { return ColumnLayout.Column(natural: natural) }
    return ColumnLayout.Column(natural: natural, width: column.width, priority: column.priority)
  }
}
