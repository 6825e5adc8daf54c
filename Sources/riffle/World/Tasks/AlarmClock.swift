// A source may be cancelled from any thread, but is not declared Sendable.
@preconcurrency import Dispatch

/// The continuous clock, which also counts while the machine sleeps, without the runtime's pool (see `Workers`).
struct AlarmClock: Clock {
  private static let queue = DispatchQueue(label: "riffle.alarm")

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    // The time of day, by which the alarm is set, may be set meanwhile.
    while case let left = now.duration(to: deadline), left > .zero {
      try Task.checkCancellation()
      await sleep(for: left)
    }
    try Task.checkCancellation()
  }

  /// Returns when the time has passed or the task is cancelled.
  private func sleep(for time: Duration) async {
    let alarm = DispatchSource.makeTimerSource(queue: Self.queue)
    alarm.setEventHandler { alarm.cancel() }
    alarm.schedule(wallDeadline: .now() + (time / .seconds(1)))
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Called once, whatever ends the alarm.
        alarm.setCancelHandler { continuation.resume() }
        alarm.activate()
      }
    } onCancel: {
      alarm.cancel()
    }
  }
}
