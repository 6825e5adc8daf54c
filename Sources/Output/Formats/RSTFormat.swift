extension OutputFormat {
  static let rst = OutputFormat(
    name: "rst", summary: "a list table in reStructuredText", fileEndings: ["rst"], style: RSTTable.self)
}

/// A `list-table`. In the tables that are drawn in reStructuredText, a cell wider than its column is an error, and
/// later pages may have wider cells.
private enum RSTTable: TableStyle {
  static let look = TableLook(
    left: "   * -", gap: "\n     -", right: "", isCut: false, escaped: RSTEscaping.escaped)

  static func opening(_ titles: [String], _ columns: [TableColumn]) -> String {
    ".. list-table::\n" + (titles.isEmpty ? "\n" : "   :header-rows: 1\n\n" + look.line(titles))
  }

  static func cell(_ text: String, in column: TableColumn, isCut: Bool) -> String {
    text.isEmpty ? "" : " \(text)"
  }

  /// A row of empty cells if the table has no rows, because a body is required.
  static func closing(_ columns: [TableColumn], hasRows: Bool) -> String {
    hasRows ? "" : look.line(columns.map { _ in "" })
  }
}

/// Escapes a paragraph of reStructuredText.
private enum RSTEscaping {
  /// The text on one line, without surrounding spaces, with backslashes before characters that would be markup, begin a
  /// list or another block, or announce a literal block.
  @Sendable static func escaped(_ text: String) -> String {
    let line = text.onOneLine(breaks: " ").unicodeScalars.drop(while: \.properties.isWhitespace)
    let end = line.lastIndex { !$0.properties.isWhitespace }.map(line.index(after:)) ?? line.startIndex
    let scalars = Array(line[..<end])
    // A line that repeats a single mark, which a line of escaped backslashes still does, would be a transition.
    var escaped = !scalars.isEmpty && scalars.allSatisfy { $0 == "\\" } ? "\\ " : ""
    for (index, scalar) in scalars.enumerated() {
      if isMarkup(scalar, before: scalars[(index + 1)...]) || index == 0 && beginsBlock(scalars) {
        escaped += "\\"
      }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }

  /// An underscore is markup only at the end of a word, and a colon only in `::` at the end of the text.
  private static func isMarkup(_ scalar: Unicode.Scalar, before rest: ArraySlice<Unicode.Scalar>) -> Bool {
    switch scalar {
    case "\\", "*", "`", "|": true
    case "_": rest.first.map { $0 == "_" || !$0.isWord } ?? true
    case ":": rest == [":"]
    default: false
    }
  }

  /// Whether the text begins with a mark, as `- a` and `.. a`, or like an item of a numbered list, as `1. a` and `A) a`.
  private static func beginsBlock(_ scalars: [Unicode.Scalar]) -> Bool {
    let rest = scalars.drop(while: \.isWord)
    guard rest.count < scalars.count else { return true }
    return (rest.first == "." || rest.first == ")") && (rest.count == 1 || rest.dropFirst().first == " ")
  }
}
