/// A feedback that only observes states.
struct Observation<State: Sendable, Event: Sendable>: FeedbackInstance {
  let body: @Sendable (State) -> Void

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? { nil }

  mutating func observe(_ state: State) {
    body(state)
  }
}
