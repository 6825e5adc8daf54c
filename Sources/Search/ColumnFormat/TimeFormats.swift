private import Text

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
