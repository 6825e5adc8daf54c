// A source may be cancelled from any thread, but is not declared Sendable.
@preconcurrency import Dispatch

/// The continuous clock, which also counts while the machine sleeps, without the runtime's pool (see `Workers`).
///
/// There is no timer for that clock, so that two are set, each of which errs at times. The one for uptime stands still
/// while the machine sleeps; the one for the time of day is late when that is set back, and early when it is set forward.
/// Whichever is first wakes the sleeper, who looks how late it is and sleeps on when it is early.
struct AlarmClock: Clock {
  private static let queue = DispatchQueue(label: "riffle.alarm")

  private let timeOfDay: @Sendable () -> DispatchWallTime

  /// - Parameter timeOfDay: the time by which the second timer is set.
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

  /// Returns when a timer says that the time has passed, or the task is cancelled.
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
        // Called once, whoever wakes.
        uptime.setCancelHandler { continuation.resume() }
        uptime.activate()
        wall.activate()
      }
    } onCancel: {
      wake()
    }
  }
}
