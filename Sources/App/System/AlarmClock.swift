import Dispatch

/// The continuous clock, which includes time the machine sleeps, without the runtime's thread pool (see
/// `Workers`).
struct AlarmClock: Clock {
  private static let queue = DispatchQueue(label: "riffle.alarm")

  /// The base of the wall clock timer.
  var timeOfDay: @Sendable () -> DispatchWallTime = { .now() }

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    while now < deadline {
      try Task.checkCancellation()
      await rest(for: now.duration(to: deadline) / .seconds(1))
    }
    try Task.checkCancellation()
  }

  /// Returns when one of two timers fires, or when the task is canceled.
  ///
  /// Dispatch has no timer for the continuous clock, hence the pair. The uptime timer stops while the machine sleeps; the
  /// wall clock timer is late when the clock is set back and early when it is set forward.
  private func rest(for seconds: Double) async {
    let (alarms, alarm) = AsyncStream<Void>.makeStream()
    let uptime = DispatchSource.makeTimerSource(queue: Self.queue)
    let wall = DispatchSource.makeTimerSource(queue: Self.queue)
    uptime.schedule(deadline: .now() + seconds)
    wall.schedule(wallDeadline: timeOfDay() + seconds)
    for timer in [uptime, wall] {
      timer.setEventHandler { alarm.finish() }
      timer.activate()
    }
    for await _ in alarms {}
    uptime.cancel()
    wall.cancel()
  }
}
