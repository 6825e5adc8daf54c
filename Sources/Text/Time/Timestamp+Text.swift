/// A time zone: the offset from UTC in effect at each instant, which changes with daylight saving time.
package struct LocalZone: Sendable {
  private let secondsEast: @Sendable (Int64) -> Int

  /// - Parameter secondsEast: Returns the seconds east of UTC at an instant in seconds since 1970.
  package init(_ secondsEast: @escaping @Sendable (Int64) -> Int) { self.secondsEast = secondsEast }

  /// A fixed offset, in seconds east of UTC.
  package init(offset: Int) { self.init { _ in offset } }

  package static let utc = LocalZone(offset: 0)

  /// Seconds east of UTC at an instant in seconds since 1970, limited to one day in either direction.
  package func offset(at epochSeconds: Int64) -> Int {
    max(-86_400, min(secondsEast(epochSeconds), 86_400))
  }
}

extension Timestamp {
  /// RFC 3339 in UTC, with the fractional digits needed: "2024-05-06T07:08:09Z", "2024-05-06T07:08:09.5Z".
  package var rfc3339: String {
    "\(date(in: .utc))T\(time(in: .utc, precision: 3))\(fraction)Z"
  }

  /// "2024-05-06", in a time zone.
  package func date(in zone: LocalZone) -> String {
    let date = CivilDate(daysSinceEpoch: localSeconds(zone).floored(by: 86_400).quotient)
    return "\(date.year.padded(to: 4))-\(date.month.padded(to: 2))-\(date.day.padded(to: 2))"
  }

  /// "14:02", in a time zone.
  package func clock(in zone: LocalZone) -> String { time(in: zone, precision: 2) }

  private func time(in zone: LocalZone, precision: Int) -> String {
    let second = localSeconds(zone).floored(by: 86_400).remainder
    let parts = [second / 3_600, second / 60 % 60, second % 60]
    return parts.prefix(precision).map { $0.padded(to: 2) }.joined(separator: ":")
  }

  private var fraction: String {
    guard nanoseconds > 0 else { return "" }
    var digits = Substring(Int64(nanoseconds).padded(to: 9))
    while digits.last == "0" { digits.removeLast() }
    return "." + digits
  }

  private func localSeconds(_ zone: LocalZone) -> Int64 {
    epochSeconds + Int64(zone.offset(at: epochSeconds))
  }
}

extension Int64 {
  /// The decimal digits, padded with leading zeros to this length, after a sign if negative.
  fileprivate func padded(to digits: Int) -> String {
    let text = String(magnitude)
    let zeros = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count))
    return (self < 0 ? "-" : "") + zeros + text
  }
}
