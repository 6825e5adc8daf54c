private import Text

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
