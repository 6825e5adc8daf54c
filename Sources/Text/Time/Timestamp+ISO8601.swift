extension Timestamp {
  /// Parses RFC 3339 ("2024-05-06T07:08:09.5+02:00"; t, z, and a space for T are accepted) and common
  /// variants: a date alone (midnight UTC), no seconds, a comma before the fraction, no offset, "+0200" and
  /// "+02" as offsets. A leap second is the first instant after it. Nil for anything else, and for days that
  /// do not exist.
  ///
  /// - Parameter zone: The offset of a time without one, in seconds east of UTC.
  package init?(iso8601 text: some StringProtocol, zone: Int = 0) {
    var scanner = TimeScanner(text)
    guard let date = scanner.isoDate() else { return nil }
    if scanner.isAtEnd {
      self.init(date, TimeOfDay(hour: 0, minute: 0, second: 0), offset: 0)
      return
    }
    guard scanner.take(anyOf: "Tt ") != nil, let time = scanner.isoTime(),
      let offset = scanner.isAtEnd ? Int64(zone) : scanner.isoOffset(), scanner.isAtEnd
    else { return nil }
    self.init(date, time, offset: offset)
  }

  /// Parses a time zone as seconds east of UTC: "UTC", "Z", or an offset such as "+09:00", "-0530", "+02".
  package static func zone(_ text: some StringProtocol) -> Int? {
    if text == "UTC" { return 0 }
    var scanner = TimeScanner(text)
    guard let offset = scanner.isoOffset(), scanner.isAtEnd else { return nil }
    return Int(offset)
  }

  /// Nil if a second of 60 is not at the end of a day in UTC, or the year is not in 0000 to 9999.
  init?(_ date: CivilDate, _ time: TimeOfDay, offset: Int64) {
    let epochSeconds = date.daysSinceEpoch * 86_400 + time.seconds - offset
    guard time.second < 60 || epochSeconds.isMultiple(of: 86_400) else { return nil }
    self.init(epochSeconds: epochSeconds, nanoseconds: time.second < 60 ? time.nanoseconds : 0)
  }
}

/// A time as written, before its offset is applied.
struct TimeOfDay {
  let hour: Int64
  let minute: Int64
  /// 60 in a leap second.
  let second: Int64
  var nanoseconds: Int32 = 0

  var seconds: Int64 { hour * 3_600 + minute * 60 + second }
  var isValid: Bool { hour < 24 && minute < 60 && second <= 60 }
}

extension TimeScanner {
  fileprivate mutating func isoDate() -> CivilDate? {
    guard let year = number(digits: 4), take(all: "-"),
      let month = number(digits: 2), take(all: "-"),
      let day = number(digits: 2)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  fileprivate mutating func isoTime() -> TimeOfDay? {
    guard let hour = number(digits: 2), take(all: ":"), let minute = number(digits: 2) else { return nil }
    var time = TimeOfDay(hour: hour, minute: minute, second: 0)
    if take(all: ":") {
      guard let second = number(digits: 2) else { return nil }
      time = TimeOfDay(hour: hour, minute: minute, second: second)
      if take(anyOf: ".,") != nil {
        guard let nanoseconds = fraction() else { return nil }
        time.nanoseconds = nanoseconds
      }
    }
    return time.isValid ? time : nil
  }

  /// Seconds east of UTC.
  fileprivate mutating func isoOffset() -> Int64? {
    if take(anyOf: "Zz") != nil { return 0 }
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
}
