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
  /// The indices of the instances that observe states.
  @usableFromInline var observing: [Int] = []
  @usableFromInline var effects = EffectTable()
  @usableFromInline var lastLifetime: Lifetime = 0
  /// The items that the draining thread has taken from the inbox, all before those that are still in it.
  @usableFromInline var taken = Queue<Item<State, Event>>()
  @usableFromInline var sequence: UInt64 = 0
  @usableFromInline var ledger: GuardLedger
  /// Whether the state being settled is the result of the event for a trip.
  @usableFromInline var isSettlingTrip = false
  @usableFromInline var subscribers: [(ticket: Ticket, subscriber: any Subscriber<State>)] = []
  /// The subscribers that take the state themselves.
  @usableFromInline var signals: [(ticket: Ticket, signal: StateSignal)] = []
  @usableFromInline var waiters: [(ticket: Ticket, waiter: Waiter<State>)] = []
  var endWaiters: [(ticket: Ticket, report: @Sendable ([RunningEffect]) -> Void)] = []

  init(
    cell: StateCell<State, Event>, feedbacks: [Feedback<State, Event>], hooks: Hooks<State, Event>,
    guard limits: LoopGuard
  ) {
    self.cell = cell
    self.feedbacks = feedbacks
    self.hooks = hooks
    ledger = GuardLedger(GuardRules(limits) { cell.current }, feedbacks: feedbacks.count)
  }

  /// Takes all items of the inbox. Nothing is taken at present.
  @inlinable
  mutating func exchangeTaken(with queue: inout Queue<Item<State, Event>>) { swap(&taken, &queue) }

  @inlinable
  mutating func processFirstTaken(_ inbox: Inbox<State, Event>) {
    if let item = taken.popFirst() { process(item, inbox: inbox) }
  }

  /// Processes one item completely: when this returns, the state has settled.
  @inlinable
  mutating func process(_ item: Item<State, Event>, inbox: Inbox<State, Event>) {
    switch item {
    case .start: start(inbox)
    case .stop: stop()
    case .sent(let event): reduce(event, .outside, inbox)
    case .emitted(let emission, let lifetime): emitted(emission, lifetime, inbox)
    case .returned(let emission, let lifetime): returned(emission, lifetime, inbox)
    case .refused(let lifetime): refused(lifetime, inbox)
    case .tripped(let event, let origin): tripped(event, origin, inbox)
    case .retryRefused: retryRefused(inbox)
    case .subscribe(let ticket, let subscriber): subscribe(ticket, subscriber)
    case .unsubscribe(let ticket): unsubscribe(ticket)
    case .wait(let ticket, let waiter): wait(ticket, waiter)
    case .cancelWait(let ticket, let event): cancelWait(ticket, event, inbox)
    case .awaitEnd(let ticket, let report): awaitEnd(ticket, report)
    case .cancelAwaitEnd(let ticket): cancelAwaitEnd(ticket)
    case .report(let body): body(runningEffects)
    }
  }

  @inlinable
  mutating func start(_ inbox: Inbox<State, Event>) {
    guard phase == .idle else { return }
    phase = .running
    let source = cell.source
    instances = feedbacks.map { $0.makeInstance(source) }
    observing = instances.indices.filter { instances[$0].observes }
    settle(cell.current, depth: 0, inbox)
  }

  @usableFromInline
  mutating func stop() {
    guard phase != .stopped else { return }
    phase = .stopped
    effects.cancelAll()
    for index in instances.indices { instances[index].finish() }
    instances = []
    observing = []
    for (_, subscriber) in subscribers { subscriber.finish() }
    subscribers = []
    for (_, signal) in signals { signal.finish() }
    signals = []
    for (_, waiter) in waiters { waiter.resume(.stopped) }
    waiters = []
  }
}

/// What a system calls in addition to its feedbacks, and where it runs effects.
@usableFromInline
struct Hooks<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let executor: (any TaskExecutor)?
  @usableFromInline let onTrip: (@Sendable (LoopGuard.Trip) -> Event?)?
  @usableFromInline let recorder: (@Sendable (ReducedEvent<Event>, State) -> Void)?
  @usableFromInline let diagnostics: @Sendable (Diagnostic) -> Void
}

extension Engine {
  /// The origin of an event, as known before the event is reduced.
  @usableFromInline
  enum Source {
    case outside
    case effect(Lifetime, EffectTable.Cause, child: ChildEvent?)
    case derived(EventOrigin)
  }

  /// An event of an effect counts only if the effect's query is still wanted when the event is reduced.
  @inlinable
  mutating func emitted(_ emission: Emission<Event>, _ lifetime: Lifetime, _ inbox: Inbox<State, Event>) {
    guard let entry = effects[lifetime] else { return }
    if entry.hasReturned {
      hooks.diagnostics(.emittedAfterReturn(feedback: name(entry.feedback), query: effects.query(lifetime)))
      return
    }
    markAnswered(lifetime, entry)
    reduce(emission.event, .effect(lifetime, entry, child: emission.child), inbox)
  }

  @inlinable
  mutating func returned(_ emission: Emission<Event>?, _ lifetime: Lifetime, _ inbox: Inbox<State, Event>) {
    if let entry = effects[lifetime] {
      markAnswered(lifetime, entry)
      if let emission {
        reduce(emission.event, .effect(lifetime, entry, child: emission.child), inbox)
      }
    }
    effects.markReturned(lifetime)
    ledger.ended(lifetime)
    release(lifetime, inbox)
    resumeEndWaitersIfQuiet()
  }

  @inlinable
  mutating func reduce(_ event: Event, _ source: Source, _ inbox: Inbox<State, Event>) {
    guard phase == .running else { return }
    let state = cell.apply(event)
    sequence += 1
    let depth = depth(of: event, source, state)
    if let recorder = hooks.recorder {
      recorder(ReducedEvent(sequence: sequence, event: event, origin: origin(source, depth: depth)), state)
    }
    settle(state, depth: depth, inbox)
  }

  @inlinable
  func depth(of event: Event, _ source: Source, _ state: State) -> Int {
    switch source {
    case .outside: 0
    case .effect(_, let entry, let child):
      feedbacks[entry.feedback].isProgress(Emission(event, child: child), state) ? 0 : entry.depth + 1
    case .derived(let origin): origin.depth
    }
  }

  @inlinable
  func origin(_ source: Source, depth: Int) -> EventOrigin {
    switch source {
    case .outside: .outside
    case .effect(let lifetime, let entry, _):
      EventOrigin(feedback: name(entry.feedback), lifetime: lifetime, depth: depth)
    case .derived(let origin): origin
    }
  }

  @inlinable
  mutating func markAnswered(_ lifetime: Lifetime, _ entry: EffectTable.Cause) {
    guard !entry.isAnswered else { return }
    effects.markAnswered(lifetime)
    instances[entry.feedback].answered(lifetime, context(depth: entry.depth))
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
    if !steps.isEmpty {
      lastLifetime = context.lastLifetime
      carryOut(steps, inbox)
    }
    notify(state)
  }

  @inlinable
  mutating func carryOut(_ steps: [(feedback: Int, step: Step<Event>)], _ inbox: Inbox<State, Event>) {
    for (_, step) in steps {
      for lifetime in step.cancellations {
        effects.cancel(lifetime)
        ledger.ended(lifetime)
      }
    }
    for (feedback, step) in steps { start(step.starts, feedback, inbox) }
  }

  @inlinable
  mutating func start(_ starts: [Start<Event>], _ feedback: Int, _ inbox: Inbox<State, Event>) {
    if starts.isEmpty { return }
    let post = inbox.postEmission
    for start in starts { self.start(start, feedback, post, inbox) }
  }

  /// Lets a feedback give the slot of an effect that ended to the next waiting query.
  @inlinable
  mutating func release(_ lifetime: Lifetime, _ inbox: Inbox<State, Event>) {
    guard let entry = effects[lifetime] else { return }
    var context = context(depth: entry.depth)
    let starts = instances[entry.feedback].ended(lifetime, &context)
    lastLifetime = context.lastLifetime
    start(starts, entry.feedback, inbox)
  }

  @inlinable
  mutating func start(
    _ start: Start<Event>, _ feedback: Int, _ post: @escaping Post<Event>, _ inbox: Inbox<State, Event>
  ) {
    if let reason = ledger.refusal(depth: start.depth, isRepeated: start.isRepeated) {
      refuse(start, feedback, reason, inbox)
      return
    }
    let lifetime = start.lifetime
    let delay = ledger.delay(lifetime, feedback: feedback, depth: start.depth)
    // Whatever the task sends is queued until this thread processes it, when the effect is registered.
    let task = task(start, feedback, delay, post, inbox)
    effects.register(lifetime, feedback: feedback, depth: start.depth, query: start.query, task: task)
  }

  @inlinable
  func task(
    _ start: Start<Event>, _ feedback: Int, _ delay: Duration?, _ post: @escaping Post<Event>,
    _ inbox: Inbox<State, Event>
  ) -> Task<Void, Never> {
    let (lifetime, query, run) = (start.lifetime, start.query, start.run)
    let options = feedbacks[feedback].tasks
    // The same as below, without what is seldom needed and costs time in every task.
    if delay == nil, hooks.executor == nil, options.isStandard {
      return Task.detached {
        let last = Task.isCancelled ? nil : await run(query, Emit(lifetime: lifetime, post: post))
        inbox.post(.returned(last, lifetime))
      }
    }
    let sleep = ledger.rules.limits.sleep
    return Task.detached(
      name: options.name, executorPreference: hooks.executor, priority: options.priority
    ) {
      if let delay { try? await sleep(delay) }
      // An effect that is canceled before its task starts does nothing.
      let last = Task.isCancelled ? nil : await run(query, Emit(lifetime: lifetime, post: post))
      inbox.post(.returned(last, lifetime))
    }
  }

  @inlinable
  mutating func notify(_ state: State) {
    for feedback in observing { instances[feedback].observe(state) }
    if cell.listeners.isSet { tell() }
    for index in subscribers.indices { subscribers[index].subscriber.deliver(state) }
    guard !waiters.isEmpty else { return }
    waiters.removeAll { _, waiter in
      if waiter.condition(state) { return false }
      waiter.resume(.settled)
      return true
    }
  }

  @inlinable
  func context(depth: Int) -> StepContext {
    StepContext(depth: depth, rules: ledger.rules, lastLifetime: lastLifetime)
  }
}

extension Engine {
  /// A refused effect has no task. Its slot is released after all other starts of this state.
  @usableFromInline
  mutating func refuse(
    _ start: Start<Event>, _ feedback: Int, _ reason: LoopGuard.Trip.Reason, _ inbox: Inbox<State, Event>
  ) {
    effects.register(start.lifetime, feedback: feedback, depth: start.depth, query: start.query, task: nil)
    inbox.post(.refused(start.lifetime))
    let trip = LoopGuard.Trip(
      reason: reason, feedback: name(feedback), query: String(describing: start.query), depth: start.depth)
    // An event for a trip that led to another trip could go on forever, without any effect.
    guard let onTrip = hooks.onTrip, !isSettlingTrip else {
      hooks.diagnostics(.tripped(trip))
      return
    }
    guard let event = onTrip(trip) else { return }
    inbox.post(.tripped(event, EventOrigin(feedback: trip.feedback, lifetime: nil, depth: trip.depth)))
  }

  @inlinable
  mutating func refused(_ lifetime: Lifetime, _ inbox: Inbox<State, Event>) {
    guard let entry = effects[lifetime] else { return }
    var context = context(depth: entry.depth)
    let starts = instances[entry.feedback].refused(lifetime, &context)
    lastLifetime = context.lastLifetime
    start(starts, entry.feedback, inbox)
  }

  @inlinable
  mutating func tripped(_ event: Event, _ origin: EventOrigin, _ inbox: Inbox<State, Event>) {
    isSettlingTrip = true
    reduce(event, .derived(origin), inbox)
    isSettlingTrip = false
  }

  /// Requests what the guard refused again, as if an event from outside had.
  @inlinable
  mutating func retryRefused(_ inbox: Inbox<State, Event>) {
    var context = context(depth: 0)
    var steps: [(feedback: Int, step: Step<Event>)] = []
    for feedback in instances.indices {
      if let step = instances[feedback].retryRefused(&context) { steps.append((feedback, step)) }
    }
    lastLifetime = context.lastLifetime
    carryOut(steps, inbox)
  }
}

extension Engine {
  @usableFromInline
  mutating func subscribe(_ ticket: Ticket, _ subscriber: any Subscriber<State>) {
    guard phase == .running else {
      subscriber.finish()
      return
    }
    if let signal = subscriber.signal {
      signal.tell()
      signals.append((ticket, signal))
      return
    }
    var subscriber = subscriber
    subscriber.deliver(cell.current)
    subscribers.append((ticket, subscriber))
  }

  @usableFromInline
  mutating func unsubscribe(_ ticket: Ticket) {
    subscribers.removeAll { $0.ticket == ticket }
    signals.removeAll { $0.ticket == ticket }
  }

  /// Signals the subscribers that have looked since the last signal.
  @usableFromInline
  mutating func tell() {
    cell.listeners.reset()
    for (_, signal) in signals { signal.tell() }
  }

  @usableFromInline
  mutating func wait(_ ticket: Ticket, _ waiter: Waiter<State>) {
    if phase == .stopped {
      waiter.resume(.stopped)
    } else if waiter.condition(cell.current) {
      waiters.append((ticket, waiter))
    } else {
      waiter.resume(.settled)
    }
  }

  /// Removes the waiter before reducing `event`, so that the resulting state cannot settle it, and resumes it
  /// afterwards, so that its task sees that state.
  @inlinable
  mutating func cancelWait(_ ticket: Ticket, _ event: Event?, _ inbox: Inbox<State, Event>) {
    guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
    let (_, waiter) = waiters.remove(at: index)
    if let event { reduce(event, .outside, inbox) }
    waiter.resume(.cancelled)
  }

  @usableFromInline
  mutating func awaitEnd(_ ticket: Ticket, _ report: @escaping @Sendable ([RunningEffect]) -> Void) {
    endWaiters.append((ticket, report))
    resumeEndWaitersIfQuiet()
  }

  @usableFromInline
  mutating func cancelAwaitEnd(_ ticket: Ticket) {
    guard let index = endWaiters.firstIndex(where: { $0.ticket == ticket }) else { return }
    endWaiters.remove(at: index).report(runningEffects)
  }

  @usableFromInline
  mutating func resumeEndWaitersIfQuiet() {
    guard !endWaiters.isEmpty, effects.isQuiet else { return }
    for (_, report) in endWaiters { report([]) }
    endWaiters = []
  }

  /// All effects whose task has not ended, oldest first.
  @usableFromInline var runningEffects: [RunningEffect] {
    effects.unended.map { lifetime, entry in
      RunningEffect(
        feedback: name(entry.cause.feedback), query: String(describing: entry.query), lifetime: lifetime,
        isBinding: feedbacks[entry.cause.feedback].kind == .bind)
    }
  }
}
