extension Timestamp {
  /// RFC 3339 in UTC, with as many digits of a fraction as it has: "2024-05-06T07:08:09Z",
  /// "2024-05-06T07:08:09.5Z".
  package var rfc3339: String {
    "\(date(offset: 0))T\(time(offset: 0, precision: 3))\(fraction)Z"
  }

  /// "2024-05-06", on a clock `offset` seconds east of UTC.
  package func date(offset: Int) -> String {
    let date = CivilDate(daysSinceEpoch: localSeconds(offset).floored(by: 86_400).quotient)
    return "\(date.year.padded(to: 4))-\(date.month.padded(to: 2))-\(date.day.padded(to: 2))"
  }

  /// "14:02", on a clock `offset` seconds east of UTC.
  package func clock(offset: Int) -> String { time(offset: offset, precision: 2) }

  private func time(offset: Int, precision: Int) -> String {
    let second = localSeconds(offset).floored(by: 86_400).remainder
    let parts = [second / 3_600, second / 60 % 60, second % 60]
    return parts.prefix(precision).map { $0.padded(to: 2) }.joined(separator: ":")
  }

  private var fraction: String {
    guard nanoseconds > 0 else { return "" }
    var digits = Substring(Int64(nanoseconds).padded(to: 9))
    while digits.last == "0" { digits.removeLast() }
    return "." + digits
  }

  /// An offset beyond a day is no offset.
  private func localSeconds(_ offset: Int) -> Int64 {
    epochSeconds + Int64(max(-86_400, min(offset, 86_400)))
  }
}

extension Int64 {
  /// The decimal digits, zeros in front to make so many, and a sign before them when it is negative.
  fileprivate func padded(to digits: Int) -> String {
    let text = String(magnitude)
    let zeros = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count))
    return (self < 0 ? "-" : "") + zeros + text
  }
}
