import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

struct NumberFact: Sendable, Equatable {
  var number = 0
  var fact: String?
  var failure: String?
  var request: Int?

  var isLoading: Bool { request != nil }

  enum Event: Sendable, Equatable {
    case incremented
    case factRequested
    case canceled
    case loaded(String)
    case failed(String)
  }

  @Sendable static func reduce(_ state: inout NumberFact, _ event: Event) {
    switch event {
    case .incremented: state = NumberFact(number: state.number + 1)
    case .factRequested:
      state.request = state.number
      state.failure = nil
    case .canceled: state.request = nil
    case .loaded(let fact):
      state.fact = fact
      state.request = nil
    case .failed(let message):
      state.failure = message
      state.request = nil
    }
  }

  static func facts(
    _ fetch: @escaping @Sendable (Int) async throws -> String
  ) -> Feedback<NumberFact, Event> {
    .react(
      to: \.request, name: "fact",
      effect: { number in .loaded(try await fetch(number)) },
      failure: { error, _ in .failed("\(error)") })
  }
}

@Suite struct NumberFactTests {
  @Test func `A fact is loaded, and another number cancels its request`() {
    let system = TestSystem(
      initialState: NumberFact(), reduce: NumberFact.reduce,
      feedbacks: { clock in
        [
          NumberFact.facts { number in
            try await clock.sleep(for: .seconds(1))
            return "\(number) is a number."
          }
        ]
      })
    system.send(.factRequested) { $0.request = 0 }
    system.send(.incremented) { $0 = NumberFact(number: 1) }
    system.send(.factRequested) { $0.request = 1 }
    system.advance(by: .seconds(1))
    system.receive(.loaded("1 is a number.")) {
      $0.fact = "1 is a number."
      $0.request = nil
    }
    system.finish()
  }

  @Test func `A failure is gone when the fact is requested again`() {
    struct Offline: Error {}
    let system = TestSystem(
      initialState: NumberFact(), reduce: NumberFact.reduce,
      feedbacks: { clock in
        [
          NumberFact.facts { number in
            if clock.now.offset < .seconds(1) { throw Offline() }
            return "\(number) is a number."
          }
        ]
      })
    system.send(.factRequested) { $0.request = 0 }
    system.receive(.failed("Offline()")) {
      $0.failure = "Offline()"
      $0.request = nil
    }
    system.advance(by: .seconds(1))
    system.send(.factRequested) {
      $0.request = 0
      $0.failure = nil
    }
    system.receive(.loaded("0 is a number.")) {
      $0.fact = "0 is a number."
      $0.request = nil
    }
    system.advance(by: .seconds(3_600))
    system.finish()
  }
}
