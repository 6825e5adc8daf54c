import HTTPValues
import Synchronization

/// Timeouts, and limits on the size of a reply.
package struct TransportLimits: Sendable, Hashable {
  /// Until a connection is established, including name resolution and TLS.
  package var connect: Duration = .seconds(10)
  /// From the start of a request to the first byte of its reply.
  package var firstByte: Duration = .seconds(30)
  /// Between two parts of a body.
  package var idle: Duration = .seconds(30)
  /// For the whole exchange, including redirects.
  package var total: Duration = .seconds(60)
  /// The size of the decoded body in bytes.
  package var bodyBytes = 32 << 20
  /// The size of all header fields together in bytes.
  package var headBytes = 64 << 10

  package init() {}
}

extension Duration {
  /// The number of seconds for messages, rounded to the millisecond.
  var inSeconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}

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

/// Enforces the timeouts of one request, by the continuous clock. It sleeps until a timeout could have
/// expired, then checks what has arrived meanwhile.
final class RequestDeadline: Sendable {
  private let clock: any Clock<Duration>
  private let start = ContinuousClock.now
  private let timeouts: Mutex<Timeouts>

  /// - Parameter clock: The clock to sleep by.
  init(_ timeouts: Timeouts, by clock: any Clock<Duration>) {
    self.clock = clock
    self.timeouts = Mutex(timeouts)
  }

  /// Called when a request is sent.
  func send() { timeouts.withLock { $0.send(at: elapsed) } }

  /// Called when a head or a part of a body is received.
  func receive() { timeouts.withLock { $0.receive(at: elapsed) } }

  private var elapsed: Duration { start.duration(to: .now) }

  /// Returns the reason once a timeout has expired; `cancelled` if the task is canceled.
  func end() async -> TransportFailure.Kind {
    while true {
      let time = elapsed
      let (end, nextCheck) = timeouts.withLock { ($0.end, $0.nextCheck(after: time)) }
      if time >= end.time { return end.kind }
      do {
        try await clock.sleep(for: nextCheck - time)
      } catch {
        return .cancelled
      }
    }
  }
}
