import TextTable

/// A table style of TextTable whose cells are already escaped, fitted to their column, and padded, so that it
/// only draws the frame.
///
/// TextTable's own styles truncate and pad by UTF-16 units, which breaks accents and joined emoji.
protocol TableStyle: TextTableStyle, SendableMetatype {
  static var name: String { get }
  static var summary: String { get }
  /// See `OutputFormat.fileEndings`.
  static var fileEndings: [String] { get }
  /// The width in terminal columns of both edges of a row together, and of the gap between two cells.
  static var edges: Int { get }
  static var gap: Int { get }
  /// The minimum width of a column.
  static var leastWidth: Int { get }
  /// Whether cells are truncated on a narrow terminal; false for formats that are meant to be parsed.
  static var isCut: Bool { get }
  /// The text of a cell on one line, with the syntax of the format escaped.
  static func escaped(_ text: String) -> String
  /// One line of the table, including its line feed.
  static func line(_ cells: [String]) -> String
}

extension TableStyle {
  static var leastWidth: Int { 1 }
  static var isCut: Bool { true }
  static func escaped(_ text: String) -> String { text.onOneLine(breaks: " ") }

  static func prepare(_ text: String, for column: Column) -> String { text }
  static func escape(_ text: String) -> String { text }
  static func begin(_ table: inout String, index: Int, columns: [Column]) {}
  static func end(_ table: inout String, index: Int, columns: [Column]) {}
  static func header(_ table: inout String, index: Int, columns: [Column]) {
    table += line(columns.map { $0.headerString(for: self) })
  }
  static func row(_ table: inout String, index: Int, columns: [Column]) {
    table += line(columns.map { $0.string(for: self) })
  }
}

/// Columns separated by two spaces, without a frame.
enum PlainStyle: TableStyle {
  static let name = "table"
  static let summary = "aligned columns (the default on a terminal)"
  static let fileEndings = ["txt"]
  static let edges = 0
  static let gap = 2

  /// Without trailing blanks.
  static func line(_ cells: [String]) -> String {
    let line = cells.joined(separator: "  ")
    let blanks = line.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
    return String(line.unicodeScalars.dropLast(blanks)) + "\n"
  }
}

/// A frame as drawn by psql with `\pset border 2`.
enum PsqlStyle: TableStyle {
  static let name = "psql"
  static let summary = "a table with column separators, as in psql"
  static let fileEndings: [String] = []
  static let edges = 4
  static let gap = 3

  static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  static func begin(_ table: inout String, index: Int, columns: [Column]) { table += rule(columns) }
  static func end(_ table: inout String, index: Int, columns: [Column]) { table += rule(columns) }
  static func header(_ table: inout String, index: Int, columns: [Column]) {
    table += line(columns.map { $0.headerString(for: self) }) + rule(columns)
  }

  private static func rule(_ columns: [Column]) -> String {
    "+-\(columns.map { $0.repeated("-") }.joined(separator: "-+-"))-+\n"
  }
}

/// A frame around every cell, in the format of reStructuredText and Pandoc.
enum GridStyle: TableStyle {
  static let name = "grid"
  static let summary = "a table with borders around every cell"
  static let fileEndings: [String] = []
  static let edges = 4
  static let gap = 3

  static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  static func begin(_ table: inout String, index: Int, columns: [Column]) { table += rule("-", columns) }
  static func header(_ table: inout String, index: Int, columns: [Column]) {
    table += line(columns.map { $0.headerString(for: self) }) + rule("=", columns)
  }
  static func row(_ table: inout String, index: Int, columns: [Column]) {
    table += line(columns.map { $0.string(for: self) }) + rule("-", columns)
  }

  private static func rule(_ stroke: String, _ columns: [Column]) -> String {
    let strokes = columns.map { $0.repeated(stroke) }
    return "+\(stroke)\(strokes.joined(separator: "\(stroke)+\(stroke)"))\(stroke)+\n"
  }
}

/// A table in GitHub Flavored Markdown, never truncated.
enum MarkdownStyle: TableStyle {
  static let name = "markdown"
  static let summary = "a table in GitHub Flavored Markdown"
  static let fileEndings = ["md"]
  static let edges = 4
  static let gap = 3
  static let leastWidth = 3
  static let isCut = false

  static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  static func escaped(_ text: String) -> String { MarkdownText.escaped(text) }

  static func header(_ table: inout String, index: Int, columns: [Column]) {
    table += line(columns.map { $0.headerString(for: self) })
    table += line(columns.map { $0.string(for: self) })
  }
}

/// Text in a table of GitHub Flavored Markdown.
enum MarkdownText {
  /// The text on one line, with line breaks as `<br>` and Markdown syntax escaped by backslashes. A text that
  /// is a web URL becomes an autolink, which needs no escapes.
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
  /// Works on scalars, like all escaping here, because in a `Character` a `|` or a line feed may have a
  /// combining mark.
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

/// The parts of one table, each drawn separately by TextTable, so that a table of any length can be written
/// in blocks of rows, and has a heading even without rows.
struct TableText<Style: TableStyle>: Sendable {
  /// Like the cells: escaped, fitted, and padded.
  private let titles: [String]
  /// The delimiter row of Markdown below the titles, one cell per column.
  private let rulers: [String]
  /// In terminal columns.
  private let widths: [Int]

  init(_ columns: [TableColumn], titles: [String]) {
    self.titles = titles
    rulers = columns.map(\.ruler)
    widths = columns.map(\.width)
  }

  /// Everything above the titles.
  var opening: String { drawn([titles], Opening<Style>.self) }
  /// The rulers are its cells.
  var heading: String { drawn([rulers], Heading<Style>.self) }
  /// Everything below the rows.
  var closing: String { drawn([titles], Closing<Style>.self) }

  func rows(_ rows: [[String]]) -> String { drawn(rows, Rows<Style>.self) }

  /// Every column has a width, so TextTable neither measures nor truncates.
  private func drawn(_ rows: [[String]], _ part: any TextTableStyle.Type) -> String {
    let table = TextTable<[String]> { cells in
      cells.indices.map { Column(title: titles[$0], value: cells[$0], width: widths[$0]) }
    }
    return table.string(for: rows, style: part) ?? ""
  }
}

/// A style that draws only one part of another style.
private protocol TablePart: TextTableStyle {
  associatedtype Style: TableStyle
}

extension TablePart {
  static func prepare(_ text: String, for column: Column) -> String { Style.prepare(text, for: column) }
  static func escape(_ text: String) -> String { Style.escape(text) }
  static func begin(_ table: inout String, index: Int, columns: [Column]) {}
  static func header(_ table: inout String, index: Int, columns: [Column]) {}
  static func row(_ table: inout String, index: Int, columns: [Column]) {}
  static func end(_ table: inout String, index: Int, columns: [Column]) {}
}

private enum Opening<Style: TableStyle>: TablePart {
  static func begin(_ table: inout String, index: Int, columns: [Column]) {
    Style.begin(&table, index: index, columns: columns)
  }
}

private enum Heading<Style: TableStyle>: TablePart {
  static func header(_ table: inout String, index: Int, columns: [Column]) {
    Style.header(&table, index: index, columns: columns)
  }
}

private enum Rows<Style: TableStyle>: TablePart {
  static func row(_ table: inout String, index: Int, columns: [Column]) {
    Style.row(&table, index: index, columns: columns)
  }
}

private enum Closing<Style: TableStyle>: TablePart {
  static func end(_ table: inout String, index: Int, columns: [Column]) {
    Style.end(&table, index: index, columns: columns)
  }
}
