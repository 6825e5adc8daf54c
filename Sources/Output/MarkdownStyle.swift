import TextTable

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
