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

  init(_ engine: consuming Engine<State, Event>) {
    contents = Lock(Contents(engine: engine))
  }

  /// Appends an item and processes it, unless the system has not been started or another thread is draining.
  @inlinable
  func post(_ item: Item<State, Event>) {
    enqueue { $0.queue.append(item) }
  }

  /// Opens the inbox: processes the initial state, then everything posted so far. Only the first call has an effect.
  @inlinable
  func start() {
    open(with: .start)
  }

  /// Stops the system before everything that is still queued.
  @inlinable
  func stop() {
    let isFirst = open(with: .stop)
    if !isFirst { enqueue { $0.queue.prepend(.stop) } }
  }

  func newTicket() -> Ticket {
    contents.withLock { $0.newTicket() }
  }

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
  mutating func append(_ element: Element) {
    incoming.append(element)
  }

  @inlinable
  mutating func prepend(_ element: Element) {
    outgoing.append(element)
  }

  @inlinable
  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      swap(&incoming, &outgoing)
      outgoing.reverse()
    }
    return outgoing.popLast()
  }
}
