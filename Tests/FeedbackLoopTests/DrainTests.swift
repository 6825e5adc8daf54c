import FeedbackLoopTesting
import Testing

@testable import FeedbackLoop

@Suite struct DrainTests {
  private let executor = ManualExecutor()

  /// A system whose state is the number of its events; a clock that stands still unless `step` moves it.
  private func counter(
    draining: Draining = .sender, feedbacks: [Feedback<Int, Int>] = [], clock: ManualClock = ManualClock()
  ) -> FeedbackSystem<Int, Int> {
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 }, feedbacks: feedbacks, guard: LoopGuard(clock: clock),
      executor: executor, draining: draining)
    system.start()
    return system
  }

  @Test func `A thread works for others for at most 256 items and leaves the rest to the executor`() {
    let late = DeferredReference<FeedbackSystem<Int, Int>>()
    let system = counter(feedbacks: [
      .observe { state in if state == 1 { for _ in 0..<1_000 { late.value?.send(1) } } }
    ])
    late.value = system
    system.send(1)
    #expect(system.state == 1 + 256)
    executor.runUntilIdle(limit: 1)
    #expect(system.state == 1 + 2 * 256)
    executor.runUntilIdle()
    #expect(system.state == 1_001)
  }

  @Test func `A thread works for others for at most one millisecond`() {
    let late = DeferredReference<FeedbackSystem<Int, Int>>()
    let (clock, executor) = (ManualClock(), executor)
    let system = counter(
      feedbacks: [
        .observe { state in
          if state == 1 { for _ in 0..<100 { late.value?.send(1) } }
          clock.advance(by: .microseconds(200), running: ManualExecutor())
        }
      ], clock: clock)
    late.value = system
    system.send(1)
    #expect(system.state == 1 + 5)
    executor.runUntilIdle()
    #expect(system.state == 101)
  }

  @Test func `While the rest waits for the executor, other threads only append, in order`() {
    let late = DeferredReference<FeedbackSystem<[Int], Int>>()
    let system = FeedbackSystem<[Int], Int>(
      initialState: [], reduce: { $0.append($1) },
      feedbacks: [.observe { state in if state == [0] { for n in 1...300 { late.value?.send(n) } } }],
      guard: LoopGuard(clock: ManualClock()), executor: executor)
    late.value = system
    system.start()
    system.send(0)
    #expect(system.state.count == 257)
    system.send(301)
    #expect(system.state.count == 257)
    executor.runUntilIdle()
    #expect(system.state == Array(0...301))
  }

  @Test @MainActor func `A system that drains on the main actor calls its observers there`() async {
    let seen = Log<Int>()
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [
        .observe { state in
          MainActor.assumeIsolated { seen.add(state) }
        }
      ], draining: .mainActor)
    system.start()
    let sender = Task.detached { system.send(1) }
    await sender.value
    #expect(await system.wait(while: { $0 == 0 }) == .settled)
    #expect(seen.all == [0, 1])
  }
}
