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
    Scope(source: SystemScope(system: self, state: state, event: event))
  }

  func states<ScopeState: Sendable>(
    of state: @escaping @Sendable (State) -> ScopeState, _ delivery: Delivery
  ) -> AsyncStream<ScopeState> {
    cell.assertNotReducing()
    let ticket = inbox.newTicket()
    let (stream, subscriber) = Subscriber.make(
      delivery, from: cell.source.map(state), listeners: cell.listeners,
      onTermination: { [weak inbox] in inbox?.post(.unsubscribe(ticket)) })
    inbox.post(.subscribe(ticket, subscriber.lifted(state)))
    return stream
  }
}

/// A part of a system: a part of its state and some of its events. See ``FeedbackSystem/scoped(state:event:)``.
public struct Scope<State: Sendable, Event: Sendable>: Sendable {
  let source: any ScopeSource<State, Event>

  /// The current state. See ``FeedbackSystem/state``.
  public var state: State { source.state }

  /// Queues an event. See ``FeedbackSystem/send(_:)``.
  public func send(_ event: Event) { source.send(event) }

  /// Sends an event and waits while a condition holds. See ``FeedbackSystem/send(_:while:onCancel:)``.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ event: Event, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event? = nil
  ) async -> Outcome {
    await source.wait(sending: event, while: condition, onCancel: onCancel)
  }

  /// Waits while a condition holds. See ``FeedbackSystem/wait(while:)``.
  public nonisolated(nonsending) func wait(
    while condition: @escaping @Sendable (State) -> Bool
  ) async -> Outcome {
    await source.wait(sending: nil, while: condition, onCancel: nil)
  }

  /// The states from now on, one for each state of the system, even if this part did not change. See
  /// ``FeedbackSystem/states(_:)``; for changes, use ``select(_:_:)``.
  public func states(_ delivery: Delivery = .latest) -> AsyncStream<State> { source.states(delivery) }

  /// The values of a part of the state, without repeats. See ``FeedbackSystem/select(_:_:)``.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery = .latest
  ) -> AsyncStream<Value> {
    source.select(value, delivery)
  }

  /// A part of this part.
  public func scoped<PartState: Sendable, PartEvent: Sendable>(
    state: @escaping @Sendable (State) -> PartState, event: @escaping @Sendable (PartEvent) -> Event
  ) -> Scope<PartState, PartEvent> {
    source.scoped(state, event)
  }
}

/// A system as a scope sees it, without the types of the system.
protocol ScopeSource<State, Event>: Sendable {
  associatedtype State: Sendable
  associatedtype Event: Sendable

  var state: State { get }
  func send(_ event: Event)
  @MainActor func sendOnMainActor(_ event: Event)
  nonisolated(nonsending) func wait(
    sending event: Event?, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event?
  ) async -> Outcome
  func states(_ delivery: Delivery) -> AsyncStream<State>
  func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery
  ) -> AsyncStream<Value>
  func scoped<PartState: Sendable, PartEvent: Sendable>(
    _ state: @escaping @Sendable (State) -> PartState, _ event: @escaping @Sendable (PartEvent) -> Event
  ) -> Scope<PartState, PartEvent>
}

private struct SystemScope<State: Sendable, Event: Sendable, Whole: Sendable, WholeEvent: Sendable>:
  ScopeSource
{
  let system: FeedbackSystem<Whole, WholeEvent>
  let part: @Sendable (Whole) -> State
  let event: @Sendable (Event) -> WholeEvent

  init(
    system: FeedbackSystem<Whole, WholeEvent>, state: @escaping @Sendable (Whole) -> State,
    event: @escaping @Sendable (Event) -> WholeEvent
  ) {
    self.system = system
    part = state
    self.event = event
  }

  var state: State { part(system.state) }

  func send(_ event: Event) { system.send(self.event(event)) }

  @MainActor func sendOnMainActor(_ event: Event) {
    system.inbox.postOnMainActor(.sent(self.event(event)))
  }

  nonisolated(nonsending) func wait(
    sending event: Event?, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event?
  ) async -> Outcome {
    await system.wait(
      sending: event.map(self.event), while: { [part] in condition(part($0)) },
      onCancel: onCancel.map(self.event))
  }

  func states(_ delivery: Delivery) -> AsyncStream<State> { system.states(of: part, delivery) }

  func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery
  ) -> AsyncStream<Value> {
    system.select({ [part] in value(part($0)) }, delivery)
  }

  func scoped<PartState: Sendable, PartEvent: Sendable>(
    _ state: @escaping @Sendable (State) -> PartState, _ event: @escaping @Sendable (PartEvent) -> Event
  ) -> Scope<PartState, PartEvent> {
    system.scoped(
      state: { [part] in state(part($0)) }, event: { [embed = self.event] in embed(event($0)) })
  }
}
