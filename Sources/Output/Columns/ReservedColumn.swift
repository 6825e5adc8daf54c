import Search

/// A column with a reserved name that every source has in addition to its own.
enum ReservedColumn: String, CaseIterable, Sendable {
  /// The URL of the row's web page.
  case link = "@link"
  /// The key that identifies the row.
  case key = "@key"
  /// The number of the row's page, from 1.
  case page = "@page"
  /// The id of the source.
  case source = "@source"
  /// The whole row.
  case json = "@json"

  /// Nil if the source does not declare where the value is.
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
