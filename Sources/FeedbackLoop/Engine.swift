/// All parts of a system except its state: feedback instances, effects, subscribers, waiters and guard.
///
/// It is a noncopyable value held by the draining thread (see ``Inbox``). Therefore the engine needs no lock, and
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
  @usableFromInline var instances: [FeedbackInstance<State, Event>] = []
  @usableFromInline var effects = EffectTable()
  @usableFromInline var steps = Steps<State, Event>()
  @usableFromInline var sequence: UInt64 = 0
  /// The causal depth of the current state.
  @usableFromInline var depth = 0
  @usableFromInline let limits: LoopGuard
  /// The chain of effects of each feedback, by index.
  @usableFromInline var chains: [Chain]
  /// The token bucket of each feedback, by index; empty if the rate of starts is not limited.
  @usableFromInline var buckets: [TokenBucket]
  /// Whether the state being settled is the result of the event for a trip.
  @usableFromInline var isSettlingTrip = false
  @usableFromInline var subscribers: [(ticket: Ticket, subscriber: Subscriber<State>)] = []
  /// The subscribers that read the state themselves when they are ready.
  @usableFromInline var signals: [(ticket: Ticket, signal: StateSignal)] = []
  @usableFromInline var waiters: [(ticket: Ticket, waiter: Waiter<State>)] = []
  /// Called when no effect is left.
  var quietWaiters: [@Sendable () -> Void] = []

  init(
    cell: StateCell<State, Event>, feedbacks: [Feedback<State, Event>], hooks: Hooks<State, Event>,
    guard limits: LoopGuard
  ) {
    self.cell = cell
    self.feedbacks = feedbacks
    self.hooks = hooks
    self.limits = limits
    chains = Array(repeating: Chain(), count: feedbacks.count)
    buckets = limits.startRate.map { Array(repeating: TokenBucket($0), count: feedbacks.count) } ?? []
  }

  /// Processes one item completely: when this returns, the state has settled.
  @inlinable
  mutating func process(_ item: Item<State, Event>, inbox: Inbox<State, Event>) {
    switch item {
    case .start: start(inbox)
    case .stop: stop()
    case .sent(let event): reduce(event, .outside, inbox)
    case .emitted(let event, let isProgress, let lifetime): emitted(event, isProgress, lifetime, inbox)
    case .returned(let lifetime): returned(lifetime, inbox)
    case .tripped(let event, let origin): tripped(event, origin, inbox)
    case .mistake(let diagnostic): hooks.diagnostics(diagnostic)
    case .subscribe(let ticket, let subscriber): subscribe(ticket, subscriber)
    case .unsubscribe(let ticket): unsubscribe(ticket)
    case .wait(let ticket, let waiter): wait(ticket, waiter)
    case .cancelWait(let ticket, let event): cancelWait(ticket, event, inbox)
    case .whenQuiet(let body): whenQuiet(body)
    case .report(let body): body(runningEffects, answeredEffects)
    }
  }

  @inlinable
  mutating func start(_ inbox: Inbox<State, Event>) {
    guard phase == .idle else { return }
    phase = .running
    let source = cell.source
    instances = feedbacks.map { $0.makeInstance(source) }
    settle(cell.current, depth: 0, inbox)
  }

  @usableFromInline
  mutating func stop() {
    guard phase != .stopped else { return }
    phase = .stopped
    effects.cancelAll()
    for instance in instances { instance.finish?() }
    instances = []
    for (_, subscriber) in subscribers { subscriber.finish() }
    subscribers = []
    for (_, signal) in signals { signal.finish() }
    signals = []
    for (_, waiter) in waiters { waiter.resume(.stopped) }
    waiters = []
  }
}

/// What a system calls in addition to its feedbacks.
@usableFromInline
struct Hooks<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let onTrip: (@Sendable (LoopGuard.Trip) -> Event?)?
  @usableFromInline let recorder: (@Sendable (ReducedEvent<Event>, State) -> Void)?
  @usableFromInline let diagnostics: @Sendable (Diagnostic) -> Void
}

extension Engine {
  /// An event of an effect counts only if the effect's query is still wanted when the event is reduced.
  @inlinable
  mutating func emitted(
    _ event: Event, _ isProgress: (@Sendable (State) -> Bool)?, _ lifetime: Lifetime,
    _ inbox: Inbox<State, Event>
  ) {
    guard let entry = effects[lifetime] else { return }
    if entry.hasReturned {
      hooks.diagnostics(
        .emittedAfterReturn(feedback: name(entry.feedback), query: String(describing: entry.query)))
      return
    }
    // A binding has seen the current state, so its event is a consequence of that state.
    let cause = feedbacks[entry.feedback].kind == .bind ? depth : entry.depth
    let origin = EventOrigin(feedback: name(entry.feedback), lifetime: lifetime, depth: cause + 1)
    reduce(event, origin, inbox, isProgress)
  }

  /// An effect returned, or was refused by the guard. Its feedback may have a free slot.
  @inlinable
  mutating func returned(_ lifetime: Lifetime, _ inbox: Inbox<State, Event>) {
    effects.markReturned(lifetime)
    if phase == .running, let entry = effects[lifetime], let ended = instances[entry.feedback].ended {
      (steps.depth, steps.feedback) = (entry.depth, entry.feedback)
      ended(lifetime, &steps)
      carryOut(inbox)
    }
    resumeIfQuiet()
  }

  /// - Parameter isProgress: Whether the event begins a new chain for the guard.
  @inlinable
  mutating func reduce(
    _ event: Event, _ origin: EventOrigin, _ inbox: Inbox<State, Event>,
    _ isProgress: (@Sendable (State) -> Bool)? = nil
  ) {
    guard phase == .running else { return }
    let state = cell.apply(event)
    sequence += 1
    let depth = isProgress?(state) == true ? 0 : origin.depth
    if let recorder = hooks.recorder {
      let origin = EventOrigin(feedback: origin.feedback, lifetime: origin.lifetime, depth: depth)
      recorder(ReducedEvent(sequence: sequence, event: event, origin: origin), state)
    }
    settle(state, depth: depth, inbox)
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
    self.depth = depth
    steps.depth = depth
    for index in instances.indices {
      steps.feedback = index
      instances[index].step(state, &steps)
    }
    carryOut(inbox)
    notify(state)
  }

  @inlinable
  mutating func carryOut(_ inbox: Inbox<State, Event>) {
    for lifetime in steps.cancellations { cancel(lifetime) }
    steps.cancellations.removeAll(keepingCapacity: true)
    if !steps.starts.isEmpty {
      let starts = steps.starts
      steps.starts = []
      for start in starts { self.start(start, inbox) }
    }
    if !steps.observations.isEmpty {
      let observations = steps.observations
      steps.observations = []
      for observe in observations { observe() }
    }
  }

  @inlinable
  mutating func cancel(_ lifetime: Lifetime) {
    // A start that never became due does not count for the rate.
    if !buckets.isEmpty, let entry = effects[lifetime], let due = entry.due, limits.now() < due {
      buckets[entry.feedback].giveBack()
    }
    effects.cancel(lifetime)
  }

  @inlinable
  mutating func start(_ start: Start<State, Event>, _ inbox: Inbox<State, Event>) {
    var effect = start.effect
    if let limit = limits.maximumDepth, effect.depth >= limit { return refuse(start, inbox) }
    if limits.reportsChains { watch(effect) }
    var delay = Duration.zero
    if effect.depth > 0, !buckets.isEmpty {
      let now = limits.now()
      delay = buckets[effect.feedback].take(at: now)
      if delay > .zero { effect.due = now + delay }
    }
    let (lifetime, run, sleep, wait) = (start.lifetime, start.run, limits.sleep, delay)
    // Whatever the task sends is queued until this thread processes it, when the effect is registered.
    effect.task = Task.detached(executorPreference: inbox.executor) {
      if wait > .zero { try? await sleep(wait) }
      // An effect that is canceled before its task starts does nothing.
      if !Task.isCancelled { await run { inbox.post(.emitted($0, isProgress: $1, lifetime)) } }
      inbox.post(.returned(lifetime))
    }
    effects.running += 1
    effects.entries[lifetime] = effect
  }

  @inlinable
  mutating func notify(_ state: State) {
    if cell.listeners.isSet { notifySignals() }
    for (_, subscriber) in subscribers { subscriber.deliver(state) }
    guard !waiters.isEmpty else { return }
    waiters.removeAll { _, waiter in
      if waiter.condition(state) { return false }
      waiter.resume(.settled)
      return true
    }
  }
}

extension Engine {
  /// Reports a feedback that drives itself, once.
  @usableFromInline
  mutating func watch(_ effect: EffectTable.Entry) {
    guard chains[effect.feedback].isToReport(effect.depth, limits.now) else { return }
    hooks.diagnostics(
      .drivesItself(
        feedback: name(effect.feedback), query: String(describing: effect.query),
        effects: chains[effect.feedback].count))
  }

  /// A refused effect has no task. Its slot is released after all other starts of this state.
  @usableFromInline
  mutating func refuse(_ start: Start<State, Event>, _ inbox: Inbox<State, Event>) {
    var effect = start.effect
    effect.isRefused = true
    effects.running += 1
    effects.entries[start.lifetime] = effect
    inbox.post(.returned(start.lifetime))
    let trip = LoopGuard.Trip(
      feedback: name(effect.feedback), query: String(describing: effect.query), depth: effect.depth)
    // An event for a trip that led to another trip could go on forever, without any effect.
    guard let onTrip = hooks.onTrip, !isSettlingTrip else {
      hooks.diagnostics(.tripped(trip))
      return
    }
    guard let event = onTrip(trip) else { return }
    inbox.post(.tripped(event, EventOrigin(feedback: trip.feedback, lifetime: nil, depth: trip.depth)))
  }

  @inlinable
  mutating func tripped(_ event: Event, _ origin: EventOrigin, _ inbox: Inbox<State, Event>) {
    isSettlingTrip = true
    reduce(event, origin, inbox)
    isSettlingTrip = false
  }
}

extension Engine {
  @usableFromInline
  mutating func subscribe(_ ticket: Ticket, _ subscriber: Subscriber<State>) {
    guard phase == .running else {
      subscriber.finish()
      return
    }
    if let signal = subscriber.signal {
      signal.notify()
      signals.append((ticket, signal))
      return
    }
    subscriber.deliver(cell.current)
    subscribers.append((ticket, subscriber))
  }

  @usableFromInline
  mutating func unsubscribe(_ ticket: Ticket) {
    subscribers.removeAll { $0.ticket == ticket }
    signals.removeAll { $0.ticket == ticket }
  }

  /// Signals the subscribers that have read the state since the last signal.
  @usableFromInline
  mutating func notifySignals() {
    cell.listeners.reset()
    for (_, signal) in signals { signal.notify() }
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
  mutating func whenQuiet(_ body: @escaping @Sendable () -> Void) {
    quietWaiters.append(body)
    resumeIfQuiet()
  }

  @usableFromInline
  mutating func resumeIfQuiet() {
    guard !quietWaiters.isEmpty, effects.running == 0 else { return }
    for resume in quietWaiters { resume() }
    quietWaiters = []
  }

  /// All effects whose task has not ended, oldest first.
  @usableFromInline var runningEffects: [RunningEffect] { listed { !$0.hasReturned && !$0.isRefused } }

  /// The effects that have returned, and whose query is still requested, oldest first.
  @usableFromInline var answeredEffects: [RunningEffect] { listed { $0.hasReturned && !$0.isRefused } }

  private func listed(_ isListed: (EffectTable.Entry) -> Bool) -> [RunningEffect] {
    effects.entries.filter { isListed($0.value) }.sorted { $0.key < $1.key }.map { lifetime, entry in
      RunningEffect(
        feedback: name(entry.feedback), query: String(describing: entry.query), lifetime: lifetime,
        isBinding: feedbacks[entry.feedback].kind == .bind)
    }
  }
}
