/// Durations as written in settings and options: "400ms", "60s", "5m", "2h", and combinations such as
/// "1h30m".
package enum DurationText {
  /// The units in descending order, with their lengths in milliseconds.
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  /// Parses whole numbers, each followed by a unit, larger units first; nil for anything else, including a
  /// bare number, and for more than 10,000 years.
  package static func duration(_ text: String) -> Duration? {
    var rest = Substring(text)
    var total: Int64 = 0
    var left = units[...]
    repeat {
      let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
      let name = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
      guard let count = Int64(digits), let unit = left.firstIndex(where: { $0.name == name }) else {
        return nil
      }
      let (part, overflows) = count.multipliedReportingOverflow(by: units[unit].milliseconds)
      guard !overflows, part < maxMilliseconds else { return nil }
      total += part
      left = left[(unit + 1)...]
      rest = rest.dropFirst(digits.count + name.count)
    } while !rest.isEmpty
    return .milliseconds(total)
  }

  /// The text that `duration` parses as this duration, truncated to milliseconds: "1m30s", "0s". A negative
  /// duration begins with "-"; a very long one is in seconds.
  package static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    guard seconds.magnitude < 1 << 50 else { return "\(seconds)s" }
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    var left = milliseconds.magnitude
    var result = ""
    for (name, length) in units {
      let (count, rest) = left.quotientAndRemainder(dividingBy: UInt64(length))
      if count > 0 { result += "\(count)\(name)" }
      left = rest
    }
    return result.isEmpty ? "0s" : (milliseconds < 0 ? "-" : "") + result
  }

  /// A wait for display, rounded up: "45 s", "10 min", "1 h 5 min", "3 d".
  package static func words(seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e12).rounded(.up))
    if whole < 120 { return "\(whole) s" }
    let minutes = (whole + 59) / 60
    if minutes < 60 { return "\(minutes) min" }
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    if hours < 48 { return rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min" }
    return "\((hours + 23) / 24) d"
  }

  /// A wait as a value of `--max-wait`, rounded up like `words`: "45s", "1h5m"; "unlimited" for more than a day, which
  /// that option does not accept.
  package static func option(seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e12).rounded(.up))
    let rounded = whole < 120 ? whole : (whole + 59) / 60 * 60
    return rounded > 86_400 ? "unlimited" : text(.seconds(rounded))
  }

  private static let maxMilliseconds: Int64 = 10_000 * 366 * 86_400_000
}

/// The distance of an instant from now in one unit: "just now", "45 s ago", "5 min ago", "2 h ago", "in 3 d",
/// "5 mo ago", "2 y ago". "min" and "mo" are easy to distinguish.
package enum RelativeTime {
  private static let minute: UInt64 = 60
  private static let hour = 60 * minute
  private static let day = 24 * hour

  /// The distance as text, rounded down to the unit. Within ten seconds it is "just now"; a year has 365 days.
  package static func text(_ instant: Timestamp, now: Timestamp) -> String {
    let seconds = now.epochSeconds - instant.epochSeconds
    let amount = amount(seconds.magnitude)
    return seconds.magnitude < 10 ? "just now" : seconds > 0 ? "\(amount) ago" : "in \(amount)"
  }

  private static func amount(_ seconds: UInt64) -> String {
    switch seconds {
    case ..<minute: "\(seconds) s"
    case ..<hour: "\(seconds / minute) min"
    case ..<day: "\(seconds / hour) h"
    case ..<(31 * day): "\(seconds / day) d"
    case ..<(365 * day): "\(seconds * 12 / (365 * day)) mo"
    default: "\(seconds / (365 * day)) y"
    }
  }
}
