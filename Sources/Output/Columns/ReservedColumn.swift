import Search

/// A column every source has, beside its own: its name is reserved.
enum ReservedColumn: String, CaseIterable, Sendable {
  /// The row's address in a browser.
  case link = "@link"
  /// What tells the row apart from the others.
  case key = "@key"
  /// The page the row came on, from 1.
  case page = "@page"
  /// The id of the source.
  case source = "@source"
  /// The whole row.
  case json = "@json"

  /// Nil when the source does not say where the value is.
  func column(of source: Source) -> OutputColumn? {
    switch self {
    case .link: source.rows.link.map { OutputColumn(name: rawValue, .link($0)) }
    case .key: (source.rows.key ?? source.rows.link).map { OutputColumn(Column(name: rawValue, value: $0)) }
    case .page: OutputColumn(name: rawValue, .pageNumber)
    case .source: OutputColumn(name: rawValue, .constant(source.id))
    case .json:
      OutputColumn(Column(name: rawValue, value: ValueExpression([.path(.root)]), format: .json))
    }
  }
}
