import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct AwaitTests {
  private struct Screen: Sendable, Equatable {
    var isLoading = false
    var loads = 0
    var cancels = 0
  }

  private enum Event: Sendable { case refresh, loaded, cancel }

  /// Refreshing requests a load, which ends when the gate opens.
  private static func system(_ gate: Gate) -> FeedbackSystem<Screen, Event> {
    let system = FeedbackSystem<Screen, Event>(
      initialState: Screen(),
      reduce: { state, event in
        switch event {
        case .refresh: state.isLoading = true
        case .loaded:
          state.isLoading = false
          state.loads += 1
        case .cancel:
          state.isLoading = false
          state.cancels += 1
        }
      },
      feedbacks: [
        .react(to: { $0.isLoading ? true : nil }) { _ in
          await gate.wait()
          return .loaded
        }
      ])
    system.start()
    return system
  }

  @Test func `W1 send(while:) waits from the state after that event was reduced`() async {
    let gate = Gate()
    let system = Self.system(gate)
    async let outcome = system.send(.refresh, while: \.isLoading)
    _ = await system.wait(while: { !$0.isLoading })
    gate.open()
    #expect(await outcome == .settled)
    #expect(system.state == Screen(loads: 1))
  }

  @Test func `W2 waiting for a condition that is already false returns at once`() async {
    let system = Self.system(Gate())
    #expect(await system.send(.cancel, while: \.isLoading) == .settled)
    #expect(await system.wait(while: \.isLoading) == .settled)
    #expect(system.state == Screen(cancels: 1))
  }

  @Test(arguments: 0..<20)
  func `W3 canceling the waiter returns .cancelled after onCancel was reduced`(_: Int) async {
    let system = Self.system(Gate())
    let waiter = Task { await system.send(.refresh, while: \.isLoading, onCancel: .cancel) }
    _ = await system.wait(while: { !$0.isLoading })
    waiter.cancel()
    #expect(await waiter.value == .cancelled)
    #expect(system.state == Screen(cancels: 1))
  }

  @Test func `W3 onCancel is reduced before the waiter resumes`() async {
    let system = Self.system(Gate())
    // On this executor, the waiter continues within the very call that resumes it.
    let waiter = Task(executorPreference: EagerExecutor()) {
      _ = await system.send(.refresh, while: \.isLoading, onCancel: .cancel)
      return system.state
    }
    _ = await system.wait(while: { !$0.isLoading })
    waiter.cancel()
    #expect(await waiter.value == Screen(cancels: 1))
  }

  @Test func `W3 a task that was already canceled sends neither event`() async {
    let system = Self.system(Gate())
    let gate = Gate()
    let waiter = Task {
      await gate.wait()
      return await system.send(.refresh, while: \.isLoading, onCancel: .cancel)
    }
    waiter.cancel()
    gate.open()
    #expect(await waiter.value == .cancelled)
    #expect(system.state == Screen())
  }

  @Test(arguments: 0..<20)
  func `W3 canceling at any moment leaves the system not loading and without a waiter`(_: Int) async {
    let system = Self.system(Gate())
    let waiter = Task { await system.send(.refresh, while: \.isLoading, onCancel: .cancel) }
    waiter.cancel()
    #expect(await waiter.value == .cancelled)
    #expect(!system.state.isLoading)
    #expect(system.state.cancels <= 1)
  }

  @Test func `W3 canceling a waiter that has settled sends nothing`() async {
    let gate = Gate()
    let system = Self.system(gate)
    let waiter = Task {
      let outcome = await system.send(.refresh, while: \.isLoading, onCancel: .cancel)
      await untilCancelled()
      return outcome
    }
    gate.open()
    _ = await system.wait(while: { $0.loads == 0 })
    waiter.cancel()
    #expect(await waiter.value == .settled)
    #expect(system.state == Screen(loads: 1))
  }

  @Test func `W4 waiting returns .stopped while the system stops and afterwards`() async {
    let system = Self.system(Gate())
    async let outcome = system.send(.refresh, while: \.isLoading)
    _ = await system.wait(while: { !$0.isLoading })
    system.stop()
    #expect(await outcome == .stopped)
    #expect(await system.send(.refresh, while: \.isLoading) == .stopped)
  }

  @Test func `W5 fifty concurrent waiters all resume`() async {
    let gate = Gate()
    let system = Self.system(gate)
    let settled = await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<50 {
        group.addTask { await system.send(.refresh, while: \.isLoading) }
      }
      gate.open()
      return await group.reduce(into: 0) { count, outcome in count += outcome == .settled ? 1 : 0 }
    }
    #expect(settled == 50)
  }

  @Test func `A waiter added before the start resumes after the initial state and earlier events`() async {
    let executor = ManualExecutor()
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 }, executor: executor)
    let waiter = Task(executorPreference: executor) { await system.send(5, while: { $0 < 6 }) }
    executor.runUntilIdle()
    #expect(system.state == 0)
    system.start()
    #expect(system.state == 5)
    system.send(1)
    executor.runUntilIdle()
    #expect(await waiter.value == .settled)
  }

  @Test func `A waiter on a system that has not been started resumes when its task is canceled`() {
    let executor = ManualExecutor()
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 }, executor: executor)
    let outcomes = Log<Outcome>()
    let waiter = Task(executorPreference: executor) {
      outcomes.add(await system.send(5, while: { _ in true }, onCancel: 10))
    }
    executor.runUntilIdle()
    waiter.cancel()
    executor.runUntilIdle()
    #expect(outcomes.all == [.cancelled])
    system.start()
    #expect(system.state == 15)
  }
}
