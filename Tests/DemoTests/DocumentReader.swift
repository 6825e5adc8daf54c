/// Reads only the TOML used in the documents of routes: one `key = 'text'` or `key = number` per line, and
/// multiline text between `'''`. Text in braces is kept unchanged.
struct DocumentReader {
  /// Values by table and key: `"pagination.type"`.
  private(set) var values: [String: String] = [:]

  init(_ lines: [String]) {
    var table = ""
    var lines = lines[...]
    while let line = lines.popFirst() {
      if line.hasPrefix("[") {
        table = line.dropFirst().prefix { $0 != "]" } + "."
        continue
      }
      let key = String(line.prefix { $0 != " " })
      var value = String(line.dropFirst(key.count + 3))
      if value == "'''" {
        let text = lines.prefix { !$0.hasSuffix("'''") }
        lines = lines.dropFirst(text.count)
        value = (text + [lines.popFirst() ?? ""]).joined(separator: "\n")
      }
      values[table + key] =
        value.trimmingPrefix("'").hasSuffix("'") ? String(value.dropFirst().dropLast()) : value
    }
  }

  subscript(key: String) -> String? { values[key] }

  /// The text of a key in an inline table: `limit` for `param` in `{ param = 'limit', max = 100 }`.
  func text(_ key: String, in table: String) -> String? {
    guard let value = values[table], let start = value.firstRange(of: "\(key) = '") else { return nil }
    return String(value[start.upperBound...].prefix { $0 != "'" })
  }
}
