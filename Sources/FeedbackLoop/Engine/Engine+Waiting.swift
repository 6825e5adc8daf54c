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
