import FeedbackLoop
import Locking

/// Holds tasks until it is opened. It ignores cancellation.
final class Gate: Sendable {
  private let waiting = Lock<[CheckedContinuation<Void, Never>]?>([])

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = waiting.withLock { waiting in
        waiting?.append(continuation)
        return waiting == nil
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let all = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for continuation in all { continuation.resume() }
  }
}

/// Waits until the task is canceled.
func untilCancelled() async {
  let gate = Gate()
  await withTaskCancellationHandler {
    await gate.wait()
  } onCancel: {
    gate.open()
  }
}
