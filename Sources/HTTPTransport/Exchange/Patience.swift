import Search

/// By when a request must have got further, as a value. Times count from the start of the first request.
struct Patience: Sendable {
  let limits: TransportLimits
  /// For everything.
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

  /// A request is begun.
  mutating func send(at time: Duration) { phase = .head(since: time) }

  /// A head or a part of a body has come.
  mutating func receive(at time: Duration) { phase = .body(since: time) }

  /// The next time at which it is over unless something comes before, and what it is called then.
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

  /// When to look again: at the end, or before any end that the next event could bring.
  func nextLook(after time: Duration) -> Duration {
    min(end.time, time + min(limits.firstByte, limits.idle))
  }
}
