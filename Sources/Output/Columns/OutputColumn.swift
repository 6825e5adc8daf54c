package import Search
import Text

/// One column of a document.
package struct OutputColumn: Sendable {
  enum Content: Sendable {
    case column(Column)
    case pageNumber
    /// The same text in every row.
    case constant(String)
    /// The URL of the row's page, if it can be opened.
    case link(ValueExpression)
  }

  /// The name in machine formats: a column's name, or a path or reserved name as typed.
  package let name: String
  /// The heading in tables.
  package let title: String
  let content: Content
  /// The path of the value whose own text is the exact text of the cell.
  let verbatimPath: JSONPath?

  package init(_ column: Column) {
    name = column.name
    title = column.title
    content = .column(column)
    verbatimPath = column.verbatimPath
  }

  init(name: String, _ content: Content) {
    self.name = name
    title = name
    self.content = content
    verbatimPath = nil
  }

  var alignment: Alignment {
    switch content {
    case .column(let column): column.alignment
    case .pageNumber: .trailing
    case .constant, .link: .leading
    }
  }

  /// The separator of list elements.
  var separator: String {
    if case .column(let column) = content { column.separator } else { "" }
  }
}
