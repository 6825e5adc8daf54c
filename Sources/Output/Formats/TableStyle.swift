import TextTable

/// The drawing of a table in a format: a style of TextTable, which draws the rows, and the text before and after them.
///
/// TextTable pads and truncates by UTF-16 units, escapes incompletely, and draws nothing without rows. Therefore a cell
/// is escaped and fitted before TextTable gets it, rows are drawn in blocks as they arrive, and `TableDocument` writes
/// the opening and the closing once.
protocol TableStyle: TextTableStyle, SendableMetatype {
  static var look: TableLook { get }

  /// A cell, or a title, as it is written.
  ///
  /// - Parameters:
  ///   - text: The text on one line, with the syntax of the format escaped.
  ///   - isCut: Whether a text wider than the column is truncated.
  static func cell(_ text: String, in column: TableColumn, isCut: Bool) -> String

  /// Everything before the first row, with line breaks.
  ///
  /// - Parameters:
  ///   - titles: The cells of the heading; empty for none.
  ///   - columns: The columns; at least one.
  static func opening(_ titles: [String], _ columns: [TableColumn]) -> String

  /// Everything after the last row, with line breaks.
  static func closing(_ columns: [TableColumn], hasRows: Bool) -> String
}

extension TableStyle {
  static func cell(_ text: String, in column: TableColumn, isCut: Bool) -> String {
    column.fitted(text, isCut: isCut)
  }

  static func opening(_ titles: [String], _ columns: [TableColumn]) -> String {
    let widths = columns.map(\.width)
    let heading = titles.isEmpty ? "" : look.line(titles) + look.rule(look.heading, widths)
    return look.rule(look.top, widths) + heading
  }

  static func closing(_ columns: [TableColumn], hasRows: Bool) -> String {
    look.rule(look.bottom, columns.map(\.width))
  }

  /// A block of rows, with line breaks.
  ///
  /// - Parameters:
  ///   - widths: The widths of the columns, which the rules follow.
  ///   - isFirst: Whether the block begins the table.
  ///   - cells: The cells of a row, as many as there are widths.
  static func block<Row>(
    _ rows: [Row], widths: [Int], isFirst: Bool, cells: @escaping (Row) -> [String]
  ) -> String {
    let table = TextTable<Row> { row in
      zip(cells(row), widths).map { Column(title: "", value: $0, width: $1) }
    }
    let text = table.string(for: rows, style: Self.self) ?? ""
    return isFirst ? text : look.rule(look.between, widths) + text
  }
}

/// The functions that TextTable calls. Every block consists only of rows.
extension TableStyle {
  static func prepare(_ cell: String, for column: Column) -> String { cell }
  static func escape(_ cell: String) -> String { cell }
  static func begin(_ block: inout String, index: Int, columns: [Column]) {}
  static func header(_ block: inout String, index: Int, columns: [Column]) {}
  static func end(_ block: inout String, index: Int, columns: [Column]) {}

  static func row(_ block: inout String, index: Int, columns: [Column]) {
    /// TextTable reveals the width of a column only by repeating a string.
    func rule(_ rule: TableLook.Rule?) -> String {
      rule == nil ? "" : look.rule(rule, columns.map { $0.repeated("-").utf8.count })
    }
    if index > 0 { block += rule(look.between) }
    block += look.line(columns.map { $0.string(for: self) })
    block += rule(look.below)
  }
}

/// The characters around the cells of a table.
struct TableLook: Sendable {
  /// A horizontal line: each column is filled with the stroke. Without a stroke, it is the text on the left.
  struct Rule: Sendable {
    let left, stroke, gap, right: String

    init(_ left: String, _ stroke: String = "", _ gap: String = "", _ right: String = "") {
      (self.left, self.stroke, self.gap, self.right) = (left, stroke, gap, right)
    }
  }

  var left = "| "
  var gap = " | "
  var right = " |"
  /// The rule above the titles or, without them, the first row.
  var top: Rule?
  /// The rule below the titles.
  var heading: Rule?
  /// The rule between any two rows.
  var between: Rule?
  /// The rule below each row.
  var below: Rule?
  /// The rule below all rows, even if there are none.
  var bottom: Rule?
  /// The document if no column is known.
  var withoutColumns = ""
  /// Whether the table is for people to read: it is truncated to the width of a terminal.
  var isCut = true
  /// Whether the titles are styled by `OutputOptions.heading`.
  var hasStyledTitles = false
  /// The minimum width of a column.
  var minWidth = 1
  /// The text of a cell on one line, with the syntax of the format escaped.
  var escaped: @Sendable (String) -> String = { $0.onOneLine(breaks: " ") }

  /// The width in terminal columns of both edges of a row together.
  var edges: Int { left.count + right.count }

  /// One line of the table. Without edges it has no trailing spaces.
  func line(_ cells: [String]) -> String {
    let cells = left.isEmpty && right.isEmpty ? Self.trimmed(cells) : cells
    return left + cells.joined(separator: gap) + right + "\n"
  }

  /// A horizontal line across columns of these widths; empty for no rule.
  func rule(_ rule: Rule?, _ widths: [Int]) -> String {
    guard let rule else { return "" }
    let strokes = widths.map { String(repeating: rule.stroke, count: $0) }
    return rule.left + strokes.joined(separator: rule.gap) + rule.right + "\n"
  }

  /// The cells of a line without trailing spaces.
  static func trimmed(_ cells: [String]) -> [String] {
    var cells = cells
    while let last = cells.popLast() {
      let blanks = last.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
      guard blanks < last.utf8.count else { continue }
      return cells + [String(last.unicodeScalars.dropLast(blanks))]
    }
    return []
  }
}
