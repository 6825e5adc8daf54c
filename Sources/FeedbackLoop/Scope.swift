extension FeedbackSystem {
  /// The part of the system that one screen needs: a part of the state, and the events the screen may send.
  ///
  /// ```swift
  /// let search = system.scoped(state: \.search, event: AppEvent.search)
  /// search.send(.typed("swift"))
  /// for await state in search.states() { show(state) }
  /// ```
  ///
  /// A scope is a view of the system: it keeps the system alive, holds no state, and costs nothing per event. For
  /// feedbacks of a part, see ``Feedback/pullback(state:event:)``.
  ///
  /// - Parameters:
  ///   - state: Returns the part. It must be fast and must not block.
  ///   - event: Embeds an event.
  public func scoped<ScopeState: Sendable, ScopeEvent: Sendable>(
    state: @escaping @Sendable (State) -> ScopeState, event: @escaping @Sendable (ScopeEvent) -> Event
  ) -> Scope<ScopeState, ScopeEvent> {
    Scope(self).scoped(state: state, event: event)
  }
}

/// A part of a system: a part of its state and some of its events. See ``FeedbackSystem/scoped(state:event:)``.
public struct Scope<State: Sendable, Event: Sendable>: Sendable {
  private let current: @Sendable () -> State
  private let post: @Sendable (Event) -> Void
  let postOnMainActor: @MainActor @Sendable (Event) -> Void
  private let wait:
    nonisolated(nonsending) @Sendable (
      _ sent: Event?, _ condition: @escaping @Sendable (State) -> Bool, _ onCancel: Event?
    ) async -> Outcome
  let observers: Observers<State>

  /// The current state. See ``FeedbackSystem/state``.
  public var state: State { current() }

  /// Queues an event. See ``FeedbackSystem/send(_:)``.
  public func send(_ event: Event) { post(event) }

  /// Sends an event and waits while a condition holds. See ``FeedbackSystem/send(_:while:onCancel:)``.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ event: Event, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event? = nil
  ) async -> Outcome {
    await wait(event, condition, onCancel)
  }

  /// Waits while a condition holds. See ``FeedbackSystem/wait(while:)``.
  public nonisolated(nonsending) func wait(
    while condition: @escaping @Sendable (State) -> Bool
  ) async -> Outcome {
    await wait(nil, condition, nil)
  }

  /// The states from now on, one for each state of the system, even if this part did not change. See
  /// ``FeedbackSystem/states(_:)``; for changes, use ``select(_:_:)``.
  public func states(_ delivery: Delivery = .latest) -> AsyncStream<State> { observers.states(delivery) }

  /// The values of a part of the state, without repeats. See ``FeedbackSystem/select(_:_:)``.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery = .latest
  ) -> AsyncStream<Value> {
    observers.select(value, delivery) { $0 == $1 }
  }

  /// A part of this part.
  public func scoped<PartState: Sendable, PartEvent: Sendable>(
    state: @escaping @Sendable (State) -> PartState, event: @escaping @Sendable (PartEvent) -> Event
  ) -> Scope<PartState, PartEvent> {
    Scope<PartState, PartEvent>(
      current: { [current] in state(current()) },
      post: { [post] in post(event($0)) },
      postOnMainActor: { [postOnMainActor] in postOnMainActor(event($0)) },
      wait: { [wait] sent, condition, onCancel in
        await wait(sent.map(event), { condition(state($0)) }, onCancel.map(event))
      },
      observers: observers.map(state))
  }
}

extension Scope {
  /// The whole system.
  init(_ system: FeedbackSystem<State, Event>) {
    current = { system.state }
    post = { system.send($0) }
    postOnMainActor = { system.inbox.postOnMainActor(.sent($0)) }
    wait = { await system.wait(sending: $0, while: $1, onCancel: $2) }
    observers = system.observers
  }
}
