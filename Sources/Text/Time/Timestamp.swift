/// An instant in the years 0000 to 9999 with nanosecond precision, in UTC without leap seconds.
package struct Timestamp: Sendable, Hashable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  package let epochSeconds: Int64
  /// The nanoseconds after `epochSeconds`, in 0..<1,000,000,000.
  package let nanoseconds: Int32

  private static let range: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// Nil outside the years 0000 to 9999.
  package init?(epochSeconds: Int64, nanoseconds: Int32 = 0) {
    guard Self.range.contains(epochSeconds), 0..<1_000_000_000 ~= nanoseconds else { return nil }
    self.epochSeconds = epochSeconds
    self.nanoseconds = nanoseconds
  }

  package init?(epochMilliseconds: Int64) {
    let (seconds, milliseconds) = epochMilliseconds.floored(by: 1_000)
    self.init(epochSeconds: seconds, nanoseconds: Int32(milliseconds) * 1_000_000)
  }

  /// Nil outside the years 0000 to 9999, and for NaN.
  package init?(epoch seconds: Double) {
    guard seconds.magnitude < 1e12 else { return nil }
    let cut = Int64(seconds)
    let whole = Double(cut) > seconds ? cut - 1 : cut
    let nanoseconds = Int32(min((seconds - Double(whole)) * 1e9, 999_999_999))
    self.init(epochSeconds: whole, nanoseconds: nanoseconds)
  }

  /// Seconds since 1970; for current dates precise to a microsecond.
  package var epoch: Double { Double(epochSeconds) + Double(nanoseconds) / 1e9 }
}

extension Timestamp: Comparable {
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.epochSeconds, left.nanoseconds) < (right.epochSeconds, right.nanoseconds)
  }
}

/// A day of the proleptic Gregorian calendar.
///
/// The algorithms are Howard Hinnant's (chrono-compatible low-level date algorithms): a year begins in March,
/// so that the leap day is its last day, and 400 years are an era of 146,097 days.
struct CivilDate: Hashable {
  let year: Int64
  let month: Int64
  let day: Int64

  /// Nil if the month has no such day.
  init?(year: Int64, month: Int64, day: Int64) {
    guard 1...12 ~= month, day >= 1, day <= Self.days(in: month, of: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that is this many days after 1970-01-01.
  init(daysSinceEpoch: Int64) {
    let (era, dayOfEra) = (daysSinceEpoch + 719_468).floored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSinceEpoch: Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floored(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  /// The quotient rounded down and the nonnegative remainder, for a positive divisor.
  func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

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

  /// The offset at a time in seconds since 1970, or in 1970 if that is out of range.
  package func offset(at time: Double) -> Int { offset(at: Timestamp(epoch: time)?.epochSeconds ?? 0) }
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
