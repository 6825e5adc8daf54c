public import Locking

/// The queue for all items of a system, and the trampoline that drains it.
///
/// The thread that posts an item to an idle inbox drains it, including everything posted meanwhile by any thread,
/// itself included. Therefore items are never processed recursively and have a single order.
///
/// The engine is a noncopyable value stored in the inbox while no thread is draining. Draining *is* holding the engine:
/// the thread that takes it has exclusive access without a lock, and puts it back in the same critical section in which
/// it finds the queue empty. So no item can be stranded, and no engine code runs under the inbox lock.
///
/// A thread that has processed enough items of other threads puts the engine back although the queue is not empty, and
/// schedules a task that continues. Until then, the engine belongs to that task: other threads only append.
@usableFromInline
final class Inbox<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline
  struct Contents: ~Copyable, Sendable {
    @usableFromInline var queue: [Item<State, Event>] = []
    @usableFromInline var engine: Engine<State, Event>?
    @usableFromInline var isOpen = false
    /// Whether a task has been scheduled that will take the engine.
    @usableFromInline var isScheduled = false
    var lastTicket: Ticket = 0
    /// The tickets of waiters that have not been posted yet.
    @usableFromInline var unused: Set<Ticket> = []

    init(_ engine: consuming Engine<State, Event>) { self.engine = consume engine }

    mutating func newTicket() -> Ticket {
      lastTicket += 1
      return lastTicket
    }
  }

  @usableFromInline let contents: Lock<Contents>
  /// Whether ``stop()`` was called, for the thread that drains items which are no longer in the queue.
  @usableFromInline let isStopping = Flag()
  @usableFromInline let draining: Draining
  @usableFromInline let executor: (any TaskExecutor)?
  @usableFromInline let now: @Sendable () -> Duration

  /// - Parameters:
  ///   - executor: Where effects run, and a task that drains.
  ///   - now: Measures how long a thread processes the items of others.
  init(
    _ engine: consuming Engine<State, Event>, draining: Draining, executor: (any TaskExecutor)?,
    now: @escaping @Sendable () -> Duration
  ) {
    contents = Lock(Contents(engine))
    self.draining = draining
    self.executor = executor
    self.now = now
  }

  /// Appends an item and processes it, unless the system has not been started or another thread is draining.
  @inlinable
  func post(_ item: Item<State, Event>) { enqueue { $0.queue.append(item) } }

  /// Opens the inbox: processes the initial state, then everything posted so far. Only the first call has an effect.
  @inlinable
  func start() { open(with: .start) }

  /// Stops the system before everything that is still queued.
  @inlinable
  func stop() {
    isStopping.set()
    let isFirst = open(with: .stop)
    if !isFirst { enqueue { $0.queue.insert(.stop, at: 0) } }
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
    enqueue(count: items.count) { contents in
      guard contents.unused.remove(ticket) != nil else { return }
      isPosted = true
      contents.queue += items
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

  /// Cancels a waiter, even in a system that has not been started and so processes nothing.
  @usableFromInline
  func cancelWaiter(_ ticket: Ticket, sending event: Event?) {
    let waiter = contents.withLock { contents -> Waiter<State>? in
      guard !contents.isOpen, !contents.unused.contains(ticket) else { return nil }
      for index in contents.queue.indices {
        guard case .wait(ticket, let waiter) = contents.queue[index] else { continue }
        contents.queue.remove(at: index)
        if let event { contents.queue.append(.sent(event)) }
        return waiter
      }
      return nil
    }
    if let waiter {
      waiter.resume(.cancelled)
    } else {
      cancel(ticket, with: .cancelWait(ticket, event))
    }
  }

  /// Opens a closed inbox with `item` before everything posted so far; returns whether it was closed.
  @inlinable
  @discardableResult
  func open(with item: Item<State, Event>) -> Bool {
    let isFirst = contents.withLock { contents in
      if contents.isOpen { return false }
      contents.isOpen = true
      contents.queue.insert(item, at: 0)
      return true
    }
    if isFirst { enqueue { _ in } }
    return isFirst
  }
}

/// Which thread processes events.
///
/// Wherever events are processed, they are processed one at a time and in order.
public enum Draining: Sendable, Hashable {
  /// The thread that sends to an idle system, so that `send` returns when the state has settled. If more is queued, the
  /// thread processes at most 256 more items, for at most 1 ms, and leaves the rest to a task on the system's executor.
  case sender
  /// Tasks on the main actor. `send` returns immediately; for a `send` on the main actor that returns when the state
  /// has settled, use a `FeedbackStore`.
  case mainActor
}

extension Inbox {
  /// - Parameter count: How many items `change` appends.
  @inlinable
  func enqueue(count: Int = 1, _ change: (inout Contents) -> Void) {
    var isToSchedule = false
    var engine = contents.withLock { contents -> Engine<State, Event>? in
      change(&contents)
      guard contents.isOpen, !contents.isScheduled, contents.engine != nil else { return nil }
      if draining == .sender { return contents.engine.take() }
      contents.isScheduled = true
      isToSchedule = true
      return nil
    }
    if isToSchedule { schedule() }
    if engine != nil { drain(&engine, own: count) }
  }

  /// Posts an item on the main actor and processes it before returning, unless another thread is draining.
  @MainActor
  func postOnMainActor(_ item: Item<State, Event>) {
    guard draining == .mainActor else { return post(item) }
    var engine = contents.withLock { contents -> Engine<State, Event>? in
      contents.queue.append(item)
      return contents.isOpen ? contents.engine.take() : nil
    }
    // The items before it, if any, must be processed first.
    if engine != nil { drain(&engine, own: 1) }
  }

  /// Processes items until none is left, or until this thread has processed enough items of others.
  ///
  /// - Parameter own: How many items are this thread's own.
  @inlinable
  func drain(_ engine: inout Engine<State, Event>?, own: Int) {
    var items: [Item<State, Event>] = []
    var count = 0
    /// The time when the thread began to process items of others.
    var start: Duration?
    while take(&items, orPutBack: &engine) {
      // A stop comes before everything in the queue, and so before everything that was taken from it.
      if isStopping.isSet { engine?.stop() }
      if count == own { start = now() }
      if let item = items.popLast() { engine?.process(item, inbox: self) }
      count += 1
      if let start, count - own >= 256 || now() - start >= .milliseconds(1) {
        handOn(items, &engine)
        return
      }
    }
  }

  /// Takes all items of the queue at once, in reverse order, unless earlier ones are left. Without any item, puts the
  /// engine back and returns false.
  @inlinable
  func take(_ items: inout [Item<State, Event>], orPutBack engine: inout Engine<State, Event>?) -> Bool {
    if !items.isEmpty { return true }
    return contents.withLock { contents in
      if contents.queue.isEmpty {
        // A large buffer is released instead of being reused.
        if contents.queue.capacity > 256 { contents.queue = [] }
        contents.engine = engine.take()
        return false
      }
      swap(&items, &contents.queue)
      items.reverse()
      return true
    }
  }

  /// Puts the engine back for a task that continues if anything is left.
  @inlinable
  func handOn(_ items: [Item<State, Event>], _ engine: inout Engine<State, Event>?) {
    let isToSchedule = contents.withLock { contents in
      contents.queue.insert(contentsOf: items.reversed(), at: 0)
      contents.isScheduled = !contents.queue.isEmpty
      contents.engine = engine.take()
      return contents.isScheduled
    }
    if isToSchedule { schedule() }
  }

  @inlinable
  func schedule() {
    switch draining {
    case .sender: Task.detached(executorPreference: executor) { self.continueDraining() }
    case .mainActor: Task { @MainActor in self.continueDraining() }
    }
  }

  @inlinable
  func continueDraining() {
    var engine = contents.withLock { contents in
      contents.isScheduled = false
      return contents.engine.take()
    }
    if engine != nil { drain(&engine, own: 0) }
  }
}

/// Everything a system processes, in order of arrival.
///
/// Subscriptions and waiters are items like events, so that a single order covers all of them: a subscriber starts
/// without a gap or a duplicate, and there is no second lock and so no lock order to violate.
///
/// A task that waits is resumed by a closure, not by its continuation: the size of a continuation is only known when the
/// program runs, and then every item would be moved by the runtime.
@usableFromInline
enum Item<State: Sendable, Event: Sendable>: Sendable {
  case start
  case stop
  /// An event that `send` was called with.
  case sent(Event)
  /// An event from a running effect, and whether it is progress in the state that it leads to.
  case emitted(Event, isProgress: (@Sendable (State) -> Bool)?, Lifetime)
  /// An effect returned, or the guard refused to start it.
  case returned(Lifetime)
  /// The event that the application created for a trip of the loop guard.
  case tripped(Event, EventOrigin)
  case mistake(Diagnostic)
  case subscribe(Ticket, Subscriber<State>)
  case unsubscribe(Ticket)
  case wait(Ticket, Waiter<State>)
  /// The task of a waiter was canceled; the event is the waiter's `onCancel`, if any.
  case cancelWait(Ticket, Event?)
  /// A function to call when no effect is left.
  case whenQuiet(@Sendable () -> Void)
  /// A request for the effects that run, and those that have returned and are still requested.
  case report(@Sendable (_ running: [RunningEffect], _ answered: [RunningEffect]) -> Void)
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
  /// Resumes the task. Called once.
  @usableFromInline let resume: @Sendable (Outcome) -> Void

  @inlinable
  init(condition: @escaping @Sendable (State) -> Bool, resume: @escaping @Sendable (Outcome) -> Void) {
    self.condition = condition
    self.resume = resume
  }
}
