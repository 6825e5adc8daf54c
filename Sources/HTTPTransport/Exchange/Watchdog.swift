import Search
import Synchronization

/// Enforces the timeouts of one request, by the continuous clock. It sleeps until a timeout could have
/// expired, then checks what has arrived meanwhile.
final class Watchdog: Sendable {
  private let clock: any Clock<Duration>
  private let start = ContinuousClock.now
  private let patience: Mutex<Patience>

  /// - Parameter clock: The clock to sleep by.
  init(_ patience: Patience, by clock: any Clock<Duration>) {
    self.clock = clock
    self.patience = Mutex(patience)
  }

  /// Called when a request is sent.
  func send() { patience.withLock { $0.send(at: elapsed) } }

  /// Called when a head or a part of a body is received.
  func receive() { patience.withLock { $0.receive(at: elapsed) } }

  private var elapsed: Duration { start.duration(to: .now) }

  /// Returns the reason once a timeout has expired; `cancelled` if the task is canceled.
  func end() async -> TransportFailure.Kind {
    while true {
      let time = elapsed
      let (end, nextLook) = patience.withLock { ($0.end, $0.nextLook(after: time)) }
      if time >= end.time { return end.kind }
      do {
        try await clock.sleep(for: nextLook - time)
      } catch {
        return .cancelled
      }
    }
  }
}
