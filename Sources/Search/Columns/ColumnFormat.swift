import JSON
package import Text

/// How a column's value becomes the text of a table cell and, where scripts need a different form (a date
/// given in seconds), the value that machine formats write. A new format is a value and its entry in `all`.
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

/// By name.
extension ColumnFormat: Codable {
  package init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let format = Self.named(name) else {
      throw JSONCodingError("column format \(name) is not known to this version")
    }
    self = format
  }

  package func encode(to encoder: any Encoder) throws {
    var text = encoder.singleValueContainer()
    try text.encode(name)
  }
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

extension ColumnFormat {
  package static let text = ColumnFormat("text", "the value unchanged") { value, context in
    value.text(separator: context.separator)
  }

  package static let list = ColumnFormat("list", "list elements, joined") { value, context in
    value.text(separator: context.separator)
  }

  package static let link = ColumnFormat("link", "an address, unchanged") { value, context in
    value.text(separator: context.separator)
  }

  package static let json = ColumnFormat("json", "compact JSON") { value, context in
    value.text(separator: context.separator)
  }

  package static let bool = ColumnFormat("bool", "yes or no") { value, context in
    switch value {
    case .bool(let flag): flag ? "yes" : "no"
    default: value.text(separator: context.separator)
    }
  }
}

extension ColumnFormat {
  package static let number = numeric("number", "12.3k in tables, exact in data formats") {
    Digits.compact($0)
  }
  package static let bytes = numeric("bytes", "a size: 1.4 MiB") { Digits.bytes($0) }
  package static let percent = numeric("percent", "a fraction of 1: 0.25 is 25.0%") { Digits.percent($0) }
  package static let duration = numeric("duration", "seconds: 3m20s") { seconds in
    // Beyond 10,000 years, a number of seconds is more readable.
    seconds.magnitude < 3.2e11 ? DurationText.text(.milliseconds(Int64(seconds * 1000))) : nil
  }

  /// A format for numbers. Anything but a number, and a number that it cannot format, is shown unchanged.
  private static func numeric(
    _ name: String, _ summary: String, rendered: @escaping @Sendable (Double) -> String?
  ) -> ColumnFormat {
    ColumnFormat(name, summary, alignment: .trailing) { value, context in
      let text = value.text(separator: context.separator)
      return Double(text).flatMap(rendered) ?? text
    }
  }
}

extension ColumnFormat {
  package static let relative = time("relative", "how long before the page arrived: 2 h ago") {
    time, context in
    Timestamp(epoch: context.now).map { RelativeTime.text(time, now: $0) } ?? time.rfc3339
  }

  package static let datetime = time("datetime", "local date and time: 2026-11-21 14:02") { time, context in
    "\(time.date(in: context.zone)) \(time.clock(in: context.zone))"
  }

  package static let date = time("date", "local date: 2026-11-21") { time, context in
    time.date(in: context.zone)
  }

  /// A format for points in time: RFC 3339 text, or seconds or milliseconds since 1970. Anything but a time
  /// is unchanged.
  private static func time(
    _ name: String, _ summary: String, rendered: @escaping @Sendable (Timestamp, FormatContext) -> String
  ) -> ColumnFormat {
    ColumnFormat(
      name, summary, time: timestamp,
      rendered: { value, context in
        guard let time = timestamp(value) else { return value.text(separator: context.separator) }
        var context = context
        if isDateAlone(value) { context.zone = .utc }
        return rendered(time, context)
      })
  }

  /// Whether the value is a date without a time, which is independent of the time zone.
  private static func isDateAlone(_ value: CellValue) -> Bool {
    if case .text(let text) = value { text.utf8.count == 10 } else { false }
  }

  private static func timestamp(_ value: CellValue) -> Timestamp? {
    switch value {
    case .number(let text): Double(text).flatMap { Timestamp(epoch: $0 > 1e11 ? $0 / 1000 : $0) }
    case .text(let text): Timestamp(iso8601: text)
    case .missing, .bool, .list, .json: nil
    }
  }
}

extension ColumnFormat {
  package static let markdown = ColumnFormat("markdown", "Markdown as plain text") { value, context in
    MarkdownText.plain(value.text(separator: context.separator))
  }
}
