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
}

extension Engine {
  /// The origin of an event, as known before the event is reduced.
  @usableFromInline
  enum Source {
    case outside
    case effect(Lifetime, EffectTable.Entry)
    case derived(EventOrigin)
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
  func origin(_ source: Source, depth: Int) -> EventOrigin {
    switch source {
    case .outside: .outside
    case .effect(let lifetime, let entry):
      EventOrigin(feedback: name(entry.feedback), lifetime: lifetime, depth: depth)
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
    let starts = instances[entry.feedback].ended(lifetime, &context)
    lastLifetime = context.lastLifetime
    for start in starts { self.start(start, entry.feedback, inbox) }
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
    let origin = EventOrigin(feedback: trip.feedback, lifetime: nil, depth: trip.depth)
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
  mutating func attach(_ task: Task<Void, Never>, to lifetime: Lifetime) { live[lifetime]?.task = task }

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

/// The state of a system and the only function that changes it.
@usableFromInline
final class StateCell<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let state: Lock<State>
  @usableFromInline let reduce: @Sendable (inout State, Event) -> Void

  init(_ initialState: State, reduce: @escaping @Sendable (inout State, Event) -> Void) {
    state = Lock(initialState)
    self.reduce = reduce
  }

  @inlinable var current: State {
    assertNotReducing()
    return state.withLock { $0 }
  }

  /// Reduces one event inside the state lock and returns a copy of the new state.
  @inlinable
  func apply(_ event: Event) -> State {
    state.withLock { state in
      reduce(&state, event)
      return state
    }
  }

  /// Traps in a debug build if a reducer uses the system that runs it.
  @inlinable
  func assertNotReducing() {
    assert(
      !state.isHeldByCurrentThread,
      """
      A reducer used its own FeedbackSystem. reduce must be a function of its state and event alone. For an \
      effect, put a request into the state and perform it in a Feedback.
      """)
  }
}

/// The queue for all items of a system, and the trampoline that drains it.
///
/// The thread that posts an item to an idle inbox drains it, including everything posted meanwhile by any thread,
/// itself included. Therefore items are never processed recursively and have a single order.
///
/// The engine is a noncopyable value stored in the inbox while no thread is draining. Draining *is* holding the engine:
/// the thread that takes it has exclusive access without a lock, and puts it back in the same critical section in which
/// it finds the queue empty. So no item can be stranded, and no engine code runs under the inbox lock.
@usableFromInline
final class Inbox<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline
  struct Contents: ~Copyable, Sendable {
    @usableFromInline var queue = Queue<Item<State, Event>>()
    @usableFromInline var engine: Engine<State, Event>?
    @usableFromInline var isOpen = false
    var lastTicket: Ticket = 0
    /// The tickets of waiters that have not been posted yet.
    @usableFromInline var unused: Set<Ticket> = []

    mutating func newTicket() -> Ticket {
      lastTicket += 1
      return lastTicket
    }
  }

  @usableFromInline let contents: Lock<Contents>

  init(_ engine: consuming Engine<State, Event>) { contents = Lock(Contents(engine: engine)) }

  /// Appends an item and processes it, unless the system has not been started or another thread is draining.
  @inlinable
  func post(_ item: Item<State, Event>) { enqueue { $0.queue.append(item) } }

  /// Opens the inbox: processes the initial state, then everything posted so far. Only the first call has an effect.
  @inlinable
  func start() { open(with: .start) }

  /// Stops the system before everything that is still queued.
  @inlinable
  func stop() {
    let isFirst = open(with: .stop)
    if !isFirst { enqueue { $0.queue.prepend(.stop) } }
  }

  func newTicket() -> Ticket { contents.withLock { $0.newTicket() } }

  /// A ticket that is used up by ``post(_:using:)`` or ``cancel(_:with:)``, whichever comes first.
  @usableFromInline
  func newWaitingTicket() -> Ticket {
    contents.withLock { contents in
      let ticket = contents.newTicket()
      contents.unused.insert(ticket)
      return ticket
    }
  }

  /// Posts several items consecutively, unless the ticket was canceled before; returns whether it did.
  @inlinable
  func post(_ items: [Item<State, Event>], using ticket: Ticket) -> Bool {
    var isPosted = false
    enqueue { contents in
      guard contents.unused.remove(ticket) != nil else { return }
      isPosted = true
      for item in items { contents.queue.append(item) }
    }
    return isPosted
  }

  /// Posts `item` if the ticket was posted before; otherwise prevents the ticket from being posted.
  @inlinable
  func cancel(_ ticket: Ticket, with item: Item<State, Event>) {
    enqueue { contents in
      if contents.unused.remove(ticket) == nil { contents.queue.append(item) }
    }
  }

  /// Opens a closed inbox with `item` before everything posted so far; returns whether it was closed.
  @inlinable
  @discardableResult
  func open(with item: Item<State, Event>) -> Bool {
    let isFirst = contents.withLock { contents in
      if contents.isOpen { return false }
      contents.isOpen = true
      contents.queue.prepend(item)
      return true
    }
    if isFirst { enqueue { _ in } }
    return isFirst
  }

  @inlinable
  func enqueue(_ change: (inout Contents) -> Void) {
    var engine = contents.withLock { contents -> Engine<State, Event>? in
      change(&contents)
      return contents.isOpen ? contents.engine.take() : nil
    }
    while let item = nextItem(for: &engine) {
      engine?.process(item, inbox: self)
    }
  }

  /// The next item for the thread that holds the engine; puts the engine back if there is none.
  @inlinable
  func nextItem(for engine: inout Engine<State, Event>?) -> Item<State, Event>? {
    guard engine != nil else { return nil }
    return contents.withLock { contents in
      if let item = contents.queue.popFirst() { return item }
      contents.engine = engine.take()
      return nil
    }
  }
}

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
  case tripped(Event, EventOrigin)
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

/// A first-in, first-out queue that also accepts urgent elements at its front.
///
/// Every operation is amortized O(1), and a removed element is released immediately.
@usableFromInline
struct Queue<Element: Sendable>: Sendable {
  @usableFromInline var incoming: [Element] = []
  /// The front of the queue, in reverse order.
  @usableFromInline var outgoing: [Element] = []

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ element: Element) { incoming.append(element) }

  @inlinable
  mutating func prepend(_ element: Element) { outgoing.append(element) }

  @inlinable
  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      swap(&incoming, &outgoing)
      outgoing.reverse()
    }
    return outgoing.popLast()
  }
}
