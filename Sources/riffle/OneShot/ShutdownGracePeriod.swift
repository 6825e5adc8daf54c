import FeedbackLoop

/// How long an interrupted run waits for a reader that stalls.
enum ShutdownGracePeriod {
  static let limit = Duration.seconds(1)
}

extension FeedbackSystem where State == OneShotState, Event == OneShotEvent {
  /// The result of `work`; nil if it does not finish in time after an interruption. Without an interruption
  /// there is no time limit.
  func outcome<Value: Sendable>(
    by clock: any Clock<Duration>, of work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let (outcomes, continuation) = AsyncStream<Value>.makeStream()
    Task(executorPreference: Workers.shared) {
      continuation.yield(await work())
      continuation.finish()
    }
    let gracePeriodTask = Task(executorPreference: Workers.shared) {
      guard await self.settled(while: { $0.interruption == nil }) == .settled else { return }
      try? await clock.sleep(for: ShutdownGracePeriod.limit)
      continuation.finish()
    }
    defer { gracePeriodTask.cancel() }
    for await outcome in outcomes { return outcome }
    return nil
  }
}
