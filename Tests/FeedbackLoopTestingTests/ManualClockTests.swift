import FeedbackLoop
import FeedbackLoopTesting
import Locking
import Testing

@Suite struct ManualClockTests {
  @Test func `Sleeping tasks wake in the order of their deadlines`() {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let lines = Lock<[String]>([])
    for seconds in [3, 1, 2, 1] {
      Task(executorPreference: executor) {
        try await clock.sleep(for: .seconds(seconds))
        lines.withLock { $0.append("\(seconds) at \(clock.now.offset)") }
      }
    }
    clock.advance(by: .milliseconds(2_500), running: executor)
    #expect(lines.withLock { $0 } == ["1 at 1.0 seconds", "1 at 1.0 seconds", "2 at 2.0 seconds"])
    #expect(clock.sleepers == 1)
    #expect(clock.now.offset == .milliseconds(2_500))
    clock.advance(by: .seconds(1), running: executor)
    #expect(clock.sleepers == 0)
  }

  @Test func `Of thousands of sleepers, some of them canceled, all others wake in order`() {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let woken = Lock<[Int]>([])
    // 37 and 1,009 have no common divisor, so the deadlines are spread, and each is used more than once.
    let deadlines = (0..<3_000).map { $0 * 37 % 1_009 + 1 }
    let tasks = deadlines.enumerated().map { index, deadline in
      Task(executorPreference: executor) {
        try await clock.sleep(for: .milliseconds(deadline))
        woken.withLock { $0.append(index) }
      }
    }
    executor.runUntilIdle()
    for (index, task) in tasks.enumerated() where index % 3 > 0 { task.cancel() }
    executor.runUntilIdle()
    #expect(clock.sleepers == 1_000)
    clock.advance(by: .seconds(2), running: executor)
    let expected = deadlines.indices.filter { $0 % 3 == 0 }
      .sorted { (deadlines[$0], $0) < (deadlines[$1], $1) }
    #expect(woken.withLock { $0 } == expected)
    #expect(clock.sleepers == 0)
  }

  @Test func `Advancing the clock returns how many jobs ran`() {
    let executor = ManualExecutor()
    let clock = ManualClock()
    Task(executorPreference: executor) {
      for _ in 1...3 { try await clock.sleep(for: .seconds(1)) }
    }
    #expect(clock.advance(by: .seconds(2), running: executor) == 3)
    #expect(clock.advance(by: .zero, running: executor) == 0)
    #expect(clock.advance(by: .seconds(9), running: executor) == 1)
  }

  @Test func `A canceled sleep throws and is forgotten`() async {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let task = Task(executorPreference: executor) { try await clock.sleep(for: .seconds(1)) }
    executor.runUntilIdle()
    #expect(clock.sleepers == 1)
    task.cancel()
    executor.runUntilIdle()
    #expect(clock.sleepers == 0)
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `A sleep in a canceled task throws at once`() async {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let task = Task(executorPreference: executor) { try await clock.sleep(for: .seconds(1)) }
    task.cancel()
    executor.runUntilIdle()
    #expect(clock.sleepers == 0)
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
