extension OutputFormat {
  static let table = OutputFormat(
    name: "table", summary: "aligned columns (the default on a terminal)", fileEndings: ["txt"],
    style: TableStyle(left: "", gap: "  ", right: ""))

  /// A frame as drawn by psql with `\pset border 2`.
  static let psql = OutputFormat(
    name: "psql", summary: "a table with column separators, as in psql",
    style: TableStyle(rules: .init(top: "-", heading: "-", bottom: "-")))

  /// A frame around every cell, in the format of reStructuredText and Pandoc.
  static let grid = OutputFormat(
    name: "grid", summary: "a table with borders around every cell",
    style: TableStyle(rules: .init(top: "-", heading: "=", row: "-")))

  /// Never truncated, because it is meant to be parsed.
  package static let markdown = OutputFormat(
    name: "markdown", summary: "a table in GitHub Flavored Markdown", fileEndings: ["md"],
    style: TableStyle(
      hasDelimiterRow: true, leastWidth: 3, isCut: false, escaped: MarkdownEscaping.escaped))

  private init(name: String, summary: String, fileEndings: [String] = [], style: TableStyle) {
    self.init(
      name: name, summary: summary, fileEndings: fileEndings, options: [.header], defaultColumns: .shown
    ) { TableDocument(outputOptions: $0, style: style) }
  }
}

/// How a table is drawn. Its cells are escaped, and padded to the width of their column.
struct TableStyle: Sendable {
  /// The strokes of horizontal rules; nil draws none.
  struct Rules: Sendable {
    var top: String?
    /// Below the titles.
    var heading: String?
    /// Below each row.
    var row: String?
    var bottom: String?
  }

  var left = "| "
  var gap = " | "
  var right = " |"
  var rules = Rules()
  /// Whether the delimiter row of Markdown follows the titles.
  var hasDelimiterRow = false
  var leastWidth = 1
  /// Whether cells are truncated on a narrow terminal.
  var isCut = true
  /// The text of a cell on one line, with the syntax of the format escaped.
  var escaped: @Sendable (String) -> String = { $0.onOneLine(breaks: " ") }

  /// The width in terminal columns of both edges of a row together.
  var edges: Int { left.count + right.count }

  /// One line of the table. Without a right edge it has no trailing blanks.
  func line(_ cells: [String]) -> String {
    let line = left + cells.joined(separator: gap) + right
    guard right.isEmpty else { return line + "\n" }
    let blanks = line.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
    return String(line.unicodeScalars.dropLast(blanks)) + "\n"
  }

  /// A horizontal rule with crossings at the column separators; empty without a stroke.
  func rule(_ stroke: String?, _ widths: [Int]) -> String {
    guard let stroke else { return "" }
    let strokes = widths.map { String(repeating: stroke, count: $0) }
    return "+\(stroke)\(strokes.joined(separator: "\(stroke)+\(stroke)"))\(stroke)+\n"
  }
}

/// Text in a table of GitHub Flavored Markdown.
private enum MarkdownEscaping {
  /// The text on one line: line breaks as `<br>`, Markdown escaped by backslashes, a web URL as an autolink.
  static func escaped(_ text: String) -> String {
    if isAddress(text) { return "<\(text)>" }
    guard text.utf8.contains(where: isSpecial) else { return text.onOneLine(breaks: "<br>") }
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

  private static func isSpecial(_ byte: UInt8) -> Bool { #"\`*_[]<>&|~$"#.utf8.contains(byte) }

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
    return isWord(scalars[index - 1]) && isWord(scalars[index + 1])
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Whether a character reference follows the ampersand; the longest name has 31 letters.
  private static func isEntity(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    let name = rest.prefix(33).prefix { $0 == "#" || $0.isASCII && isWord($0) }
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

extension String {
  /// The text with a space for each tab and `mark` for each line break.
  ///
  /// Works on scalars, like all escaping here, because in a `Character` a `|` may have a combining mark.
  func onOneLine(breaks mark: String) -> String {
    guard utf8.contains(where: Self.mayBreakLines) else { return self }
    var line = ""
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      if scalar == "\t" {
        line += " "
      } else if !scalar.isLineBreak {
        line.unicodeScalars.append(scalar)
      } else if !(previous == "\r" && scalar == "\n") {
        line += mark
      }
      previous = scalar
    }
    return line
  }

  /// Whether the byte may be part of a tab or a line break.
  static func mayBreakLines(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0xC2 || byte == 0xE2 }
}

extension Unicode.Scalar {
  /// U+000A to U+000D, U+0085, U+2028, and U+2029: line breaks to some reader or terminal.
  var isLineBreak: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
