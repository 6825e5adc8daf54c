import TextTable

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
