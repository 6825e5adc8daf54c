import Dispatch
import Locking
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Tests sleeping without the runtime's thread pool.
@Suite(.timeLimit(.minutes(2))) struct AlarmClockTests {
  /// A clock that is set by hand.
  private final class HandClock: Clock {
    private let time = Lock(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
  }

  @Test
  func `[D58] The run's clock starts with the time of day and continues like the clock used for waiting.`() {
    let clock = HandClock()
    let now = Dependencies.live(at: 1_790_000_000, by: clock).now
    #expect(now() == 1_790_000_000)
    clock.advance(by: .milliseconds(41_500))
    #expect(now() == 1_790_000_041.5)
    clock.advance(by: .seconds(86_400))
    #expect(now() == 1_790_086_441.5)
  }

  /// Sleeps for some time, and is canceled after some turns of other tasks, if any. True when the sleep ends as
  /// expected: with the time passed, or canceled.
  private func endsWell(_ time: Duration, by clock: AlarmClock, cancelledAfter turns: Int?) async -> Bool {
    let deadline = clock.now + time
    let sleeper = Task(executorPreference: Workers.shared) {
      try await clock.sleep(until: deadline, tolerance: nil)
      return clock.now
    }
    if let turns {
      for _ in 0..<turns { await Task.yield() }
      sleeper.cancel()
    }
    switch await sleeper.result {
    case .success(let end): return end >= deadline
    case .failure(let error): return error is CancellationError && turns != nil
    }
  }

  @Test(arguments: [false, true])
  func `Sleeps that are canceled at any moment all end, either canceled or with their time passed.`(
    shareClock: Bool
  ) async {
    let shared = AlarmClock()
    var random = SeededGenerator(seed: 11)
    let good = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<3_000 {
        let time = Duration.microseconds(Int.random(in: 0...2_000, using: &random))
        let turns = number.isMultiple(of: 5) ? nil : Int.random(in: 0...30, using: &random)
        let clock = shareClock ? shared : AlarmClock()
        group.addTask(executorPreference: Workers.shared) {
          await endsWell(time, by: clock, cancelledAfter: turns)
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(good == 3_000)
  }

  @Test func `A short sleep ends before a long one that began earlier, which can still be canceled.`()
    async throws
  {
    let clock = AlarmClock()
    let start = clock.now
    let long = Task { try await clock.sleep(until: start + .seconds(86_400), tolerance: nil) }
    let canceled = Task { try await clock.sleep(until: start + .seconds(3_600), tolerance: nil) }
    for time in [20, 5, 10] { try await clock.sleep(until: start + .milliseconds(time), tolerance: nil) }
    #expect(clock.now >= start + .milliseconds(20))
    canceled.cancel()
    await #expect(throws: CancellationError.self) { try await canceled.value }
    try await clock.sleep(until: clock.now + .milliseconds(1), tolerance: nil)
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
  }

  @Test func `A task that is already canceled does not sleep.`() async {
    let sleeper = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await AlarmClock().sleep(for: .seconds(86_400))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func `A sleep until a past time returns at once, or throws if the task is canceled.`() async throws {
    let clock = AlarmClock()
    try await clock.sleep(until: clock.now - .seconds(86_400), tolerance: nil)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: clock.now, tolerance: nil)
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func `A sleep ends even if the time of day is set back by a day.`() async throws {
    // A timer for the time of day would fire in a day.
    let clock = AlarmClock(timeOfDay: { .now() + 86_400.0 })
    let deadline = clock.now + .milliseconds(5)
    try await clock.sleep(until: deadline, tolerance: nil)
    #expect(clock.now >= deadline)
  }

  @Test func `A sleep does not end early even if the time of day is set forward by a day.`() async throws {
    // A timer for the time of day fires at once.
    let clock = AlarmClock(timeOfDay: { .now() - 86_400.0 })
    let deadline = clock.now + .milliseconds(50)
    try await clock.sleep(until: deadline, tolerance: nil)
    #expect(clock.now >= deadline)
  }
}
