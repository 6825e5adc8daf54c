package import JSON
package import Search

/// The values of a row by which a later run sees whether it has changed: the columns that the user named, or else the
/// whole row. They are the same on every machine and in every format.
package struct ComparedValues: Sendable {
  /// Nil for the whole row.
  private let columns: [OutputColumn]?

  /// - Parameters:
  ///   - columns: The value of `--columns`; nil if there is none.
  ///   - template: The value of `--template`; nil if there is none.
  package init(columns: String?, template: String?, of source: Source) throws(ColumnSelectionError) {
    guard
      let entries = try template.map({ text throws(ColumnSelectionError) in try RowTemplate(text).columns })
        ?? columns.map(ColumnSelection.entries)
    else {
      self.columns = nil
      return
    }
    let names = try entries.map { entry throws(ColumnSelectionError) in try ColumnName(entry) }
    let isWhole = names.contains { if case .allKeys = $0 { true } else { false } }
    let selection = try ColumnSelection(entries, of: source)
    // A short name may mean a column or a field, which only the rows show.
    let fields = names.compactMap { name -> OutputColumn? in
      guard case .name(let text, let path) = name, source.columns.index(named: text) == nil else {
        return nil
      }
      return OutputColumn(name: text, at: path)
    }
    // Rows move to other pages without a change.
    let chosen = selection.columnsWithoutRows.filter { $0.name != ReservedColumn.page.rawValue }
    self.columns = isWhole ? nil : chosen + fields
  }

  /// Appends the values of the row at `node`.
  package func append(_ node: JSONNode, in rows: OutputRows, to output: inout [UInt8]) {
    guard let columns else {
      let document = rows.response.document
      output += document.bytes[document.byteRange(of: node)]
      return
    }
    for column in columns {
      column.appendJSON(at: node, in: rows, to: &output)
      output.append(UInt8(ascii: "\n"))
    }
  }
}
