import Search

/// The timeouts of a request, as a value. Times are relative to the start of the first request.
struct Timeouts: Sendable {
  let limits: TransportLimits
  /// The timeout for the whole exchange.
  let total: Duration
  private var phase = Phase.head(since: .zero)

  private enum Phase {
    case head(since: Duration)
    case body(since: Duration)
  }

  init(limits: TransportLimits, total: Duration) {
    self.limits = limits
    self.total = total
  }

  /// Called when a request is sent.
  mutating func send(at time: Duration) { phase = .head(since: time) }

  /// Called when a head or a part of a body is received.
  mutating func receive(at time: Duration) { phase = .body(since: time) }

  /// The time at which the next timeout expires unless something arrives, and the resulting failure.
  var end: (time: Duration, kind: TransportFailure.Kind) {
    switch phase {
    case .head(let since):
      let end = since + limits.firstByte
      return end < total
        ? (end, .replyTimeout(seconds: limits.firstByte.inSeconds))
        : (total, .deadlineBeforeHead(seconds: total.inSeconds))
    case .body(let since):
      let end = since + limits.idle
      return end < total
        ? (end, .idleTimeout(seconds: limits.idle.inSeconds)) : (total, .deadline(seconds: total.inSeconds))
    }
  }

  /// The time of the next check: the current timeout, or earlier if the next event could start a shorter one.
  func nextCheck(after time: Duration) -> Duration {
    min(end.time, time + min(limits.firstByte, limits.idle))
  }
}
