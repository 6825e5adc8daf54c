private import Search
private import Text

/// `[searches.NAME]` of a settings file: a search with a name, used as `@NAME`.
package struct SavedSearch: Sendable {
  package let name: String
  /// The name of a source, or the path of its file.
  package let source: String
  package let query: String
  /// The values of the source's options, in the order of the file.
  package let options: [(name: String, value: String)]
  /// As for `--filter`; "" for all rows.
  package let filter: String
  /// As for `--sort`.
  package let sort: [String]
  /// As for `--columns`; empty for the source's own.
  package let columns: [String]
  private let table: TOMLTable
  private let position: FilePosition

  /// - Parameter reader: Reads the table.
  init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader) {
    reader.require("source", "the source to search, like source = \"github\"")
    name = entry.key
    position = entry.position
    table = entry.value.table ?? TOMLTable()
    source = reader.string("source") ?? ""
    query = reader.string("query") ?? ""
    options = reader.textMembers("set").map { ($0.entry.key, $0.text) }
    filter = reader.string("filter") ?? ""
    sort = reader.strings("sort").map(\.text)
    columns = reader.strings("columns").map(\.text)
    if let mistake = RowFilter(filter).mistake(in: [], keys: nil) {
      reader.report(mistake.text, for: "filter")
    }
    guard reader.hasName(entry) else { return nil }
  }

  /// A problem with the value of a key, with its place in the file.
  package func problem(_ message: String, key: String) -> ConfigDiagnostic {
    let entry = table.entry(key)
    return ConfigDiagnostic(
      at: .position(entry?.value.position ?? position), table: "[searches.\(name)]",
      key: entry == nil ? nil : key, message)
  }

  /// Its values as `config show` prints them.
  var report: [ReportedSetting] {
    table.entries.flatMap { entry in
      let key = "searches.\(name).\(entry.key)"
      let members = entry.value.table?.entries.map { ("\(key).\(TOMLText.key($0.key))", $0.value) }
      return (members ?? [(key, entry.value)]).map { key, value in
        ReportedSetting(key: key, value: value.inlineText, origin: .file(value.position))
      }
    }
  }
}
