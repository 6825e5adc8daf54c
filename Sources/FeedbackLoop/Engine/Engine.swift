/// All parts of a system except its state: feedback instances, effects, subscribers, waiters and guard.
///
/// It is a noncopyable value held by the draining thread (see ``Inbox``). Therefore nothing in here needs a lock, and
/// feedbacks, observers and hooks are called without holding one.
///
/// The path of an event, here and in ``Inbox``, is `@inlinable`: specialized for the types of the application it is
/// five to ten times faster than generic code, which spends most of its time looking up metadata.
@usableFromInline
struct Engine<State: Sendable, Event: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  enum Phase: Sendable { case idle, running, stopped }

  @usableFromInline let cell: StateCell<State, Event>
  @usableFromInline let feedbacks: [Feedback<State, Event>]
  @usableFromInline let hooks: Hooks<State, Event>
  @usableFromInline var phase = Phase.idle
  @usableFromInline var instances: [any FeedbackInstance<State, Event>] = []
  @usableFromInline var effects = EffectTable()
  @usableFromInline var lastLifetime: Lifetime = 0
  @usableFromInline var sequence: UInt64 = 0
  @usableFromInline var ledger: GuardLedger
  @usableFromInline var subscribers: [(ticket: Ticket, subscriber: any Subscriber<State>)] = []
  @usableFromInline var waiters: [(ticket: Ticket, waiter: Waiter<State>)] = []
  var endWaiters: [(ticket: Ticket, continuation: CheckedContinuation<[RunningEffect], Never>)] = []

  init(
    cell: StateCell<State, Event>, feedbacks: [Feedback<State, Event>], guard loopGuard: LoopGuard,
    hooks: Hooks<State, Event>
  ) {
    self.cell = cell
    self.feedbacks = feedbacks
    self.hooks = hooks
    ledger = GuardLedger(loopGuard, feedbacks: feedbacks.count)
  }

  /// Processes one item completely: when this returns, the state has settled.
  @inlinable
  mutating func process(_ item: Item<State, Event>, inbox: Inbox<State, Event>) {
    switch item {
    case .start: start(inbox)
    case .stop: stop()
    case .sent(let event): reduce(event, .outside, inbox)
    case .emitted(let event, let lifetime): emitted(event, lifetime, inbox)
    case .returned(let event, let lifetime): returned(event, lifetime, inbox)
    case .tripped(let event, let origin): reduce(event, .derived(origin), inbox)
    case .subscribe(let ticket, let subscriber): subscribe(ticket, subscriber)
    case .unsubscribe(let ticket): subscribers.removeAll { $0.ticket == ticket }
    case .wait(let ticket, let waiter): wait(ticket, waiter)
    case .cancelWait(let ticket, let event): cancelWait(ticket, event, inbox)
    case .awaitEnd(let ticket, let continuation): awaitEnd(ticket, continuation)
    case .cancelAwaitEnd(let ticket): cancelAwaitEnd(ticket)
    case .report(let body): body(runningEffects)
    }
  }

  @usableFromInline
  mutating func start(_ inbox: Inbox<State, Event>) {
    guard phase == .idle else { return }
    phase = .running
    instances = feedbacks.map { $0.makeInstance() }
    settle(cell.current, depth: 0, inbox)
  }

  @usableFromInline
  mutating func stop() {
    guard phase != .stopped else { return }
    phase = .stopped
    effects.cancelAll()
    for instance in instances { instance.finish() }
    instances = []
    for (_, subscriber) in subscribers { subscriber.finish() }
    subscribers = []
    for (_, waiter) in waiters { waiter.continuation.resume(returning: .stopped) }
    waiters = []
  }
}

/// What a system calls in addition to its feedbacks, and where it runs effects.
@usableFromInline
struct Hooks<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let executor: (any TaskExecutor)?
  @usableFromInline let onTrip: (@Sendable (LoopGuard.Trip) -> Event?)?
  @usableFromInline let recorder: (@Sendable (Transition<State, Event>) -> Void)?
  @usableFromInline let diagnostics: @Sendable (Diagnostic) -> Void

  init(
    executor: (any TaskExecutor)?,
    onTrip: (@Sendable (LoopGuard.Trip) -> Event?)?,
    recorder: (@Sendable (Transition<State, Event>) -> Void)?,
    diagnostics: @escaping @Sendable (Diagnostic) -> Void
  ) {
    self.executor = executor
    self.onTrip = onTrip
    self.recorder = recorder
    self.diagnostics = diagnostics
  }
}
