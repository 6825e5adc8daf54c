/// Everything that can happen to a system, in the order in which it happened.
///
/// Subscriptions and waiters are items like events are, so that one order covers all of them: a subscriber has no gap
/// and no duplicate at its beginning, and there is no second lock to take in the wrong order.
@usableFromInline
enum Item<State: Sendable, Event: Sendable>: Sendable {
  case start
  case stop
  /// An event from outside: somebody called `send`.
  case sent(Event)
  /// An event from a running effect.
  case emitted(Event, Lifetime)
  /// An effect returned, possibly with a last event.
  case returned(Event?, Lifetime)
  /// The event into which the application turned a trip of the loop guard.
  case tripped(Event, Origin)
  case subscribe(Ticket, any Subscriber<State>)
  case unsubscribe(Ticket)
  case wait(Ticket, Waiter<State>)
  /// The task of a waiter was cancelled; the event is what the waiter asked to post in that case.
  case cancelWait(Ticket, Event?)
  case awaitEnd(Ticket, CheckedContinuation<[RunningEffect], Never>)
  case cancelAwaitEnd(Ticket)
  /// Somebody asks which effects are running.
  case report(@Sendable ([RunningEffect]) -> Void)
}

/// Identifies one run of one effect, from its start until its query is left.
@usableFromInline
typealias Lifetime = UInt64

/// Identifies a subscriber or a waiter.
@usableFromInline
typealias Ticket = UInt64

/// A task that waits until a condition on the state no longer holds.
@usableFromInline
struct Waiter<State: Sendable>: Sendable {
  @usableFromInline let condition: @Sendable (State) -> Bool
  @usableFromInline let continuation: CheckedContinuation<Outcome, Never>

  @inlinable
  init(condition: @escaping @Sendable (State) -> Bool, continuation: CheckedContinuation<Outcome, Never>) {
    self.condition = condition
    self.continuation = continuation
  }
}

/// Somebody outside who is told of states. Called by the thread that drains, without a lock.
@usableFromInline
protocol Subscriber<State>: Sendable {
  associatedtype State: Sendable
  mutating func deliver(_ state: State)
  func finish()
}
