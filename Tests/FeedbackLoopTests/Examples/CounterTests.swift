import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// The smallest system, without any feedback.
private enum Counter {
  enum Event: Sendable, Equatable { case increment, decrement }

  @Sendable static func reduce(_ count: inout Int, _ event: Event) {
    switch event {
    case .increment: count += 1
    case .decrement: count -= 1
    }
  }
}

@Suite struct CounterTests {
  @Test func `A counter counts up and down`() {
    let counter = FeedbackSystem<Int, Counter.Event>(initialState: 0, reduce: Counter.reduce)
    counter.start()
    counter.send(.increment)
    counter.send(.increment)
    counter.send(.decrement)
    #expect(counter.state == 1)
  }

  @Test func `A counter can be tested event by event`() {
    let counter = TestSystem<Int, Counter.Event>(initialState: 0, reduce: Counter.reduce)
    counter.send(.increment) { $0 = 1 }
    counter.send(.decrement) { $0 = 0 }
    counter.finish()
  }
}
