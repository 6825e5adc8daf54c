/// A two-way binding: one effect from start to stop, which receives the states as a sequence.
struct Binding<State: Sendable, Event: Sendable>: FeedbackInstance {
  private let delivery: Delivery
  private let body: @Sendable (AsyncStream<State>, Emit<Event>) async -> Void
  private var continuation: AsyncStream<State>.Continuation?

  init(delivery: Delivery, body: @escaping @Sendable (AsyncStream<State>, Emit<Event>) async -> Void) {
    self.delivery = delivery
    self.body = body
  }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    guard continuation == nil else { return nil }
    let (states, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: delivery.buffering())
    self.continuation = continuation
    let start = Start<Event>(
      lifetime: context.newLifetime(), depth: context.depth, repeats: 0,
      query: { Always().description },
      run: { [body] emit in
        await body(states, emit)
        return nil
      })
    return Step(starts: [start])
  }

  mutating func observe(_ state: State) {
    continuation?.yield(state)
  }

  func finish() {
    continuation?.finish()
  }
}
