/// The state of a system and the only function that changes it.
@usableFromInline
final class StateCell<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let state: Lock<State>
  @usableFromInline let reduce: @Sendable (inout State, Event) -> Void

  init(_ initialState: State, reduce: @escaping @Sendable (inout State, Event) -> Void) {
    state = Lock(initialState)
    self.reduce = reduce
  }

  @inlinable var current: State {
    assertNotReducing()
    return state.withLock { $0 }
  }

  /// Reduces one event inside the state lock and returns a copy of the new state.
  @inlinable
  func apply(_ event: Event) -> State {
    state.withLock { state in
      reduce(&state, event)
      return state
    }
  }

  /// Traps in a debug build if a reducer uses the system that runs it.
  @inlinable
  func assertNotReducing() {
    assert(
      !state.isHeldByCurrentThread,
      """
      A reducer used its own FeedbackSystem. reduce must be a function of its state and event alone. For an \
      effect, put a request into the state and perform it in a Feedback.
      """)
  }
}
