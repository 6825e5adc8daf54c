import Dispatch
import Glibc
import Locking

/// A clock that advances only when the replay does, until it is released.
struct ReplayClock: Clock {
  private struct Sleep {
    let deadline: Duration
    let end: AsyncStream<Void>.Continuation
  }

  private struct State {
    var elapsed = Duration.zero
    var sleeps: [Sleep] = []
    /// When it was released.
    var releasedAt: ContinuousClock.Instant?
  }

  private let state = Lock(State())
  private let start = ContinuousClock.now
  private let alarm = AlarmClock()

  var now: ContinuousClock.Instant {
    start + state.withLock { $0.elapsed + ($0.releasedAt?.duration(to: .now) ?? .zero) }
  }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    while now < deadline {
      try Task.checkCancellation()
      if state.withLock({ $0.releasedAt != nil }) {
        try await alarm.sleep(for: now.duration(to: deadline))
      } else {
        await rest(until: start.duration(to: deadline))
      }
    }
    try Task.checkCancellation()
  }

  private func rest(until deadline: Duration) async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    state.withLock { state in
      if state.releasedAt != nil || state.elapsed >= deadline {
        end.finish()
      } else {
        state.sleeps.append(Sleep(deadline: deadline, end: end))
      }
    }
    for await _ in ends {}
  }

  private func end(_ isOver: (Sleep) -> Bool) {
    let over = state.withLock { state in
      let over = state.sleeps.filter(isOver)
      state.sleeps.removeAll(where: isOver)
      return over
    }
    for sleep in over { sleep.end.finish() }
  }

  /// Advances to the first alarm until then. False if there is none.
  func ring(before time: Duration) -> Bool {
    let first = state.withLock { $0.sleeps.lazy.map(\.deadline).min() }
    guard let first, first <= time else { return false }
    advance(to: first)
    return true
  }

  func advance(to time: Duration) {
    let elapsed = state.withLock { state in
      state.elapsed = max(state.elapsed, time)
      return state.elapsed
    }
    end { $0.deadline <= elapsed }
  }

  /// Lets the clock advance in real time.
  func release() {
    state.withLock { $0.releasedAt = $0.releasedAt ?? .now }
    end { _ in true }
  }
}

/// Runs the tasks of a replay one after another.
final class ReplayWorker: TaskExecutor {
  private let queue = DispatchQueue(label: "riffle.replay")
  /// The number of jobs that wait or run.
  private let unfinished = Lock(0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    unfinished.withLock { $0 += 1 }
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      unfinished.withLock { $0 -= 1 }
    }
  }

  /// Waits, but not without end, until no job waits or runs.
  func waitUntilIdle() {
    let end = ContinuousClock.now + .seconds(10)
    while unfinished.withLock({ $0 }) > 0, ContinuousClock.now < end { usleep(100) }
  }
}
