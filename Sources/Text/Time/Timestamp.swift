import Glibc

/// An instant in the years 0000 to 9999 with nanosecond precision, in UTC without leap seconds.
package struct Timestamp: Sendable, Hashable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  package let epochSeconds: Int64
  /// The nanoseconds after `epochSeconds`, in 0..<1,000,000,000.
  package let nanoseconds: Int32

  private static let range: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// Creates an instant; nil outside the years 0000 to 9999.
  package init?(epochSeconds: Int64, nanoseconds: Int32 = 0) {
    guard Self.range.contains(epochSeconds), 0..<1_000_000_000 ~= nanoseconds else { return nil }
    self.epochSeconds = epochSeconds
    self.nanoseconds = nanoseconds
  }

  /// Creates an instant; nil outside the years 0000 to 9999, and for NaN.
  package init?(epoch seconds: Double) {
    guard seconds.magnitude < 1e12 else { return nil }
    let cut = Int64(seconds)
    let whole = Double(cut) > seconds ? cut - 1 : cut
    let nanoseconds = Int32(min((seconds - Double(whole)) * 1e9, 999_999_999))
    self.init(epochSeconds: whole, nanoseconds: nanoseconds)
  }

  /// The instant in seconds since 1970; for current dates precise to a microsecond.
  package var epoch: Double { Double(epochSeconds) + Double(nanoseconds) / 1e9 }
}

// MARK: Text

extension Timestamp {
  /// The instant in RFC 3339 and UTC, with the fractional digits needed: "2024-05-06T07:08:09Z",
  /// "2024-05-06T07:08:09.5Z".
  package var rfc3339: String {
    let seconds = parts(in: .utc).tm_sec.padded(to: 2)
    return "\(date(in: .utc))T\(clock(in: .utc)):\(seconds)\(fraction)Z"
  }

  /// The same, with the digits of the fraction as `text` has them: "09.040Z", where the shortest form is "09.04Z".
  package func rfc3339(fractionOf text: String) -> String {
    let digits = text.utf8.drop { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: ",") }.dropFirst()
      .prefix { $0.isASCIIDigit }
    guard !digits.isEmpty, let whole = Timestamp(epochSeconds: epochSeconds) else { return rfc3339 }
    return "\(whole.rfc3339.dropLast()).\(Substring(digits))Z"
  }

  /// The date in a time zone: "2024-05-06".
  package func date(in zone: LocalZone) -> String {
    let parts = parts(in: zone)
    return [parts.year.padded(to: 4), (parts.tm_mon + 1).padded(to: 2), parts.tm_mday.padded(to: 2)]
      .joined(separator: "-")
  }

  /// The time of day in a time zone: "14:02".
  package func clock(in zone: LocalZone) -> String {
    let parts = parts(in: zone)
    return "\(parts.tm_hour.padded(to: 2)):\(parts.tm_min.padded(to: 2))"
  }

  private var fraction: String {
    guard nanoseconds > 0 else { return "" }
    var digits = Substring(nanoseconds.padded(to: 9))
    while digits.last == "0" { digits.removeLast() }
    return "." + digits
  }

  private func parts(in zone: LocalZone) -> tm {
    var seconds = time_t(epochSeconds) + zone.offset(at: epochSeconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return parts
  }
}

// MARK: Parsing

extension Timestamp {
  /// Parses RFC 3339 ("2024-05-06T07:08:09.5+02:00"; t, z, and a space for T are accepted) and common
  /// variants: a date alone (midnight UTC), no seconds, a comma before the fraction, no offset, "+0200", "+02" and
  /// " UTC" as offsets, and the basic form with a time, "20240506T070809Z". A leap second is the first instant after it. Nil for anything else, and for days that
  /// do not exist.
  ///
  /// - Parameter zone: The offset of a time without one, in seconds east of UTC.
  package init?(iso8601 text: some StringProtocol, zone: Int = 0) {
    var scanner = TimeScanner(text)
    guard let midnight = scanner.isoDate() else { return nil }
    if scanner.isAtEnd, !scanner.isBasic {
      self.init(epochSeconds: midnight)
      return
    }
    guard scanner.take(anyOf: "Tt ") != nil, let time = scanner.isoTime(),
      let offset = scanner.isAtEnd ? Int64(zone) : scanner.isoOffset(), scanner.isAtEnd
    else { return nil }
    self.init(midnight, time, offset: offset)
  }

  /// Parses a time zone as seconds east of UTC: "UTC", "Z", or an offset such as "+09:00", "-0530", "+02".
  package static func zone(_ text: some StringProtocol) -> Int? {
    if text == "UTC" { return 0 }
    var scanner = TimeScanner(text)
    guard let offset = scanner.isoOffset(), scanner.isAtEnd else { return nil }
    return Int(offset)
  }

  /// Parses an HTTP-date (RFC 9110, section 5.6.7): the current format and the two obsolete ones, "Sun, 06
  /// Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", and "Sun Nov  6 08:49:37 1994". The day name
  /// must be valid, but need not match the date.
  ///
  /// - Parameter now: A two-digit year is in the hundred years that end 50 years after this instant.
  package init?(httpDate text: some StringProtocol, now: Timestamp) {
    var scanner = TimeScanner(text)
    let thisYear = Int64(now.parts(in: .utc).year)
    guard let (midnight, time) = scanner.httpDate(thisYear: thisYear), scanner.isAtEnd else { return nil }
    self.init(midnight, time, offset: 0)
  }

  /// Parses the JSON dates of .NET, milliseconds since 1970: "/Date(1700000000000)/". An offset after them, such as
  /// "+0100", names a zone and does not change the instant.
  package init?(dotNet text: some StringProtocol) {
    // Any string may come here, and most are no dates.
    guard text.hasPrefix("/Date("),
      let match = Substring(text).wholeMatch(of: #/\/Date\((-?[0-9]{1,16})([+-][0-9]{4})?\)\//#),
      let milliseconds = Double(match.1)
    else { return nil }
    self.init(epoch: milliseconds / 1_000)
  }

  /// Nil if a second of 60 is not at the end of a day in UTC, or the year is not in 0000 to 9999.
  private init?(_ midnight: Int64, _ time: TimeOfDay, offset: Int64) {
    let epochSeconds = midnight + time.seconds - offset
    guard time.second < 60 || epochSeconds.isMultiple(of: 86_400) else { return nil }
    self.init(epochSeconds: epochSeconds, nanoseconds: time.second < 60 ? time.nanoseconds : 0)
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

/// The first second of a day since 1970; nil if the month has no such day. The calendar of the C library is Gregorian
/// in all years; Foundation's is Julian before 1582.
private func midnight(year: Int64, month: Int64, day: Int64) -> Int64? {
  var date = tm()
  (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1_900), Int32(month - 1), Int32(day))
  // The 31st of April becomes the 1st of May.
  let seconds = timegm(&date)
  return date.tm_mon == month - 1 && date.tm_mday == day ? Int64(seconds) : nil
}

extension tm {
  fileprivate var year: Int32 { tm_year + 1_900 }
}

/// A parsed time of day.
private struct TimeOfDay {
  let hour: Int64
  let minute: Int64
  /// The second; 60 in a leap second.
  var second: Int64 = 0
  var nanoseconds: Int32 = 0

  var seconds: Int64 { hour * 3_600 + minute * 60 + second }
  var isValid: Bool { hour < 24 && minute < 60 && second <= 60 }
}

/// Parses the parts of a date in order. After a result of nil the position is unspecified.
private struct TimeScanner {
  private var rest: Substring.UTF8View
  /// Whether the date has no hyphens, and therefore the time no colons (ISO 8601, basic format).
  private(set) var isBasic = false

  init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Consumes exactly this many decimal digits.
  mutating func number(digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let byte = rest.popFirst(), byte.isASCIIDigit else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// Consumes all following digits, at least one, as nanoseconds; digits after the ninth are ignored.
  mutating func fraction() -> Int32? {
    let digits = rest.prefix(while: \.isASCIIDigit)
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    let places = digits.map { Int32($0 - UInt8(ascii: "0")) } + repeatElement(0, count: 9)
    return places.prefix(9).reduce(0) { $0 * 10 + $1 }
  }

  /// Consumes any one of the given bytes, if it is next.
  mutating func take(anyOf choices: StaticString) -> UInt8? {
    let isChoice = choices.withUTF8Buffer { buffer in rest.first.map(buffer.contains) ?? false }
    return isChoice ? rest.popFirst() : nil
  }

  /// Consumes exactly this text, if it is next.
  mutating func take(all text: StaticString) -> Bool {
    let comesNext = text.withUTF8Buffer { rest.starts(with: $0) }
    if comesNext { rest = rest.dropFirst(text.utf8CodeUnitCount) }
    return comesNext
  }

  /// Consumes one of these names and returns its index; nil if none is next.
  mutating func take(oneOf names: [StaticString]) -> Int? { names.firstIndex { take(all: $0) } }

  /// Consumes a date and returns its first second since 1970.
  mutating func isoDate() -> Int64? {
    guard let year = number(digits: 4) else { return nil }
    isBasic = !take(all: "-")
    guard let month = number(digits: 2), isBasic || take(all: "-"), let day = number(digits: 2) else {
      return nil
    }
    return midnight(year: year, month: month, day: day)
  }

  mutating func isoTime() -> TimeOfDay? {
    guard var time = minutes() else { return nil }
    if isBasic || take(all: ":") {
      guard let second = number(digits: 2) else { return nil }
      time.second = second
      if take(anyOf: ".,") != nil {
        guard let nanoseconds = fraction() else { return nil }
        time.nanoseconds = nanoseconds
      }
    }
    return time.isValid ? time : nil
  }

  /// Consumes a time of day such as "08:49".
  private mutating func minutes() -> TimeOfDay? {
    guard let hour = number(digits: 2), isBasic || take(all: ":"), let minute = number(digits: 2) else {
      return nil
    }
    return TimeOfDay(hour: hour, minute: minute)
  }

  /// Consumes an offset and returns it in seconds east of UTC.
  mutating func isoOffset() -> Int64? {
    if take(anyOf: "Zz") != nil || take(all: " UTC") || take(all: " GMT") { return 0 }
    guard let sign = take(anyOf: "+-"), let hours = number(digits: 2), hours < 24 else { return nil }
    var minutes: Int64 = 0
    if !isAtEnd {
      _ = take(all: ":")
      guard let written = number(digits: 2), written < 60 else { return nil }
      minutes = written
    }
    let offset = hours * 3_600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -offset : offset
  }

  /// The long names begin with the short ones, so a long name is stored as its short name and the rest.
  private static let days: [(short: StaticString, ending: StaticString)] = [
    ("Mon", "day"), ("Tue", "sday"), ("Wed", "nesday"), ("Thu", "rsday"), ("Fri", "day"), ("Sat", "urday"),
    ("Sun", "day"),
  ]
  private static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  mutating func httpDate(thisYear: Int64) -> (midnight: Int64, time: TimeOfDay)? {
    guard let day = take(oneOf: Self.days.map(\.short)) else { return nil }
    if take(all: ", ") { return date(separator: " ", yearDigits: 4, thisYear) }
    if take(all: " ") { return asctimeDate() }
    guard take(all: Self.days[day].ending), take(all: ", ") else { return nil }
    return date(separator: "-", yearDigits: 2, thisYear)
  }

  /// Consumes "06 Nov 1994 08:49:37 GMT" or "06-Nov-94 08:49:37 GMT".
  private mutating func date(
    separator: StaticString, yearDigits: Int, _ thisYear: Int64
  ) -> (midnight: Int64, time: TimeOfDay)? {
    guard let day = number(digits: 2), take(all: separator), let month = month(), take(all: separator),
      let digits = number(digits: yearDigits), take(all: " "), let time = httpTime(), take(all: " GMT")
    else { return nil }
    let latest = thisYear + 50
    let year = yearDigits == 4 ? digits : latest - (latest - digits) % 100
    return midnight(year: year, month: month, day: day).map { ($0, time) }
  }

  /// Consumes "Nov 6 08:49:37 1994", with the day in two columns.
  private mutating func asctimeDate() -> (midnight: Int64, time: TimeOfDay)? {
    guard let month = month(), take(all: " "),
      let day = take(all: " ") ? number(digits: 1) : number(digits: 2),
      take(all: " "), let time = httpTime(), take(all: " "), let year = number(digits: 4)
    else { return nil }
    return midnight(year: year, month: month, day: day).map { ($0, time) }
  }

  private mutating func month() -> Int64? { take(oneOf: Self.months).map { Int64($0) + 1 } }

  private mutating func httpTime() -> TimeOfDay? {
    guard var time = minutes(), take(all: ":"), let second = number(digits: 2) else { return nil }
    time.second = second
    return time.isValid ? time : nil
  }
}
