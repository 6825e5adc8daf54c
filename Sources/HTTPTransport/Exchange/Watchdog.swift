import Search
import Synchronization

/// Keeps the time of one request, by the continuous clock. It sleeps until a limit could be over and looks then what has
/// come meanwhile.
final class Watchdog: Sendable {
  private let clock: any Clock<Duration>
  private let start = ContinuousClock.now
  private let patience: Mutex<Patience>

  /// - Parameter clock: by which it sleeps.
  init(_ patience: Patience, by clock: any Clock<Duration>) {
    self.clock = clock
    self.patience = Mutex(patience)
  }

  /// A request is begun.
  func send() { patience.withLock { $0.send(at: elapsed) } }

  /// A head or a part of a body has come.
  func receive() { patience.withLock { $0.receive(at: elapsed) } }

  private var elapsed: Duration { start.duration(to: .now) }

  /// Returns when patience has ended, with the reason; `cancelled` when the task is.
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
