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

extension Engine {
  /// The origin of an event, as known before the event is reduced.
  @usableFromInline
  enum Source {
    case outside
    case effect(Lifetime, EffectTable.Entry)
    case derived(Origin)
  }

  /// An event of an effect counts only if the effect's query is still wanted when the event is reduced.
  @inlinable
  mutating func emitted(_ event: Event, _ lifetime: Lifetime, _ inbox: Inbox<State, Event>) {
    guard let entry = effects[lifetime] else { return }
    if entry.hasReturned {
      hooks.diagnostics(.emittedAfterReturn(feedback: name(entry.feedback), query: entry.query()))
      return
    }
    markAnswered(lifetime)
    reduce(event, .effect(lifetime, entry), inbox)
  }

  @inlinable
  mutating func returned(_ event: Event?, _ lifetime: Lifetime, _ inbox: Inbox<State, Event>) {
    markAnswered(lifetime)
    if let event, let entry = effects[lifetime] { reduce(event, .effect(lifetime, entry), inbox) }
    effects.markReturned(lifetime)
    release(lifetime, inbox)
    resumeEndWaitersIfQuiet()
  }

  @inlinable
  mutating func reduce(_ event: Event, _ source: Source, _ inbox: Inbox<State, Event>) {
    guard phase == .running else { return }
    let state = cell.apply(event)
    sequence += 1
    let depth = depth(of: event, source, state)
    if depth == 0 { ledger.reset() }
    if let recorder = hooks.recorder {
      let origin = origin(source, depth: depth)
      recorder(Transition(sequence: sequence, event: event, origin: origin, state: state))
    }
    settle(state, depth: depth, inbox)
  }

  @inlinable
  func depth(of event: Event, _ source: Source, _ state: State) -> Int {
    switch source {
    case .outside: 0
    case .effect(_, let entry): feedbacks[entry.feedback].isProgress(event, state) ? 0 : entry.depth + 1
    case .derived(let origin): origin.depth
    }
  }

  @inlinable
  func origin(_ source: Source, depth: Int) -> Origin {
    switch source {
    case .outside: .outside
    case .effect(let lifetime, let entry):
      Origin(feedback: name(entry.feedback), lifetime: lifetime, depth: depth)
    case .derived(let origin): origin
    }
  }

  @inlinable
  mutating func markAnswered(_ lifetime: Lifetime) {
    guard effects.markAnswered(lifetime), let entry = effects[lifetime] else { return }
    instances[entry.feedback].answered(lifetime, epoch: ledger.epoch)
  }

  @usableFromInline
  func name(_ feedback: Int) -> String {
    feedbacks[feedback].name ?? "\(feedbacks[feedback].kind.rawValue)#\(feedback)"
  }
}

extension Engine {
  /// Propagates a new state: all feedbacks decide, then all cancellations happen, then all starts in the order in which
  /// the feedbacks were declared, then observers are called, then waiters.
  @inlinable
  mutating func settle(_ state: State, depth: Int, _ inbox: Inbox<State, Event>) {
    var context = context(depth: depth)
    var steps: [(feedback: Int, step: Step<Event>)] = []
    for feedback in instances.indices {
      if let step = instances[feedback].step(state, &context) { steps.append((feedback, step)) }
    }
    lastLifetime = context.lastLifetime
    for (_, step) in steps {
      for lifetime in step.cancellations { effects.cancel(lifetime) }
    }
    for (feedback, step) in steps {
      for start in step.starts { self.start(start, feedback, inbox) }
    }
    notify(state)
  }

  /// Lets a feedback give the slot of an effect that ended to the next waiting query.
  @inlinable
  mutating func release(_ lifetime: Lifetime, _ inbox: Inbox<State, Event>) {
    guard let entry = effects[lifetime] else { return }
    var context = context(depth: entry.depth)
    let step = instances[entry.feedback].ended(lifetime, &context)
    lastLifetime = context.lastLifetime
    for start in step?.starts ?? [] { self.start(start, entry.feedback, inbox) }
  }

  @inlinable
  mutating func start(_ start: Start<Event>, _ feedback: Int, _ inbox: Inbox<State, Event>) {
    effects.register(start.lifetime, feedback: feedback, depth: start.depth, query: start.query)
    if let refusal = ledger.refusal(feedback: feedback, depth: start.depth, repeats: start.repeats) {
      refuse(start, feedback, refusal, inbox)
      return
    }
    let lifetime = start.lifetime
    let run = start.run
    let emit = Emit<Event> { inbox.post(.emitted($0, lifetime)) }
    let task = Task.detached(executorPreference: hooks.executor) {
      // An effect that is canceled before its task starts does nothing.
      let last = Task.isCancelled ? nil : await run(emit)
      inbox.post(.returned(last, lifetime))
    }
    effects.attach(task, to: lifetime)
  }

  /// A refused query counts as answered without an event: it stays occupied until it is left, and holds no slot.
  @usableFromInline
  mutating func refuse(
    _ start: Start<Event>, _ feedback: Int, _ refusal: GuardLedger.Refusal, _ inbox: Inbox<State, Event>
  ) {
    effects.markReturned(start.lifetime)
    inbox.post(.returned(nil, start.lifetime))
    guard refusal.isFirst else { return }
    let trip = LoopGuard.Trip(
      reason: refusal.reason, feedback: name(feedback), query: start.query(), depth: start.depth)
    guard let onTrip = hooks.onTrip else {
      hooks.diagnostics(.tripped(trip))
      return
    }
    guard let event = onTrip(trip) else { return }
    let origin = Origin(feedback: trip.feedback, lifetime: nil, depth: trip.depth)
    inbox.post(.tripped(event, origin))
  }

  @inlinable
  mutating func notify(_ state: State) {
    for feedback in instances.indices { instances[feedback].observe(state) }
    for index in subscribers.indices { subscribers[index].subscriber.deliver(state) }
    guard !waiters.isEmpty else { return }
    waiters.removeAll { _, waiter in
      if waiter.condition(state) { return false }
      waiter.continuation.resume(returning: .settled)
      return true
    }
  }

  @inlinable
  func context(depth: Int) -> StepContext {
    StepContext(depth: depth, epoch: ledger.epoch, lastLifetime: lastLifetime)
  }
}

extension Engine {
  @usableFromInline
  mutating func subscribe(_ ticket: Ticket, _ subscriber: any Subscriber<State>) {
    guard phase == .running else {
      subscriber.finish()
      return
    }
    var subscriber = subscriber
    subscriber.deliver(cell.current)
    subscribers.append((ticket, subscriber))
  }

  @usableFromInline
  mutating func wait(_ ticket: Ticket, _ waiter: Waiter<State>) {
    if phase == .stopped {
      waiter.continuation.resume(returning: .stopped)
    } else if waiter.condition(cell.current) {
      waiters.append((ticket, waiter))
    } else {
      waiter.continuation.resume(returning: .settled)
    }
  }

  /// Removes the waiter before reducing `event`, so that the resulting state cannot settle it, and resumes it
  /// afterwards, so that its task sees that state.
  @usableFromInline
  mutating func cancelWait(_ ticket: Ticket, _ event: Event?, _ inbox: Inbox<State, Event>) {
    guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
    let (_, waiter) = waiters.remove(at: index)
    if let event { reduce(event, .outside, inbox) }
    waiter.continuation.resume(returning: .cancelled)
  }

  @usableFromInline
  mutating func awaitEnd(_ ticket: Ticket, _ continuation: CheckedContinuation<[RunningEffect], Never>) {
    endWaiters.append((ticket, continuation))
    resumeEndWaitersIfQuiet()
  }

  @usableFromInline
  mutating func cancelAwaitEnd(_ ticket: Ticket) {
    guard let index = endWaiters.firstIndex(where: { $0.ticket == ticket }) else { return }
    endWaiters.remove(at: index).continuation.resume(returning: runningEffects)
  }

  @usableFromInline
  mutating func resumeEndWaitersIfQuiet() {
    guard !endWaiters.isEmpty, effects.isQuiet else { return }
    for (_, continuation) in endWaiters { continuation.resume(returning: []) }
    endWaiters = []
  }

  /// All effects whose task has not ended, oldest first.
  @usableFromInline var runningEffects: [RunningEffect] {
    effects.unended.map { lifetime, entry in
      RunningEffect(
        feedback: name(entry.feedback), query: entry.query(), lifetime: lifetime,
        isBinding: feedbacks[entry.feedback].kind == .bind)
    }
  }
}

/// The effects of a system, from their start until their task has ended and their query has been left.
@usableFromInline
struct EffectTable: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    /// The index of the feedback that started it.
    @usableFromInline let feedback: Int
    /// The causal depth of the state that requested it.
    @usableFromInline let depth: Int
    @usableFromInline let query: @Sendable () -> String
    fileprivate(set) var task: Task<Void, Never>?
    fileprivate(set) var isAnswered = false
    @usableFromInline fileprivate(set) var hasReturned = false
  }

  /// The effects whose query is still wanted. Only these may deliver events.
  private var live: [Lifetime: Entry] = [:]
  /// The canceled effects whose task has not ended yet.
  private var leaving: [Lifetime: Entry] = [:]

  @usableFromInline
  subscript(lifetime: Lifetime) -> Entry? { live[lifetime] }

  /// Whether no task is left, including canceled ones. O(live effects).
  var isQuiet: Bool { leaving.isEmpty && live.values.allSatisfy(\.hasReturned) }

  /// All effects whose task has not ended, oldest first.
  var unended: [(lifetime: Lifetime, entry: Entry)] {
    let running = live.filter { !$0.value.hasReturned }.merging(leaving) { live, _ in live }
    return running.map { (lifetime: $0.key, entry: $0.value) }.sorted { $0.lifetime < $1.lifetime }
  }

  /// Registers an effect, which can deliver events from now on. Called before its task exists.
  @usableFromInline
  mutating func register(
    _ lifetime: Lifetime, feedback: Int, depth: Int, query: @escaping @Sendable () -> String
  ) {
    live[lifetime] = Entry(feedback: feedback, depth: depth, query: query)
  }

  @usableFromInline
  mutating func attach(_ task: Task<Void, Never>, to lifetime: Lifetime) {
    live[lifetime]?.task = task
  }

  /// Marks an effect as having answered its query; returns whether this is its first answer.
  @usableFromInline
  mutating func markAnswered(_ lifetime: Lifetime) -> Bool {
    guard let entry = live[lifetime], !entry.isAnswered else { return false }
    live[lifetime]?.isAnswered = true
    return true
  }

  /// Records that a task ended. Its lifetime stays registered while its query is wanted.
  @usableFromInline
  mutating func markReturned(_ lifetime: Lifetime) {
    leaving[lifetime] = nil
    live[lifetime]?.hasReturned = true
    live[lifetime]?.task = nil
  }

  /// Prevents the effect from delivering events from now on.
  @usableFromInline
  mutating func cancel(_ lifetime: Lifetime) {
    guard let entry = live.removeValue(forKey: lifetime), !entry.hasReturned else { return }
    leaving[lifetime] = entry
    entry.task?.cancel()
  }

  mutating func cancelAll() {
    for lifetime in live.keys.sorted() { cancel(lifetime) }
  }
}
