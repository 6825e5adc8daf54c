extension Timestamp {
  /// Parses an HTTP-date (RFC 9110, section 5.6.7): the current format and the two obsolete ones, "Sun, 06
  /// Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", and "Sun Nov  6 08:49:37 1994". The day name
  /// must be valid, but need not match the date.
  ///
  /// - Parameter now: A two-digit year is in the hundred years that end 50 years after this instant.
  package init?(httpDate text: some StringProtocol, now: Timestamp) {
    var scanner = TimeScanner(text)
    let today = CivilDate(daysSinceEpoch: now.epochSeconds.floored(by: 86_400).quotient)
    guard let (date, time) = scanner.httpDate(thisYear: today.year), scanner.isAtEnd else { return nil }
    self.init(date, time, offset: 0)
  }
}

extension TimeScanner {
  /// The long names begin with the short ones, so a long name is stored as its short name and the rest.
  private static let days: [(short: StaticString, ending: StaticString)] = [
    ("Mon", "day"), ("Tue", "sday"), ("Wed", "nesday"), ("Thu", "rsday"), ("Fri", "day"), ("Sat", "urday"),
    ("Sun", "day"),
  ]
  private static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  fileprivate mutating func httpDate(thisYear: Int64) -> (CivilDate, TimeOfDay)? {
    guard let day = take(oneOf: Self.days.map(\.short)) else { return nil }
    if take(all: ", ") { return fixedDate() }
    if take(all: " ") { return asctimeDate() }
    return take(all: Self.days[day].ending) && take(all: ", ") ? obsoleteDate(thisYear: thisYear) : nil
  }

  /// "06 Nov 1994 08:49:37 GMT"
  private mutating func fixedDate() -> (CivilDate, TimeOfDay)? {
    guard let day = number(digits: 2), take(all: " "), let month = month(), take(all: " "),
      let year = number(digits: 4), take(all: " "), let time = httpTime(), take(all: " GMT")
    else { return nil }
    return CivilDate(year: year, month: month, day: day).map { ($0, time) }
  }

  /// "06-Nov-94 08:49:37 GMT"
  private mutating func obsoleteDate(thisYear: Int64) -> (CivilDate, TimeOfDay)? {
    guard let day = number(digits: 2), take(all: "-"), let month = month(), take(all: "-"),
      let twoDigits = number(digits: 2), take(all: " "), let time = httpTime(), take(all: " GMT")
    else { return nil }
    let latest = thisYear + 50
    let year = latest - (latest - twoDigits) % 100
    return CivilDate(year: year, month: month, day: day).map { ($0, time) }
  }

  /// "Nov  6 08:49:37 1994"
  private mutating func asctimeDate() -> (CivilDate, TimeOfDay)? {
    guard let month = month(), take(all: " "),
      let day = take(all: " ") ? number(digits: 1) : number(digits: 2),
      take(all: " "), let time = httpTime(), take(all: " "), let year = number(digits: 4)
    else { return nil }
    return CivilDate(year: year, month: month, day: day).map { ($0, time) }
  }

  private mutating func month() -> Int64? {
    take(oneOf: Self.months).map { Int64($0) + 1 }
  }

  private mutating func httpTime() -> TimeOfDay? {
    guard let hour = number(digits: 2), take(all: ":"), let minute = number(digits: 2), take(all: ":"),
      let second = number(digits: 2)
    else { return nil }
    let time = TimeOfDay(hour: hour, minute: minute, second: second)
    return time.isValid ? time : nil
  }
}
