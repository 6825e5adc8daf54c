import FeedbackLoop
import FeedbackLoopTesting
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
