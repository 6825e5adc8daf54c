import Testing
import Text

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
    ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"),
    ("2024-05-06t07:08:09z", "2024-05-06T07:08:09Z"),
    ("2024-05-06 07:08:09Z", "2024-05-06T07:08:09Z"),
    ("2024-05-06T07:08:09+02:00", "2024-05-06T05:08:09Z"),
    ("2024-01-01T00:30:00+05:30", "2023-12-31T19:00:00Z"),
    ("2024-05-06T07:08:09-0800", "2024-05-06T15:08:09Z"),
    ("2024-05-06T07:08:09+02", "2024-05-06T05:08:09Z"),
    ("2024-05-06T07:08:09", "2024-05-06T07:08:09Z"),
    ("2024-05-06T07:08Z", "2024-05-06T07:08:00Z"),
    ("2024-05-06T07:08:09.5Z", "2024-05-06T07:08:09.5Z"),
    ("2024-05-06T07:08:09,120Z", "2024-05-06T07:08:09.12Z"),
    ("2024-05-06T07:08:09.1234567891Z", "2024-05-06T07:08:09.123456789Z"),
    ("2026-11-27 06:00:00 UTC", "2026-11-27T06:00:00Z"),
    ("2026-11-27T06:00:00 GMT", "2026-11-27T06:00:00Z"),
    ("20261127T060000Z", "2026-11-27T06:00:00Z"),
    ("20261127T060000.25+0100", "2026-11-27T05:00:00.25Z"),
    ("2024-02-29", "2024-02-29T00:00:00Z"),
    ("2000-02-29T23:59:59Z", "2000-02-29T23:59:59Z"),
    ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("1500-02-28T23:00:00-01:00", "1500-03-01T00:00:00Z"),
    ("1582-10-10T00:00:00Z", "1582-10-10T00:00:00Z"),
    ("1600-03-01T00:00:00Z", "1600-03-01T00:00:00Z"),
    ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ("2016-12-31T15:59:60.7-08:00", "2017-01-01T00:00:00Z"),
  ])
  func `RFC 3339 and the variants that services send are read`(text: String, rfc3339: String) throws {
    #expect(try #require(Timestamp(iso8601: text)).rfc3339 == rfc3339)
  }

  @Test(arguments: [
    "", "2024", "2024-05", "24-05-06", "2024-5-6", "2023-02-29", "1900-02-29", "1500-02-29", "2024-04-31",
    "2024-13-01",
    "2024-00-10", "2024-05-00", "2024-05-06T", "2024-05-06T24:00:00Z", "2024-05-06T07:60:00Z",
    "2024-05-06T07:08:61Z", "2024-05-06T07:08:60Z", "2024-05-06T07:08:09.Z", "2024-05-06T07:08:09Zx",
    "2024-05-06T07:08:09+24:00", "2024-05-06T07:08:09+02:60", "2024-05-06T07:08:09+2", "2024-05-06X07:08:09Z",
    "2024-05-06T07:08:09+02:0", "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "２０２４-05-06",
    "-2024-05-06", "1715000000", "20261127", "20261127T06:00:00Z", "2026-11-27T060000Z", "20261127T0600Z",
  ])
  func `Any other text is not a timestamp`(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test(arguments: [
    ("2026-11-27T07:00:00.040+01:00", "2026-11-27T06:00:00.040Z"),
    ("2026-11-27T06:00:00,500Z", "2026-11-27T06:00:00.500Z"),
    ("2026-11-27T06:00:00Z", "2026-11-27T06:00:00Z"),
    ("2026-11-27T06:00:00.1234567890Z", "2026-11-27T06:00:00.1234567890Z"),
  ])
  func `[U19] The digits of a fraction are kept when a time is converted to UTC`(
    text: String, rfc3339: String
  ) throws {
    #expect(try #require(Timestamp(iso8601: text)).rfc3339(fractionOf: text) == rfc3339)
  }

  @Test(arguments: [
    ("/Date(1700000000000)/", "2023-11-14T22:13:20Z"),
    ("/Date(1700000000250+0100)/", "2023-11-14T22:13:20.25Z"),
    ("/Date(-1000)/", "1969-12-31T23:59:59Z"), ("/Date(x)/", nil), ("1700000000000", nil),
  ])
  func `[U19] The JSON dates of .NET are read`(text: String, rfc3339: String?) {
    #expect(Timestamp(dotNet: text)?.rfc3339 == rfc3339)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1_715_000_000, "2024-05-06T12:53:20Z"), (-1, "1969-12-31T23:59:59Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
    (-14_826_672_000, "1500-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
  ])
  func `Seconds since 1970 are read`(seconds: Int64, rfc3339: String) {
    #expect(Timestamp(epochSeconds: seconds)?.rfc3339 == rfc3339)
    #expect(Timestamp(iso8601: rfc3339)?.epochSeconds == seconds)
  }

  @Test func `Fractions of seconds since 1970 are read`() {
    #expect(Timestamp(epoch: 1_715_000_000.125)?.rfc3339 == "2024-05-06T12:53:20.125Z")
    #expect(Timestamp(epoch: -0.125)?.rfc3339 == "1969-12-31T23:59:59.875Z")
    #expect(Timestamp(epoch: 1_715_000_000.5)?.rfc3339 == "2024-05-06T12:53:20.5Z")
    #expect(Timestamp(epoch: -0.25)?.rfc3339 == "1969-12-31T23:59:59.75Z")
    #expect(Timestamp(epoch: 1_715_000_000.5)?.epoch == 1_715_000_000.5)
  }

  @Test func `Timestamps exist only for the years 0000 to 9999`() {
    #expect(Timestamp(epochSeconds: 253_402_300_800) == nil)
    #expect(Timestamp(epochSeconds: .min) == nil)
    #expect(Timestamp(epochSeconds: 0, nanoseconds: 1_000_000_000) == nil)
    #expect(Timestamp(epoch: 1e300) == nil)
    #expect(Timestamp(epoch: -1e300) == nil)
    #expect(Timestamp(epoch: .nan) == nil)
    #expect(Timestamp(epoch: .infinity) == nil)
  }

  @Test func `Dates across 800 years are read back as written`() {
    for day in stride(from: Int64(-146_097), through: 146_097, by: 13) {
      let date = Timestamp(epochSeconds: day * 86_400)
      #expect(date.flatMap { Timestamp(iso8601: $0.date(in: .utc)) } == date)
    }
  }

  @Test func `The seconds since 1970 of an earlier instant are less than those of a later one`() throws {
    let start = try #require(Timestamp(iso8601: "2024-05-06T07:08:09.75Z"))
    let end = try #require(Timestamp(iso8601: "2024-05-06T07:09:00.25Z"))
    #expect(start.epoch < end.epoch)
  }

  @Test(arguments: [
    (0, "2024-05-06", "23:30"), (7_200, "2024-05-07", "01:30"), (-86_399, "2024-05-05", "23:30"),
    (20_700, "2024-05-07", "05:15"), (Int.max, "2024-05-07", "23:30"),
  ])
  func `A local clock is an offset in seconds east of UTC`(offset: Int, date: String, clock: String) throws {
    let instant = try #require(Timestamp(iso8601: "2024-05-06T23:30:00Z"))
    #expect(instant.date(in: LocalZone(offset: offset)) == date)
    #expect(instant.clock(in: LocalZone(offset: offset)) == clock)
  }

  @Test func `Local times of the first and last day are shown too`() {
    #expect(Timestamp(iso8601: "0000-01-01")?.date(in: LocalZone(offset: -3_600)) == "-0001-12-31")
    #expect(Timestamp(iso8601: "9999-12-31T23:00:00Z")?.date(in: LocalZone(offset: 7_200)) == "10000-01-01")
  }

  @Test(arguments: [
    ("2024-05-06T07:08:09", "2024-05-05T22:08:09Z"), ("2024-05-06 07:08", "2024-05-05T22:08:00Z"),
    ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"), ("2024-05-06T07:08:09+02:00", "2024-05-06T05:08:09Z"),
    ("2024-05-06", "2024-05-06T00:00:00Z"),
  ])
  func `A time without an offset is read in the given zone.`(text: String, utc: String) {
    #expect(Timestamp(iso8601: text, zone: 9 * 3_600)?.rfc3339 == utc)
  }

  @Test(
    arguments: [
      ("UTC", 0), ("Z", 0), ("+09:00", 32_400), ("-0530", -19_800), ("+02", 7_200), ("", nil), ("JST", nil),
      ("09:00", nil), ("+9:00", nil), ("+24:00", nil), ("+09:00 ", nil), ("utc", nil),
    ] as [(String, Int?)])
  func `A zone is UTC or an offset.`(text: String, seconds: Int?) {
    #expect(Timestamp.zone(text) == seconds)
  }
}
