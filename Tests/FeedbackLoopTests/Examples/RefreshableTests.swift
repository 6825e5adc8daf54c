import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

@Suite struct RefreshableTests {
  /// A refreshable number whose facts take one second, and fail for odd numbers.
  private func system() -> TestSystem<Refreshable, Refreshable.Event> {
    return TestSystem(
      initialState: Refreshable(), reduce: Refreshable.reduce,
      feedbacks: { clock in
        [
          Refreshable.facts { number throws(Refreshable.Failure) in
            try? await clock.sleep(for: .seconds(1))
            guard number.isMultiple(of: 2) else { throw Refreshable.Failure(message: "\(number) is odd") }
            return "\(number) is even"
          }
        ]
      }, exhaustivity: .off)
  }

  @Test func `The indicator is shown until exactly the answer`() {
    let system = system()
    system.send(.refreshed)
    #expect(system.state.isRefreshing)
    system.advance(by: .milliseconds(999))
    #expect(system.state.isRefreshing)
    system.advance(by: .milliseconds(1))
    system.receive(.answered("0 is even", for: Refreshable.Request(number: 0, generation: 1)))
    #expect(!system.state.isRefreshing)
    #expect(system.state.fact == "0 is even")
    system.finish()
  }

  @Test func `T1 with two overlapping refreshes, the answer to the first does not end the second`() {
    let system = system()
    system.send(.refreshed)
    system.advance(by: .milliseconds(600))
    system.send(.refreshed)
    system.advance(by: .milliseconds(600))
    system.expectRunning(["fact": Refreshable.Request(number: 0, generation: 2)])
    #expect(system.state.isRefreshing)
    system.advance(by: .milliseconds(400))
    system.receive(.answered("0 is even", for: Refreshable.Request(number: 0, generation: 2)))
    #expect(!system.state.isRefreshing)
    system.finish()
  }

  @Test func `T2 a failure is shown and ends the refresh`() {
    let system = system()
    system.send(.incremented)
    system.send(.refreshed)
    system.advance(by: .seconds(1))
    system.receive(.failed("1 is odd", for: Refreshable.Request(number: 1, generation: 1)))
    #expect(system.state.failure == "1 is odd")
    #expect(!system.state.isRefreshing)
    system.finish()
  }

  @Test func `T3 an answer for another number is not shown`() {
    let system = system()
    system.send(.refreshed)
    system.send(.incremented)
    system.advance(by: .seconds(1))
    system.receive(.answered("0 is even", for: Refreshable.Request(number: 0, generation: 1)))
    #expect(system.state.fact == nil)
    #expect(!system.state.isRefreshing)
    system.finish()
  }

  @Test func `Canceling stops the request and clears the indicator`() {
    let system = system()
    system.send(.refreshed)
    system.send(.cancelled)
    system.expectRunning([:])
    #expect(!system.state.isRefreshing)
    #expect(system.clock.sleepers == 0)
    system.finish()
  }

  @Test func `T4 a view that awaits its refresh is resumed by an answer, a cancel event and its own end`()
    async
  {
    let gate = Gate()
    let system = FeedbackSystem<Refreshable, Refreshable.Event>(
      initialState: Refreshable(), reduce: Refreshable.reduce,
      feedbacks: [
        Refreshable.facts { number in
          await gate.wait()
          return "\(number)"
        }
      ])
    system.start()
    // Its own end: the awaiting task is canceled, like that of a view that disappears.
    let view = Task { await system.send(.refreshed, while: \.isRefreshing, onCancel: .cancelled) }
    _ = await system.wait(while: { !$0.isRefreshing })
    view.cancel()
    #expect(await view.value == .cancelled)
    #expect(!system.state.isRefreshing)
    // A cancel event from elsewhere.
    async let cancelled = system.send(.refreshed, while: \.isRefreshing)
    _ = await system.wait(while: { !$0.isRefreshing })
    system.send(.cancelled)
    #expect(await cancelled == .settled)
    // An answer.
    gate.open()
    #expect(await system.send(.refreshed, while: \.isRefreshing) == .settled)
    #expect(system.state.fact == "0")
  }
}
