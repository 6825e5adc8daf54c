import TextTable

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
