import Search

/// A column of a document that was begun, as it is kept for a run that goes on with it: by its name, and where
/// the reply alone showed that there is such a column, by its path.
package struct SettledColumn: Sendable, Hashable {
  package let name: String
  /// Nil for a column of the source and for a reserved one.
  package let path: String?

  package init(name: String, path: String?) {
    self.name = name
    self.path = path
  }
}

extension ColumnSelection {
  /// What is kept of the columns of a document.
  func settled(_ columns: [OutputColumn]) -> [SettledColumn] {
    columns.map { column in
      let isKnown =
        ReservedColumn(rawValue: column.name) != nil || source.columns.contains { $0.name == column.name }
      return SettledColumn(name: column.name, path: isKnown ? nil : column.verbatimPath.map { "\($0)" })
    }
  }

  /// The same columns again; a name that is none any more is left out.
  package func columns(settled: [SettledColumn]) -> [OutputColumn] {
    settled.compactMap { kept in
      if let path = kept.path { return (try? JSONPath(path)).map { OutputColumn(name: kept.name, at: $0) } }
      if let reserved = ReservedColumn(rawValue: kept.name) { return reserved.column(of: source) }
      return source.columns.first { $0.name == kept.name }.map { OutputColumn($0) }
    }
  }
}
