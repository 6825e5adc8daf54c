private import Text

/// The time of day at a service, which says when its limits end by its own clock.
struct ServiceClock {
  /// Seconds since 1970 there.
  let time: Double
  /// How far the clock here is ahead, in seconds.
  let lag: Double

  /// As the reply's `Date` and `Age` tell (RFC 9110 section 6.6.1, RFC 9111 section 5.1); the clock here where
  /// they do not.
  init(_ headers: HTTPFields, now: Double) {
    let date = headers.first("Date").flatMap { text in
      Timestamp(epoch: now).flatMap { Timestamp(httpDate: text, now: $0) }
    }
    let age = headers.first("Age").flatMap { Double($0) }.flatMap { 0...1e9 ~= $0 ? $0 : nil } ?? 0
    time = date.map { $0.epoch + age } ?? now
    lag = now - time
  }
}
