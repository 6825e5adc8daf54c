/// A state, the events that change it, and the feedbacks that fulfil what it asks for.
///
/// ```
/// If it did happen     → an Event.
/// If it should happen  → a request in the State.
/// To fulfil a request  → a Feedback.
/// ```
///
/// ```swift
/// enum Event { case increment, decrement }
/// let counter = FeedbackSystem<Int, Event>(
///   initialState: 0,
///   reduce: { count, event in
///     switch event {
///     case .increment: count += 1
///     case .decrement: count -= 1
///     }
///   })
/// counter.start()
/// counter.send(.increment)
/// print(counter.state)  // 1
/// ```
///
/// ## Order
/// Events are reduced one at a time, strictly in the order in which they were sent. Each state settles completely before
/// the next event is reduced: every feedback decides; then everything that is no longer wanted is cancelled; then what is
/// newly wanted starts, in the order in which the feedbacks were declared; then observers are told; then waiters.
///
/// ## Threads
/// A system may be used from any thread. The thread that sends an event to an idle system carries it out, and everything
/// that is sent meanwhile; to the others `send` is an append. No thread is hopped to, and no lock is held while a
/// feedback, an observer or a hook runs.
///
/// ## Life
/// Nothing happens before ``start()``. ``stop()`` is final. Releasing a system stops it.
public final class FeedbackSystem<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<State, Event>
  @usableFromInline let cell: StateCell<State, Event>

  /// Creates a system, which does nothing until ``start()``.
  ///
  /// - Parameters:
  ///   - initialState: The state until the first event.
  ///   - reduce: Applies an event to the state. A pure, fast function; it runs inside the state's lock and must not use
  ///     the system, which a debug build stops with a message.
  ///   - feedbacks: What fulfils the state's requests. Their order is the order in which effects start.
  ///   - loopGuard: Stops chains of effects that make no progress.
  ///   - onTrip: Makes an event of the guard's refusal to start an effect. Called on the draining thread. Without it, a
  ///     refusal is a diagnostic.
  ///   - executor: Where effects run; by default the global concurrent executor.
  ///   - recorder: Is told of every reduced event in order, before its state settles. Called on the draining thread
  ///     without a lock; it must not block.
  ///   - diagnostics: Is told of mistakes in the use of the system. Called on the draining thread.
  public init(
    initialState: State,
    reduce: @escaping @Sendable (inout State, Event) -> Void,
    feedbacks: [Feedback<State, Event>] = [],
    guard loopGuard: LoopGuard = .standard,
    onTrip: (@Sendable (LoopGuard.Trip) -> Event?)? = nil,
    executor: (any TaskExecutor)? = nil,
    recorder: (@Sendable (Transition<State, Event>) -> Void)? = nil,
    diagnostics: @escaping @Sendable (Diagnostic) -> Void = Diagnostic.standardError
  ) {
    cell = StateCell(initialState, reduce: reduce)
    let hooks = Hooks(executor: executor, onTrip: onTrip, recorder: recorder, diagnostics: diagnostics)
    inbox = Inbox(Engine(cell: cell, feedbacks: feedbacks, guard: loopGuard, hooks: hooks))
  }

  deinit {
    inbox.stop()
  }

  /// Settles the initial state, and from then on takes events.
  ///
  /// Events, subscriptions and waiters from before are queued and come right after the initial state, in order. Calling
  /// it again does nothing, nor does calling it after ``stop()``.
  @inlinable
  public func start() {
    inbox.start()
  }

  /// Ends the system for good, ahead of everything that is still queued.
  ///
  /// Queued and later events are dropped, all effects are cancelled, all sequences end and all waiters resume with
  /// ``Outcome/stopped``. The state can still be read. It may be called from anywhere, also from inside an effect, an
  /// observer or a hook, any number of times.
  ///
  /// If another thread is just reducing an event, the system stops when the state of that event has settled.
  @inlinable
  public func stop() {
    inbox.stop()
  }

  /// The current state. O(1) and a copy.
  ///
  /// The effects and observers of this state may not have been told of it yet. Not to be used in a reducer.
  @inlinable public var state: State {
    cell.current
  }

  /// Queues an event from outside.
  ///
  /// If no other thread is draining the queue, the event is reduced and its state has settled when this returns.
  /// Otherwise, and inside an observer or a feedback, it returns at once and the event comes after those already queued.
  @inlinable
  public func send(_ event: Event) {
    cell.assertNotReducing()
    inbox.post(.sent(event))
  }
}
