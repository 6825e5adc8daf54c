import Testing
import Text

@Suite struct HTTPDateTests {
  private func read(_ text: String, in year: String = "2026") -> String? {
    Timestamp(iso8601: year + "-06-01").flatMap { Timestamp(httpDate: text, now: $0)?.rfc3339 }
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `The three date formats of RFC 9110 are equivalent`(text: String) {
    #expect(read(text) == "1994-11-06T08:49:37Z")
  }

  @Test(arguments: [
    ("Wednesday, 01-Jan-76 00:00:00 GMT", "2026", "2076-01-01T00:00:00Z"),
    ("Saturday, 01-Jan-77 00:00:00 GMT", "2026", "1977-01-01T00:00:00Z"),
    ("Friday, 01-Jan-99 00:00:00 GMT", "1998", "1999-01-01T00:00:00Z"),
    ("Saturday, 01-Jan-00 00:00:00 GMT", "1998", "2000-01-01T00:00:00Z"),
  ])
  func `A two-digit year is never more than 50 years in the future`(
    text: String, now: String, rfc3339: String
  ) {
    #expect(read(text, in: now) == rfc3339)
  }

  @Test(arguments: [
    "Tue, 29 Feb 2028 23:59:59 GMT", "Thursday, 29-Feb-24 00:00:00 GMT", "Wed Oct 21 07:28:00 2015",
    "Sat, 31 Dec 2016 23:59:60 GMT",
  ])
  func `All names and a leap second are accepted`(text: String) {
    #expect(read(text) != nil)
  }

  @Test(arguments: [
    "", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 06 Nvm 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT ", "120",
    "Sun, 06-Nov-94 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:60 GMT",
  ])
  func `Any other text is not a date`(text: String) {
    #expect(read(text) == nil)
  }
}
