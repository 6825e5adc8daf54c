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
