import Search
import Synchronization

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
