import TextTable

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
