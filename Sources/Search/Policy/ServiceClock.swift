private import Text

/// The time of day at a service, which its rate limit resets refer to.
struct ServiceClock {
  /// Seconds since 1970, by the service's clock.
  let time: Double
  /// How far the local clock is ahead, in seconds.
  let lag: Double

  /// From the reply's `Date` and `Age` (RFC 9110 section 6.6.1, RFC 9111 section 5.1); the local clock if
  /// they are missing.
  init(_ headers: HTTPFields, now: Double) {
    let date = headers.first("Date").flatMap { text in
      Timestamp(epoch: now).flatMap { Timestamp(httpDate: text, now: $0) }
    }
    let age = headers.first("Age").flatMap { Double($0) }.flatMap { 0...1e9 ~= $0 ? $0 : nil } ?? 0
    time = date.map { $0.epoch + age } ?? now
    lag = now - time
  }
}
