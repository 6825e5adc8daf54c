import Search

extension TOMLTable {
  /// The table as a TOML document: scalars and arrays first, then the tables, each under its header or, if it
  /// is short, on one line. Original positions and comments are not kept.
  package var document: String { lines(path: []).joined(separator: "\n") + "\n" }

  /// Recursion is bounded by the depth of a document, which the parser limits.
  private func lines(path: [String]) -> [String] {
    var lines: [String] = []
    var blocks: [[String]] = []
    for entry in entries {
      let key = TOMLText.key(entry.key)
      let inline = "\(key) = \(entry.value.inlineText)"
      switch entry.value.content {
      case .table(let table) where path.isEmpty || inline.utf8.count > Self.longestLine:
        let path = path + [key]
        blocks.append(["", "[\(path.joined(separator: "."))]"] + table.lines(path: path))
      case .array(let elements)
      where path.isEmpty && !elements.isEmpty && elements.allSatisfy { $0.table != nil }:
        for table in elements.compactMap(\.table) {
          blocks.append(["", "[[\(key)]]"] + table.entries.map(\.line))
        }
      default: lines.append(entry.line)
      }
    }
    return lines + blocks.flatMap { $0 }
  }

  private static var longestLine: Int { 100 }
}

extension TOMLTable.Entry {
  fileprivate var line: String {
    if case .string(let text) = value.content, text.contains("\n"), let block = TOMLText.block(text) {
      return "\(TOMLText.key(key)) = \(block)"
    }
    return "\(TOMLText.key(key)) = \(value.inlineText)"
  }
}

extension TOMLValue {
  var inlineText: String {
    switch content {
    case .string(let text): TOMLText.string(text)
    case .integer(let number): String(number)
    case .float(let number):
      number.isNaN ? "nan" : number.isInfinite ? (number < 0 ? "-inf" : "inf") : "\(number)"
    case .bool(let flag): String(flag)
    case .date(let text): text
    case .array(let elements): "[\(elements.map(\.inlineText).joined(separator: ", "))]"
    case .table(let table):
      table.entries.isEmpty
        ? "{}"
        : "{ \(table.entries.map { "\(TOMLText.key($0.key)) = \($0.value.inlineText)" }.joined(separator: ", ")) }"
    }
  }
}
