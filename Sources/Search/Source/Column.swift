package import Text

/// One column of a source (`[[columns]]`).
package struct Column: Sendable {
  /// `[a-z0-9_]+`, unique in its source; what `--columns` and machine formats call it.
  package var name: String
  /// The heading on a screen; only display.
  package var title: String
  package var value: ValueExpression
  package var format: ColumnFormat
  package var alignment: Alignment
  package var width: ColumnWidth
  /// Columns with a larger number are dropped first on a narrow screen.
  package var priority: Int
  package var role: Role?
  /// Between the elements of a list.
  package var separator: String
  /// Shown for null, missing and "".
  package var empty: String

  package init(
    name: String, title: String? = nil, value: ValueExpression, format: ColumnFormat = .text,
    alignment: Alignment? = nil, width: ColumnWidth = .natural, priority: Int = 0, role: Role? = nil,
    separator: String = ", ", empty: String = ""
  ) {
    self.name = name
    self.title = title ?? name
    self.value = value
    self.format = format
    self.alignment = alignment ?? format.alignment
    self.width = width
    self.priority = priority
    self.role = role
    self.separator = separator
    self.empty = empty
  }
}
