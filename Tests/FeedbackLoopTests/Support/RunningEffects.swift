import FeedbackLoop

extension FeedbackSystem {
  /// All effects whose task has not ended, oldest first.
  func runningEffects() async -> [RunningEffect] {
    await withCheckedContinuation { continuation in
      report { running, _ in continuation.resume(returning: running) }
    }
  }
}
