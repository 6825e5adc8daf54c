import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

struct SlowCounter: Sendable, Equatable {
  var value = 0
  var change: Int?
  @Pulse var alert: String?

  var isLoading: Bool { change != nil }

  enum Event: Sendable, Equatable {
    case increase
    case decrease
    case changed(by: Int)
  }

  @Sendable static func reduce(_ state: inout SlowCounter, _ event: Event) {
    switch event {
    // The buttons are disabled while it is loading.
    case .increase, .decrease: if !state.isLoading { state.change = event == .increase ? 1 : -1 }
    case .changed(let change):
      state.value += change
      state.change = nil
      state.alert = change > 0 ? "increased!" : "decreased!"
    }
  }

  static func changing(_ clock: any Clock<Duration> = ContinuousClock()) -> Feedback<SlowCounter, Event> {
    .react(to: \.change, name: "change") { change in
      try? await clock.sleep(for: .milliseconds(500))
      return .changed(by: change)
    }
  }
}

@Suite struct SlowCounterTests {
  @Test func `The value changes after half a second, and an alert is shown each time`() {
    let clock = ManualClock()
    let counter = TestSystem(
      initialState: SlowCounter(), reduce: SlowCounter.reduce, feedbacks: [SlowCounter.changing(clock)],
      clock: clock, report: TestFailure.record)
    let alerts = counter.pulses(\.$alert)
    for value in 1...2 {
      counter.send(.increase) { $0.change = 1 }
      counter.advance(by: .milliseconds(500))
      counter.receive(.changed(by: 1), from: "change") {
        $0.value = value
        $0.change = nil
        $0.alert = "increased!"
      }
    }
    #expect(alerts.received() == ["increased!", "increased!"])
    counter.finish()
  }
}
