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
