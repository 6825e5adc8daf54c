import TextTable

/// A look of tables: a style of TextTable whose cells come escaped, fitted to their column and padded, so
/// that it only draws what stands around them.
///
/// TextTable's own styles cut and pad by UTF-16 units and so lose accents and joined emoji.
protocol TableStyle: TextTableStyle, SendableMetatype {
  static var name: String { get }
  static var summary: String { get }
  /// See `OutputFormat.fileEndings`.
  static var fileEndings: [String] { get }
  /// Terminal columns of what is drawn at both ends of a row together, and between two cells.
  static var edges: Int { get }
  static var gap: Int { get }
  /// The narrowest column it can draw.
  static var leastWidth: Int { get }
  /// Whether cells are cut where a terminal is too narrow: not where the text is meant to be read back.
  static var isCut: Bool { get }
  /// The text of a cell on one line, with the syntax of the format escaped.
  static func escaped(_ text: String) -> String
  /// One line of the table with its line feed.
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
