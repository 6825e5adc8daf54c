import TextTable

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
