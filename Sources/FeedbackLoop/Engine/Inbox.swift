/// The queue that everything goes through, and the trampoline that empties it.
///
/// The thread that posts an item to an idle inbox drains it, and everything posted meanwhile, by whichever thread,
/// including the draining thread itself; so nothing is ever nested and everything has one order.
///
/// The engine is a noncopyable value that lies in the inbox while nobody drains. Draining *is* holding the engine:
/// whoever takes it out has sole access to it, without a lock, and puts it back in the same critical section that
/// finds the queue empty. So no item can be stranded and nothing the engine does happens under the inbox lock.
@usableFromInline
final class Inbox<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline
  struct Contents: ~Copyable, Sendable {
    @usableFromInline var queue = Queue<Item<State, Event>>()
    @usableFromInline var engine: Engine<State, Event>?
    @usableFromInline var isOpen = false
    var lastTicket: Ticket = 0
    /// Tickets of waiters that have not been posted yet.
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

  /// Lets everything that was posted so far be processed, after the initial state. Only the first call counts.
  @inlinable
  func start() {
    open(with: .start)
  }

  /// Ends the system ahead of everything that is still queued.
  @inlinable
  func stop() {
    let isFirst = open(with: .stop)
    if !isFirst { enqueue { $0.queue.prepend(.stop) } }
  }

  func newTicket() -> Ticket {
    contents.withLock { $0.newTicket() }
  }

  /// A ticket that either ``post(_:using:)`` or ``cancel(_:with:)`` uses up, whichever comes first.
  @usableFromInline
  func newWaitingTicket() -> Ticket {
    contents.withLock { contents in
      let ticket = contents.newTicket()
      contents.unused.insert(ticket)
      return ticket
    }
  }

  /// Posts several items with nothing in between, unless the ticket was cancelled before; returns whether it did.
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

  /// Posts `item` if the ticket was posted before; otherwise sees to it that it never will be.
  @inlinable
  func cancel(_ ticket: Ticket, with item: Item<State, Event>) {
    enqueue { contents in
      if contents.unused.remove(ticket) == nil { contents.queue.append(item) }
    }
  }

  /// Opens a closed inbox with `item` in front of everything posted before, and returns whether it was closed.
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

  /// The next item for the thread that holds the engine; puts the engine back when there is none.
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
