import FeedbackLoop

extension FeedbackSystem {
  /// All effects whose task has not ended, oldest first.
  func runningEffects() async -> [RunningEffect] {
    await withCheckedContinuation { continuation in
      report { running, _ in continuation.resume(returning: running) }
    }
  }
}

extension FeedbackSystem {
  /// Waits until no effect is left.
  func effectsEnded() async {
    await withCheckedContinuation { continuation in whenQuiet { continuation.resume() } }
  }
}
