package import Text

/// How a column's value becomes the text of a table cell and, where scripts need a different form (a date
/// given in seconds), the value that machine formats write. A new format is one file and one entry in `all`.
package struct ColumnFormat: Sendable {
  /// The value of `format`.
  package let name: String
  package let summary: String
  /// The alignment of cells of this format, unless the column sets one.
  package let alignment: Alignment
  private let rendered: @Sendable (CellValue, FormatContext) -> String
  /// The point in time that a value represents, for formats that display times.
  private let time: (@Sendable (CellValue) -> Timestamp?)?

  init(
    _ name: String, _ summary: String, alignment: Alignment = .leading,
    time: (@Sendable (CellValue) -> Timestamp?)? = nil,
    rendered: @escaping @Sendable (CellValue, FormatContext) -> String
  ) {
    self.name = name
    self.summary = summary
    self.alignment = alignment
    self.time = time
    self.rendered = rendered
  }

  /// The text of a cell on the screen or in a table, not yet sanitized.
  package func display(_ value: CellValue, _ context: FormatContext) -> String {
    if case .missing = value { return "" }
    return rendered(value, context)
  }

  /// The value in CSV, TSV, and JSON: a time in RFC 3339, UTC; anything else unchanged.
  package func machineValue(_ value: CellValue) -> CellValue {
    time(of: value).map { .text($0.rfc3339) } ?? value
  }

  /// Whether `machineValue` is always the value itself.
  package var isExact: Bool { time == nil }

  /// Nil if the value is not a time, or the format does not display times.
  func time(of value: CellValue) -> Timestamp? { time?(value) }

  package static let all: [ColumnFormat] = [
    .text, .number, .bytes, .percent, .duration, .relative, .datetime, .date, .bool, .list, .link, .json,
    .markdown,
  ]

  package static func named(_ name: String) -> ColumnFormat? { all.first { $0.name == name } }
}

/// What the displayed text depends on in addition to the value.
package struct FormatContext: Sendable {
  /// When the page arrived, in seconds since 1970; relative times refer to it.
  package var now: Double
  /// The zone that local times are displayed in.
  package var zone: LocalZone
  package var separator: String

  package init(now: Double, zone: LocalZone = .utc, separator: String = ", ") {
    self.now = now
    self.zone = zone
    self.separator = separator
  }
}
