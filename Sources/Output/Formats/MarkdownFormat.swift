import Text

extension OutputFormat {
  package static let markdown = OutputFormat(
    name: "markdown", summary: "a table in GitHub Flavored Markdown", fileEndings: ["md"],
    style: MarkdownTable.self)
}

/// A Markdown table, which is never truncated, because it is meant to be parsed.
private enum MarkdownTable: TableStyle {
  static let look = TableLook(isCut: false, minWidth: 3, escaped: MarkdownEscaping.escaped)

  static func opening(_ titles: [String], _ columns: [TableColumn]) -> String {
    titles.isEmpty ? "" : look.line(titles) + look.line(columns.map(delimiter))
  }

  /// The delimiter of the column, as wide as the column: `---`, `--:`, or `:-:` by its alignment.
  private static func delimiter(of column: TableColumn) -> String {
    switch column.alignment {
    case .leading: String(repeating: "-", count: column.width)
    case .trailing: String(repeating: "-", count: column.width - 1) + ":"
    case .center: ":" + String(repeating: "-", count: column.width - 2) + ":"
    }
  }
}

/// Escapes text in a table of GitHub Flavored Markdown.
private enum MarkdownEscaping {
  /// The text on one line: line breaks as `<br>`, Markdown escaped by backslashes, a web URL as an autolink.
  @Sendable static func escaped(_ text: String) -> String {
    if isAddress(text) { return "<\(text)>" }
    let scalars = Array(text.unicodeScalars)
    let hasSyntax = scalars.indices.contains { isSyntax(scalars, at: $0) }
    var escaped = ""
    for (index, scalar) in scalars.enumerated() {
      if isSyntax(scalars, at: index) || hasSyntax && beginsAddress(scalars, at: index) { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped.onOneLine(breaks: "<br>")
  }

  private static func isAddress(_ text: String) -> Bool {
    (text.hasPrefix("https://") || text.hasPrefix("http://"))
      && text.utf8.allSatisfy { 0x21..<0x7F ~= $0 && !#"<>|\"#.utf8.contains($0) }
  }

  private static func isSyntax(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    switch scalars[index] {
    case "\\", "`", "*", "[", "]", "<", ">", "|", "~", "$": true
    case "_": !isInsideWord(scalars, at: index)
    case "&": isEntity(scalars[(index + 1)...])
    default: false
    }
  }

  /// An underscore inside a word does not begin emphasis, and a backslash would break URLs.
  private static func isInsideWord(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard index > 0, index + 1 < scalars.count else { return false }
    return scalars[index - 1].isWord && scalars[index + 1].isWord
  }

  /// Whether a character reference follows the ampersand; the longest name has 31 letters.
  private static func isEntity(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    let name = rest.prefix(33).prefix { $0 == "#" || $0.isASCII && $0.isWord }
    return !name.isEmpty && rest.dropFirst(name.count).first == ";"
  }

  /// Whether a reader would detect a link here and include backslashes in it: `://` and `www.`.
  private static func beginsAddress(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    switch scalars[index] {
    case ":": scalars[(index + 1)...].starts(with: ["/", "/"])
    case ".": scalars[..<index].suffix(3).allSatisfy { $0 == "w" || $0 == "W" } && index >= 3
    default: false
    }
  }
}
