public import Locking

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
/// A system may be used from any thread. Events are reduced one at a time, in the order in which they were sent, and each
/// state settles before the next event is reduced; <doc:Semantics> has the details. Nothing happens before ``start()``.
/// ``stop()`` is final. Releasing a system stops it.
public final class FeedbackSystem<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<State, Event>
  @usableFromInline let cell: StateCell<State, Event>

  /// Creates a system, which does nothing until ``start()``.
  ///
  /// - Parameters:
  ///   - initialState: The state until the first event.
  ///   - reduce: Applies an event to the state. A pure, fast function; it runs inside the state's lock and must not read
  ///     the system, which traps with a message in a debug build.
  ///   - feedbacks: Fulfill the state's requests. Effects start in the order of this array.
  ///   - loopGuard: Reports feedbacks that drive themselves, and may limit them.
  ///   - onTrip: Creates an event for the guard's refusal to start an effect. Called on the draining thread. Without
  ///     it, a refusal is a diagnostic.
  ///   - executor: Where effects run; by default the global concurrent executor.
  ///   - draining: Which thread processes events.
  ///   - recorder: Called with every reduced event and the state after it, in order, before that state settles. Called
  ///     on the draining thread without a lock; it must not block.
  ///   - diagnostics: Called with mistakes in the use of the system, on the draining thread.
  public init(
    initialState: State,
    reduce: @escaping @Sendable (inout State, Event) -> Void,
    feedbacks: [Feedback<State, Event>] = [],
    guard loopGuard: LoopGuard = .standard,
    onTrip: (@Sendable (LoopGuard.Trip) -> Event?)? = nil,
    executor: (any TaskExecutor)? = nil,
    draining: Draining = .sender,
    recorder: (@Sendable (ReducedEvent<Event>, State) -> Void)? = nil,
    diagnostics: @escaping @Sendable (Diagnostic) -> Void = Diagnostic.standardError
  ) {
    cell = StateCell(initialState, reduce: reduce)
    let hooks = Hooks(onTrip: onTrip, recorder: recorder, diagnostics: diagnostics)
    inbox = Inbox(
      Engine(cell: cell, feedbacks: feedbacks, hooks: hooks, guard: loopGuard),
      draining: draining, executor: executor, now: loopGuard.now)
  }

  deinit { inbox.stop() }

  /// Settles the initial state, and accepts events from then on.
  ///
  /// Earlier events, subscriptions and waiters were queued and are processed after the initial state, in order. Calling
  /// this again, or after ``stop()``, has no effect.
  @inlinable
  public func start() { inbox.start() }

  /// Stops the system for good, before everything that is still queued.
  ///
  /// Queued and later events are dropped, all effects are canceled, all sequences end and all waiters resume with
  /// ``Outcome/stopped``. The state can still be read. It may be called from anywhere, including effects, observers and
  /// hooks, any number of times.
  ///
  /// If another thread is reducing an event, the system stops when the state of that event has settled.
  @inlinable
  public func stop() { inbox.stop() }

  /// The current state. O(1) plus a copy.
  ///
  /// The effects and observers of this state may not have been called yet. Must not be used in a reducer.
  @inlinable public var state: State { cell.current }

  /// Reads from the current state without copying it, which is worth it if the state is large and little of it is needed.
  ///
  /// ```swift
  /// let isLoading = system.withState { $0.isLoading }
  /// ```
  ///
  /// - Parameter body: Runs inside the state's lock, as the reducer does: it must be fast and must not use the system,
  ///   which traps with a message in a debug build.
  @inlinable
  public func withState<Result: Sendable>(_ body: (borrowing State) -> Result) -> Result {
    cell.assertNotReducing()
    return cell.state.withLock { body($0.state) }
  }

  /// Queues an event.
  ///
  /// If no other thread is draining the queue, the event has been reduced and its state has settled when this returns.
  /// Otherwise, and inside an observer or a feedback, it returns immediately and the event is processed after those
  /// already queued. The same holds inside a reducer, or the `deinit` of a value that a reducer removes; a debug build
  /// reports that as ``Diagnostic/sentByReducer``.
  @inlinable
  public func send(_ event: Event) {
    assert(noteIfReducing())
    inbox.post(.sent(event))
  }

  /// Reports a reducer that sends; always true.
  @usableFromInline
  func noteIfReducing() -> Bool {
    if cell.isReducing { inbox.post(.mistake(.sentByReducer)) }
    return true
  }
}

extension FeedbackSystem {
  /// Sends an event and waits while a condition holds, starting with the state after that event.
  ///
  /// ```swift
  /// await system.send(.refresh, while: \.isRefreshing, onCancel: .cancelRefresh)
  /// ```
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - condition: Called for every state on the draining thread until it returns false.
  ///   - onCancel: An event to send if the waiting task is canceled before the condition is false.
  /// - Returns: ``Outcome/settled`` when the condition is false, immediately if it is false in the first state. If the
  ///   waiting task is canceled, ``Outcome/cancelled``, after `onCancel` has been reduced, or queued if the system has
  ///   not been started; a task that was canceled before the call sends neither event. ``Outcome/stopped`` if the
  ///   system stops or has stopped.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func send(
    _ event: Event, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event? = nil
  ) async -> Outcome {
    cell.assertNotReducing()
    return await wait(sending: event, while: condition, onCancel: onCancel)
  }

  /// Waits while a condition holds, starting with the current state.
  ///
  /// ```swift
  /// guard await system.wait(while: \.isLoading) == .settled else { return }
  /// ```
  ///
  /// - Parameter condition: Called for every state on the draining thread until it returns false.
  /// - Returns: The same outcomes as ``send(_:while:onCancel:)``.
  @inlinable
  public nonisolated(nonsending) func wait(
    while condition: @escaping @Sendable (State) -> Bool
  ) async -> Outcome {
    await wait(sending: nil, while: condition, onCancel: nil)
  }

  @inlinable
  nonisolated(nonsending) func wait(
    sending event: Event?, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event?
  ) async -> Outcome {
    let ticket = inbox.newWaitingTicket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter<State>(condition: condition) { continuation.resume(returning: $0) }
        let sent = event.map { Item<State, Event>.sent($0) }
        let items = [sent, .wait(ticket, waiter)].compactMap(\.self)
        if !inbox.post(items, using: ticket) { waiter.resume(.cancelled) }
      }
    } onCancel: {
      inbox.cancelWaiter(ticket, sending: onCancel)
    }
  }
}

/// How waiting for a state ended.
public enum Outcome: Sendable, Hashable {
  /// The condition no longer holds.
  case settled
  /// The waiting task was canceled.
  case cancelled
  /// The system stopped.
  case stopped
}

extension FeedbackSystem {
  /// Stops the system and waits until its effects have ended.
  ///
  /// ```swift
  /// let stubborn = await system.stopped(within: .seconds(1))
  /// if !stubborn.isEmpty { log("still running: \(stubborn)") }
  /// ```
  ///
  /// Stopping cancels effects, but an effect that ignores cancellation continues. The result lists such effects. Called
  /// inside an effect, it also waits for that effect, and therefore until the limit.
  ///
  /// - Parameters:
  ///   - limit: How long to wait.
  ///   - clock: Measures the limit.
  /// - Returns: The effects that have not ended, oldest first; empty if all have. Returns immediately when the waiting
  ///   task is canceled.
  public func stopped(
    within limit: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) async -> [RunningEffect] {
    stop()
    let (waiting, end) = AsyncStream.makeStream(of: Void.self)
    whenQuiet { end.finish() }
    let timer = Task {
      try? await clock.sleep(for: limit)
      end.finish()
    }
    for await _ in waiting {}
    timer.cancel()
    return await withCheckedContinuation { continuation in
      report { running, _ in continuation.resume(returning: running) }
    }
  }

  /// Calls `body` when no effect is left.
  package func whenQuiet(_ body: @escaping @Sendable () -> Void) { inbox.post(.whenQuiet(body)) }

  /// Calls `body` with the effects whose task has not ended, and those that have returned and are still requested;
  /// immediately if no other thread is draining.
  package func report(
    _ body: @escaping @Sendable (_ running: [RunningEffect], _ answered: [RunningEffect]) -> Void
  ) {
    inbox.post(.report(body))
  }
}

/// An effect whose task has not ended.
public struct RunningEffect: Sendable, Hashable, CustomStringConvertible {
  /// The name of the feedback that started it.
  public let feedback: String
  /// The description of its query.
  public let query: String
  /// Identifies the run of an effect within a system; later runs have higher numbers.
  public let lifetime: UInt64
  /// Whether it is a binding, which runs from start to stop.
  package let isBinding: Bool

  /// The feedback and the query.
  public var description: String { "\(feedback): \(query)" }
}

/// A mistake in the use of a system that cannot be represented in its state.
public enum Diagnostic: Sendable, Hashable, CustomStringConvertible {
  /// An effect's `Emit` was called after the effect had returned; the event was dropped.
  case emittedAfterReturn(feedback: String, query: String)
  /// A feedback has started many effects, each caused by the last; reported once for each feedback, see ``LoopGuard``.
  case drivesItself(feedback: String, query: String, effects: Int)
  /// The ``LoopGuard`` refused to start an effect, and the system has no `onTrip` to handle it.
  case tripped(LoopGuard.Trip)
  /// A reducer sent an event to the system that runs it; found in debug builds. The event was queued.
  case sentByReducer

  /// What happened, why it is a mistake, and what to do.
  public var description: String {
    switch self {
    case .emittedAfterReturn(let feedback, let query):
      """
      feedback "\(feedback)" emitted an event after its effect for query \(query) had returned. The \
      event was dropped. An effect must not return before the work that emits its events is done.
      """
    case .tripped(let trip):
      """
      \(trip). If the events of this feedback make progress, declare them as progress. To report it to \
      the user, turn the trip into an event with onTrip.
      """
    case .drivesItself(let feedback, let query, let effects):
      """
      feedback "\(feedback)" has started \(effects) effects, each caused by the last, and goes on; the \
      last query is \(query). If this is meant, declare the events that bring it forward as progress. \
      Otherwise, end the loop in the reducer: an answer that changes nothing must not request again. \
      To stop such loops, give the system a LoopGuard with a maximumDepth.
      """
    case .sentByReducer:
      """
      a reducer sent an event to its own system, which was queued. Reduce must be a function of its state \
      and event alone, or a replay of the events differs. Put a request into the state, and send the event \
      from a Feedback.
      """
    }
  }

  /// Writes a diagnostic to standard error as one line.
  public static let standardError: @Sendable (Diagnostic) -> Void = { diagnostic in
    let line = Array(("FeedbackLoop: \(diagnostic)\n").utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
