package import Search
import Text

extension CatalogEntry {
  /// The document of a file, merged over this source, that shows these columns and no others: those of the source as it
  /// declares them, others by their path. A column without a path is left out.
  package func document(keeping columns: [Column]) -> String {
    let position = FilePosition(file: "", line: 1, column: 1)
    func value(_ content: TOMLValue.Content) -> TOMLValue { TOMLValue(content, at: position) }
    func table(_ entries: [(String, TOMLValue.Content)]) -> TOMLTable {
      var table = TOMLTable()
      for (key, content) in entries {
        table.set(TOMLTable.Entry(key: key, position: position, value: value(content)))
      }
      return table
    }
    let own = source.columns.filter { !$0.name.hasPrefix(Parent.columnPrefix) }
    let declared = tree["columns"].map(\.elements) ?? []
    let tables = columns.compactMap { column -> TOMLValue? in
      if let index = own.firstIndex(where: { $0.name == column.name }), declared.indices.contains(index) {
        return declared[index]
      }
      guard let path = column.value.onlyPath else { return nil }
      var entries: [(String, TOMLValue.Content)] = [("path", .string("\(path)"))]
      if column.title != "\(path)" { entries.append(("title", .string(column.title))) }
      if column.format.name != "text" { entries.append(("format", .string(column.format.name))) }
      if column.alignment != column.format.alignment, column.alignment == .trailing {
        entries.append(("align", .string("right")))
      }
      return value(.table(table(entries)))
    }
    return table([
      ("schema", .integer(1)), ("id", .string(source.id)), ("columns", .array(tables)),
    ]).document
  }
}
