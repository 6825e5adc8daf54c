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
