// A dispatch source may be set from any thread, but is not declared Sendable.
@preconcurrency import Dispatch
import FeedbackLoop

/// The continuous clock, which includes time the machine sleeps, without the runtime's thread pool (see
/// `Workers`).
struct AlarmClock: Clock {
  private let alarm: Alarm

  /// - Parameter timeOfDay: The base of the wall clock timer.
  init(timeOfDay: @escaping @Sendable () -> DispatchWallTime = { .now() }) {
    alarm = Alarm(timeOfDay: timeOfDay)
  }

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    while now < deadline {
      try Task.checkCancellation()
      await alarm.rest(until: deadline)
    }
    try Task.checkCancellation()
  }
}

/// The sleeps of a clock. They share a pair of timers, which is set only for the earliest deadline: most sleeps are timeouts of
/// requests that are answered in time, and setting a timer wakes Dispatch's thread.
///
/// Dispatch has no timer for the continuous clock, hence the pair. The uptime timer stops while the machine sleeps; the
/// wall clock timer is late when the clock is set back and early when it is set forward. Whichever fires first wakes the
/// sleepers whose deadline has passed by the continuous clock, and both are set again for the next.
private final class Alarm: Sendable {
  private struct Sleep {
    let number: Int
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Sleeps {
    /// A handful, so they are a list.
    var all: [Sleep] = []
    var lastNumber = 0
    /// What the timers are set for; nil if they are not.
    var alarm: ContinuousClock.Instant?

    mutating func removeAll(where isOver: (Sleep) -> Bool) -> [Sleep] {
      let over = all.filter(isOver)
      all.removeAll(where: isOver)
      return over
    }
  }

  private let sleeps = Lock(Sleeps())
  private let timeOfDay: @Sendable () -> DispatchWallTime
  private let uptime: any DispatchSourceTimer
  private let wall: any DispatchSourceTimer

  init(timeOfDay: @escaping @Sendable () -> DispatchWallTime) {
    self.timeOfDay = timeOfDay
    let queue = DispatchQueue(label: "riffle.alarm")
    uptime = DispatchSource.makeTimerSource(queue: queue)
    wall = DispatchSource.makeTimerSource(queue: queue)
    for timer in [uptime, wall] {
      timer.setEventHandler { [weak self] in self?.ring() }
      timer.activate()
    }
  }

  deinit {
    uptime.cancel()
    wall.cancel()
  }

  /// Returns at the deadline, or when the task is canceled.
  func rest(until deadline: ContinuousClock.Instant) async {
    let number = sleeps.withLock { sleeps in
      sleeps.lastNumber += 1
      return sleeps.lastNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        sleeps.withLock { sleeps in
          sleeps.all.append(Sleep(number: number, deadline: deadline, continuation: continuation))
          if sleeps.alarm.map({ deadline < $0 }) ?? true { set(for: deadline, &sleeps) }
        }
        // The handler below may have been called before there was anything to end.
        if Task.isCancelled { end(number) }
      }
    } onCancel: {
      end(number)
    }
  }

  private func end(_ number: Int) {
    let over = sleeps.withLock { sleeps in
      let over = sleeps.removeAll { $0.number == number }
      if sleeps.all.isEmpty, sleeps.alarm != nil { set(for: nil, &sleeps) }
      return over
    }
    for sleep in over { sleep.continuation.resume() }
  }

  /// Ends the sleeps whose deadline has passed, and sets the timers for the others.
  private func ring() {
    let due = sleeps.withLock { sleeps in
      let now = ContinuousClock.now
      let due = sleeps.removeAll { $0.deadline <= now }
      set(for: sleeps.all.lazy.map(\.deadline).min(), &sleeps)
      return due
    }
    for sleep in due { sleep.continuation.resume() }
  }

  /// Sets the timers, while the sleeps are locked so that the last call is the one that counts.
  private func set(for deadline: ContinuousClock.Instant?, _ sleeps: inout Sleeps) {
    sleeps.alarm = deadline
    guard let deadline else {
      uptime.schedule(deadline: .distantFuture)
      wall.schedule(wallDeadline: .distantFuture)
      return
    }
    let left = max(ContinuousClock.now.duration(to: deadline), .zero) / .seconds(1)
    uptime.schedule(deadline: .now() + left)
    wall.schedule(wallDeadline: timeOfDay() + left)
  }
}
