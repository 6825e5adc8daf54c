extension Column {
  /// Columns for a source that declares none: the scalar members of the first rows, in the order of the
  /// reply, at most `limit`. Members with long texts or addresses of the service itself come last.
  package static func guessed(from rows: DocumentRows, limit: Int = 6) -> [Column] {
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
    return ordered.prefix(limit).compactMap(column(named:))
  }

  private static func column(named name: String) -> Column? {
    let quoted = name.replacingQuotes()
    guard let value = try? ValueExpression(parsing: "[\"\(quoted)\"]") else { return nil }
    return Column(name: identifier(name), title: name, value: value)
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
}

extension String {
  fileprivate func replacingQuotes() -> String {
    var result = ""
    for character in self {
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
