import FeedbackLoop
import FeedbackLoopTesting
import Observation
import Testing

@MainActor @Suite struct MainActorTests {
  private struct Screen: Sendable, Equatable {
    var count = 0
    var other = 0
  }

  private enum Event: Sendable { case increment, other }

  private static func system(_ draining: Draining) -> FeedbackSystem<Screen, Event> {
    let system = FeedbackSystem<Screen, Event>(
      initialState: Screen(),
      reduce: { state, event in
        switch event {
        case .increment: state.count += 1
        case .other: state.other += 1
        }
      }, draining: draining)
    system.start()
    return system
  }

  @Test(arguments: [Draining.sender, .mainActor])
  func `send on the main actor returns with the new state`(draining: Draining) async {
    let system = Self.system(draining)
    _ = await system.wait(while: { _ in false })
    let store = FeedbackStore(system)
    store.send(.increment)
    #expect(store.state.count == 1)
  }

  @Test func `A change by another thread is announced to those who read the state, on the main actor`() async
  {
    let system = Self.system(.sender)
    let store = FeedbackStore(system.scoped(state: \.count, event: { (event: Event) in event }))
    await withCheckedContinuation { continuation in
      withObservationTracking {
        #expect(store.state == 0)
      } onChange: {
        MainActor.assumeIsolated { continuation.resume() }
      }
      Task.detached { system.send(.increment) }
    }
    #expect(await store.send(.other, while: { $0 == 0 }) == .settled)
    #expect(store.state == 1)
  }

  @Test func `A state that is equal to the last one is not announced`() {
    let system = Self.system(.sender)
    let store = FeedbackStore(system.scoped(state: \.count, event: { (event: Event) in event }))
    let changes = Log<Int>()
    withObservationTracking {
      _ = store.state
    } onChange: {
      changes.add(1)
    }
    store.send(.other)
    #expect(changes.all == [])
    store.send(.increment)
    #expect(changes.all == [1])
  }

  @Test func `A store does not keep itself alive, and keeps its system`() {
    weak var released: FeedbackStore<Screen, Event>?
    weak var system: FeedbackSystem<Screen, Event>?
    do {
      let store = FeedbackStore(Self.system(.sender))
      let next = Self.system(.sender)
      system = next
      released = store
      #expect(released != nil && system != nil)
    }
    #expect(released == nil)
    #expect(system == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `observe on the main actor is called there, and ends with the last state`() async {
    let seen = AsyncStream.makeStream(of: Int.self)
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [
        .observe(onMainActor: { state in
          MainActor.assertIsolated()
          seen.continuation.yield(state)
        }),
        .bind { states, _ in for await _ in states {} },
      ])
    system.start()
    for _ in 0..<100 { system.send(1) }
    // Waiting ends when the time limit cancels the test.
    var last = 0
    for await state in seen.stream {
      last = state
      if last == 100 { break }
    }
    #expect(last == 100)
  }
}
