extension Column {
  /// Columns for a source that declares none, at most `limit`: of objects the scalar members of the first rows,
  /// in the order of the reply, those with long texts or addresses last; of arrays their places; of plain
  /// values the value. Rows that are the values of a map begin with its key.
  package static func guessed(from rows: DocumentRows, limit: Int = 6) -> [Column] {
    let document = rows.reply.document
    guard let first = rows.nodes.first else { return [] }
    let key = document.name(of: first) == nil ? nil : column("key", "Key", at: "@key")
    let rest =
      switch document.kind(of: first) {
      case .object: members(of: rows)
      case .array: places(of: rows)
      case .string, .number, .bool, .null: [column("value", "Value", at: "$")].compactMap(\.self)
      }
    return Array(([key].compactMap(\.self) + rest.filter { $0.name != key?.name }).prefix(limit))
  }

  private static func members(of rows: DocumentRows) -> [Column] {
    var names: [String] = []
    var isPoor: [String: Bool] = [:]
    for node in rows.nodes.prefix(20) where rows.reply.document.kind(of: node) == .object {
      for (name, value) in JSONValue(document: rows.reply.document, node: node).members {
        guard let text = value.text, !name.isEmpty else { continue }
        if isPoor[name] == nil { names.append(name) }
        isPoor[name] = (isPoor[name] ?? false) || text.utf8.count > 80 || text.hasPrefix("http")
      }
    }
    let ordered = names.filter { isPoor[$0] == false } + names.filter { isPoor[$0] == true }
    var taken: Set<String> = []
    return ordered.compactMap {
      column(identifier($0, taken: &taken), $0, at: "[\(JSONText.quoted($0))]")
    }
  }

  private static func places(of rows: DocumentRows) -> [Column] {
    let width = rows.nodes.prefix(20).map { rows.reply.document.count(of: $0) }.max() ?? 0
    return (0..<min(width, 1_000)).compactMap { column("column_\($0 + 1)", "\($0 + 1)", at: "[\($0)]") }
  }

  private static func column(_ name: String, _ title: String, at path: String) -> Column? {
    guard let value = try? ValueExpression(parsing: path) else { return nil }
    return Column(name: name, title: title, value: value)
  }

  /// `[a-z0-9_]+` from any text.
  package static func identifier(_ text: String) -> String {
    let mapped = text.lowercased().unicodeScalars.map { scalar -> Character in
      switch scalar {
      case "a"..."z", "0"..."9", "_": Character(scalar)
      default: "_"
      }
    }
    return mapped.isEmpty ? "_" : String(mapped)
  }

  /// An identifier that none of the others is: with a number when it has to be.
  package static func identifier(_ text: String, taken: inout Set<String>) -> String {
    let base = identifier(text)
    var name = base
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }
}
