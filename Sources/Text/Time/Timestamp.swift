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

  package func duration(since other: Timestamp) -> Duration {
    .seconds(epochSeconds - other.epochSeconds) + .nanoseconds(nanoseconds - other.nanoseconds)
  }

  /// Nil if the result is outside the years 0000 to 9999.
  package func advanced(by duration: Duration) -> Timestamp? {
    let (seconds, attoseconds) = duration.components
    let (carry, nanoseconds) = (Int64(nanoseconds) + attoseconds / 1_000_000_000).floored(by: 1_000_000_000)
    let (end, overflows) = (epochSeconds + carry).addingReportingOverflow(seconds)
    return overflows ? nil : Timestamp(epochSeconds: end, nanoseconds: Int32(nanoseconds))
  }
}

extension Timestamp: Comparable {
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.epochSeconds, left.nanoseconds) < (right.epochSeconds, right.nanoseconds)
  }
}
