import Foundation
import Synchronization

/// Waits in a separate thread until a condition holds, then runs `action` there. A task would have to wait for its turn
/// in the pool, which other tests can occupy for seconds, and a task that yields until then would occupy it too.
///
/// - Returns: The time just before `action`.
/// - Throws: `CancellationError` if the test's time limit is exceeded before.
@discardableResult package func once(
  _ condition: @escaping @Sendable () -> Bool, _ action: @escaping @Sendable () -> Void = {}
) async throws -> ContinuousClock.Instant {
  let isCanceled = Atomic(false)
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        while !condition() {
          if isCanceled.load(ordering: .relaxed) { return continuation.resume(throwing: CancellationError()) }
          usleep(1_000)
        }
        let time = ContinuousClock.now
        action()
        continuation.resume(returning: time)
      }
    }
  } onCancel: {
    isCanceled.store(true, ordering: .relaxed)
  }
}
