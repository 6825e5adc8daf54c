// A dispatch source may be canceled from any thread, but is not declared Sendable.
@preconcurrency import Dispatch

/// The continuous clock, which includes time the machine sleeps, without the runtime's thread pool (see
/// `Workers`).
///
/// Dispatch has no timer for that clock, so two are set. The uptime timer stops while the machine sleeps; the
/// wall clock timer is late when the clock is set back and early when it is set forward. Whichever fires
/// first wakes the sleeper, which checks the continuous clock and sleeps again if it is early.
struct AlarmClock: Clock {
  private static let queue = DispatchQueue(label: "riffle.alarm")

  private let timeOfDay: @Sendable () -> DispatchWallTime

  /// - Parameter timeOfDay: The base of the wall clock timer.
  init(timeOfDay: @escaping @Sendable () -> DispatchWallTime = { .now() }) { self.timeOfDay = timeOfDay }

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    while case let left = now.duration(to: deadline), left > .zero {
      try Task.checkCancellation()
      await rest(for: left)
    }
    try Task.checkCancellation()
  }

  /// Returns when either timer fires, or the task is canceled.
  private func rest(for time: Duration) async {
    let uptime = DispatchSource.makeTimerSource(queue: Self.queue)
    let wall = DispatchSource.makeTimerSource(queue: Self.queue)
    @Sendable func wake() {
      uptime.cancel()
      wall.cancel()
    }
    uptime.setEventHandler(handler: wake)
    wall.setEventHandler(handler: wake)
    uptime.schedule(deadline: .now() + time / .seconds(1))
    wall.schedule(wallDeadline: timeOfDay() + time / .seconds(1))
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Called exactly once, by whichever timer fires or by cancellation.
        uptime.setCancelHandler { continuation.resume() }
        uptime.activate()
        wall.activate()
      }
    } onCancel: {
      wake()
    }
  }
}
