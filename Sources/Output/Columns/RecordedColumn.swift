import Search

/// A column of a document as stored for resuming it: its name and, if it was found only in the reply, its
/// path.
package struct RecordedColumn: Sendable, Hashable {
  package let name: String
  /// Nil for a column of the source and for a reserved one.
  package let path: String?

  package init(name: String, path: String?) {
    self.name = name
    self.path = path
  }
}

extension ColumnSelection {
  /// The stored form of the columns of a document.
  func settled(_ columns: [OutputColumn]) -> [RecordedColumn] {
    columns.map { column in
      let isKnown =
        ReservedColumn(rawValue: column.name) != nil || source.columns.contains { $0.name == column.name }
      return RecordedColumn(name: column.name, path: isKnown ? nil : column.verbatimPath.map { "\($0)" })
    }
  }

  /// The columns from their stored form; names that no longer exist are left out.
  package func columns(settled: [RecordedColumn]) -> [OutputColumn] {
    settled.compactMap { kept in
      if let path = kept.path { return (try? JSONPath(path)).map { OutputColumn(name: kept.name, at: $0) } }
      if let reserved = ReservedColumn(rawValue: kept.name) { return reserved.column(of: source) }
      return source.columns.first { $0.name == kept.name }.map { OutputColumn($0) }
    }
  }
}
