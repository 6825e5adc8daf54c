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
