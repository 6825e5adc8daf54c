import Text

/// A time counted from the start of a run, named in a template: `{today}`, `{today-30d}`, `{now}`, `{now-12h}`.
package struct RelativeDate: Sendable, Hashable {
  /// Whether it is a day, in UTC; otherwise a second.
  private let isDay: Bool
  /// The time before the start of the run, in seconds.
  private let age: Int64

  /// - Parameter name: `today` or `now`, optionally with a whole number of minutes, hours, days, or weeks before
  ///   it: `-90m`, `-12h`, `-30d`, `-2w`. Nil for any other name.
  package init?(_ name: String) {
    let parts = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ["today", "now"].contains(parts[0]) else { return nil }
    isDay = parts[0] == "today"
    guard let ago = parts.dropFirst().first else {
      age = 0
      return
    }
    let seconds: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
    guard let unit = ago.last.flatMap({ seconds[$0] }), let count = Int64(ago.dropLast()),
      1...99_999 ~= count, ago.first?.isNumber == true
    else { return nil }
    age = count * unit
  }

  /// The date (`2026-11-23`) or time (`2026-11-23T04:05:06Z`) in UTC.
  ///
  /// - Parameter start: When the run began, in seconds since 1970.
  package func text(from start: Double) -> String {
    let seconds = Int64(min(max(start, 0), 1e11)) - age
    guard let time = Timestamp(epochSeconds: seconds) else { return "" }
    return isDay ? time.date(in: .utc) : time.rfc3339
  }
}
