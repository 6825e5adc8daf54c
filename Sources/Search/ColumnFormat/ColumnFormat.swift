package import Text

/// How a column's value becomes the text of a table cell, and, where the exact value is not what a
/// script wants (a date in seconds), the value machine formats write. A new format is one file and one
/// entry in `all`.
package struct ColumnFormat: Sendable {
  /// What `format =` calls it.
  package let name: String
  package let summary: String
  /// Where cells of this format stand when the column does not say.
  package let alignment: Alignment
  private let picture: @Sendable (CellValue, FormatContext) -> String
  /// Which point in time a value is, in a format that pictures those.
  private let time: (@Sendable (CellValue) -> Timestamp?)?

  init(
    _ name: String, _ summary: String, alignment: Alignment = .leading,
    time: (@Sendable (CellValue) -> Timestamp?)? = nil,
    picture: @escaping @Sendable (CellValue, FormatContext) -> String
  ) {
    self.name = name
    self.summary = summary
    self.alignment = alignment
    self.time = time
    self.picture = picture
  }

  /// The text of a cell on a screen or in a table; not sanitised yet.
  package func display(_ value: CellValue, _ context: FormatContext) -> String {
    if case .missing = value { return "" }
    return picture(value, context)
  }

  /// What csv, tsv and json write: a time in RFC 3339, UTC, and all else as it is.
  package func machineValue(_ value: CellValue) -> CellValue {
    time(of: value).map { .text($0.rfc3339) } ?? value
  }

  /// Whether `machineValue` is always the value itself.
  package var isExact: Bool { time == nil }

  /// Nil for what is no time, and in formats that do not picture times.
  func time(of value: CellValue) -> Timestamp? { time?(value) }

  package static let all: [ColumnFormat] = [
    .text, .number, .bytes, .percent, .duration, .relative, .datetime, .date, .bool, .list, .link, .json,
    .markdown,
  ]

  package static func named(_ name: String) -> ColumnFormat? { all.first { $0.name == name } }
}

/// What a picture depends on beside the value.
package struct FormatContext: Sendable {
  /// When the page arrived, in seconds since 1970: relative times are relative to it.
  package var now: Double
  /// By whose clocks local times are written.
  package var zone: LocalZone
  package var separator: String

  package init(now: Double, zone: LocalZone = .utc, separator: String = ", ") {
    self.now = now
    self.zone = zone
    self.separator = separator
  }
}
