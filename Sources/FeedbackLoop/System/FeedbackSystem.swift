/// A state, the events that change it, and the feedbacks that fulfill its requests.
///
/// ```
/// If it did happen     → an Event.
/// If it should happen  → a request in the State.
/// To fulfill a request → a Feedback.
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
/// the next event is reduced: every feedback decides; then everything no longer wanted is canceled; then everything newly
/// wanted starts, in the order in which the feedbacks were declared; then observers are called; then waiters.
///
/// ## Threads
/// A system may be used from any thread. The thread that sends an event to an idle system processes it, and all events
/// sent meanwhile; for other threads `send` only appends to the queue. There are no thread hops, and no lock is held
/// while a feedback, an observer or a hook runs.
///
/// ## Lifetime
/// Nothing happens before ``start()``. ``stop()`` is final. Releasing a system stops it.
public final class FeedbackSystem<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<State, Event>
  @usableFromInline let cell: StateCell<State, Event>

  /// Creates a system, which does nothing until ``start()``.
  ///
  /// - Parameters:
  ///   - initialState: The state until the first event.
  ///   - reduce: Applies an event to the state. A pure, fast function; it runs inside the state's lock and must not use
  ///     the system, which traps with a message in a debug build.
  ///   - feedbacks: Fulfill the state's requests. Effects start in the order of this array.
  ///   - loopGuard: Stops chains of effects that make no progress.
  ///   - onTrip: Creates an event for the guard's refusal to start an effect. Called on the draining thread. Without
  ///     it, a refusal is a diagnostic.
  ///   - executor: Where effects run; by default the global concurrent executor.
  ///   - recorder: Called with every reduced event in order, before its state settles. Called on the draining thread
  ///     without a lock; it must not block.
  ///   - diagnostics: Called with mistakes in the use of the system, on the draining thread.
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

  /// Settles the initial state, and accepts events from then on.
  ///
  /// Earlier events, subscriptions and waiters were queued and are processed after the initial state, in order. Calling
  /// this again, or after ``stop()``, has no effect.
  @inlinable
  public func start() {
    inbox.start()
  }

  /// Stops the system for good, before everything that is still queued.
  ///
  /// Queued and later events are dropped, all effects are canceled, all sequences end and all waiters resume with
  /// ``Outcome/stopped``. The state can still be read. It may be called from anywhere, including effects, observers and
  /// hooks, any number of times.
  ///
  /// If another thread is reducing an event, the system stops when the state of that event has settled.
  @inlinable
  public func stop() {
    inbox.stop()
  }

  /// The current state. O(1) plus a copy.
  ///
  /// The effects and observers of this state may not have been called yet. Must not be used in a reducer.
  @inlinable public var state: State {
    cell.current
  }

  /// Queues an event from outside.
  ///
  /// If no other thread is draining the queue, the event has been reduced and its state has settled when this returns.
  /// Otherwise, and inside an observer or a feedback, it returns immediately and the event is processed after those
  /// already queued.
  @inlinable
  public func send(_ event: Event) {
    cell.assertNotReducing()
    inbox.post(.sent(event))
  }
}
