public import Locking

/// The state of a system and the only function that changes it.
@usableFromInline
final class StateCell<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let state: Lock<StateVersion<State>>
  @usableFromInline let reduce: @Sendable (inout State, Event) -> Void
  /// Whether a subscriber waits for the next state; see ``StateSignal``.
  @usableFromInline let listeners = Flag()

  init(_ initialState: State, reduce: @escaping @Sendable (inout State, Event) -> Void) {
    state = Lock(StateVersion(state: initialState))
    self.reduce = reduce
  }

  @inlinable var current: State {
    assertNotReducing()
    return state.withLock { $0.state }
  }

  /// The current state and its number, for observers that read it when they are ready.
  @usableFromInline var source: StateSource<State> { StateSource { self.state.withLock { $0 } } }

  /// Reduces one event inside the state lock and returns a copy of the new state.
  @inlinable
  func apply(_ event: Event) -> State {
    state.withLock { version in
      reduce(&version.state, event)
      version.number &+= 1
      return version.state
    }
  }

  /// Whether this thread is reducing. Blocks while another one is.
  @usableFromInline var isReducing: Bool { state.isHeldByCurrentThread }

  /// Traps in a debug build if a reducer uses the system that runs it.
  @inlinable
  func assertNotReducing() {
    assert(
      !isReducing,
      """
      A reducer used its own FeedbackSystem. reduce must be a function of its state and event alone, and what is passed \
      to withState one of its state. For an effect, put a request into the state and perform it in a Feedback.
      """)
  }
}

/// A state and the number of events before it.
@usableFromInline
struct StateVersion<State: Sendable>: Sendable {
  @usableFromInline var state: State
  @usableFromInline var number: UInt64 = 0
}

/// The source from which an observer reads the state when it is ready.
///
/// If an observer retained a state until then, the next change would copy the collections in it.
@usableFromInline
struct StateSource<State: Sendable>: Sendable {
  /// Returns `nil` if the state no longer exists, for example that of a child that was removed.
  let current: @Sendable () -> StateVersion<State>?

  /// The source of an optional part of the state.
  func map<Part: Sendable>(_ part: @escaping @Sendable (State) -> Part?) -> StateSource<Part> {
    StateSource<Part> { [current] in
      guard let version = current(), let part = part(version.state) else { return nil }
      return StateVersion(state: part, number: version.number)
    }
  }
}
