/// Everything a system processes, in order of arrival.
///
/// Subscriptions and waiters are items like events, so that a single order covers all of them: a subscriber starts
/// without a gap or a duplicate, and there is no second lock and so no lock order to violate.
@usableFromInline
enum Item<State: Sendable, Event: Sendable>: Sendable {
  case start
  case stop
  /// An event from outside, passed to `send`.
  case sent(Event)
  /// An event from a running effect.
  case emitted(Event, Lifetime)
  /// An effect returned, possibly with a last event.
  case returned(Event?, Lifetime)
  /// The event that the application created for a trip of the loop guard.
  case tripped(Event, Origin)
  case subscribe(Ticket, any Subscriber<State>)
  case unsubscribe(Ticket)
  case wait(Ticket, Waiter<State>)
  /// The task of a waiter was canceled; the event is the waiter's `onCancel`, if any.
  case cancelWait(Ticket, Event?)
  case awaitEnd(Ticket, CheckedContinuation<[RunningEffect], Never>)
  case cancelAwaitEnd(Ticket)
  /// A request for the list of running effects.
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

/// An observer outside the system. Called by the draining thread, without a lock.
@usableFromInline
protocol Subscriber<State>: Sendable {
  associatedtype State: Sendable
  mutating func deliver(_ state: State)
  func finish()
}
