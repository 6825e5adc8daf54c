extension Feedback {
  /// The same feedback for a larger state and event: a feature as a part of another one.
  ///
  /// ```swift
  /// enum Session {
  ///   static var feedbacks: [Feedback<Session, SessionEvent>] { … }
  /// }
  /// let app = Session.feedbacks.map { $0.pullback(state: \.session, event: AppEvent.session) }
  /// ```
  ///
  /// The feedback keeps its name and the options of its tasks. Whether an event counts as progress is decided with the
  /// child's event and state. The ``LoopGuard`` compares states as a whole.
  ///
  /// Costs one call of `state` for each state, and one allocation for each event of an effect.
  ///
  /// - Parameters:
  ///   - state: Returns the child's state. Called for every state on the draining thread.
  ///   - event: Embeds an event of the child.
  public func pullback<ParentState: Sendable, ParentEvent: Sendable>(
    state: @escaping @Sendable (ParentState) -> State, event: @escaping @Sendable (Event) -> ParentEvent
  ) -> Feedback<ParentState, ParentEvent> {
    lifted(childProgress: { parent, _ in state(parent) }, id: Only.self) { source in
      Pullback(state: state, event: event, child: makeInstance(source.map(state)))
    }
  }

  /// The same feedback for a larger state that has the child's state only sometimes.
  ///
  /// When the child's state becomes `nil`, all effects of the feedback are canceled; when it is there again, the
  /// feedback starts again. Everything else is as in ``pullback(state:event:)``.
  ///
  /// ```swift
  /// let details = Details.feedback.pullback(optional: \.details, event: AppEvent.details)
  /// ```
  ///
  /// - Parameters:
  ///   - state: Returns the child's state, or `nil`. Called for every state on the draining thread.
  ///   - event: Embeds an event of the child.
  public func pullback<ParentState: Sendable, ParentEvent: Sendable>(
    optional state: @escaping @Sendable (ParentState) -> State?,
    event: @escaping @Sendable (Event) -> ParentEvent
  ) -> Feedback<ParentState, ParentEvent> {
    children({ state($0).map { [(Only(), $0)] } ?? [] }, { parent, _ in state(parent) }) { _, child in
      event(child)
    }
  }

  /// One instance of the feedback for each of several children, identified by their `id`.
  ///
  /// A child that is removed has all its effects canceled; one that is added starts again, even if it has the id of an
  /// earlier one. Of equal ids, the first counts. Everything else is as in ``pullback(state:event:)``.
  ///
  /// ```swift
  /// let uploads = Upload.feedback.pullback(toEach: \.uploads) { id, event in AppEvent.upload(id, event) }
  /// ```
  ///
  /// Costs O(children) for each state.
  ///
  /// - Parameters:
  ///   - states: Returns the children. Called for every state on the draining thread.
  ///   - event: Embeds an event of the child with this id.
  public func pullback<ParentState: Sendable, ParentEvent: Sendable>(
    toEach states: @escaping @Sendable (ParentState) -> [State],
    event: @escaping @Sendable (State.ID, Event) -> ParentEvent
  ) -> Feedback<ParentState, ParentEvent> where State: Identifiable, State.ID: Sendable {
    children(
      { states($0).map { ($0.id, $0) } }, { parent, id in states(parent).first { $0.id == id } }, event)
  }

  private func children<ParentState: Sendable, ParentEvent: Sendable, ID: Hashable & Sendable>(
    _ states: @escaping @Sendable (ParentState) -> [(ID, State)],
    _ state: @escaping @Sendable (ParentState, ID) -> State?,
    _ event: @escaping @Sendable (ID, Event) -> ParentEvent
  ) -> Feedback<ParentState, ParentEvent> {
    lifted(childProgress: state, id: ID.self) { source in
      ChildrenPullback(states: states, event: event) { id in makeInstance(source.map { state($0, id) }) }
    }
  }

  private func lifted<ParentState: Sendable, ParentEvent: Sendable, ID: Hashable & Sendable>(
    childProgress state: @escaping @Sendable (ParentState, ID) -> State?, id: ID.Type,
    _ makeInstance:
      @escaping @Sendable (StateSource<ParentState>) -> any FeedbackInstance<ParentState, ParentEvent>
  ) -> Feedback<ParentState, ParentEvent> {
    let isProgress = isProgress
    var feedback = Feedback<ParentState, ParentEvent>(
      name: name, kind: kind,
      progress: .emission { emission, parent in
        guard let child = emission.child as? ChildEmission<ID, Event>, let state = state(parent, child.id)
        else { return false }
        return isProgress(child.emission, state)
      }, makeInstance: makeInstance)
    feedback.tasks = tasks
    return feedback
  }
}

/// The identity of a child that is the only one.
private struct Only: Hashable, Sendable {}

/// The event of a child from which an event of its parent was made.
final class ChildEmission<ID: Sendable, Event: Sendable>: Sendable {
  let id: ID
  let emission: Emission<Event>

  init(id: ID, emission: Emission<Event>) {
    self.id = id
    self.emission = emission
  }
}

extension Start {
  /// The same effect, whose events are embedded in those of a parent.
  func lifted<ID: Sendable, ParentEvent: Sendable>(
    id: ID, _ event: @escaping @Sendable (Event) -> ParentEvent
  ) -> Start<ParentEvent> {
    let run = run
    let lift: @Sendable (Emission<Event>) -> Emission<ParentEvent> = { emission in
      Emission(event(emission.event), child: ChildEmission(id: id, emission: emission))
    }
    return Start<ParentEvent>(
      lifetime: lifetime, depth: depth, isRepeated: isRepeated, query: query,
      run: { query, emit in
        let child = Emit<Event>(lifetime: emit.lifetime) { emission, _ in emit.send(lift(emission)) }
        let last = await run(query, child)
        return last.map(lift)
      })
  }
}

/// A feedback of a child that is always there.
private struct Pullback<State: Sendable, Event: Sendable, ChildState: Sendable, ChildEvent: Sendable>:
  FeedbackInstance
{
  let state: @Sendable (State) -> ChildState
  let event: @Sendable (ChildEvent) -> Event
  var child: any FeedbackInstance<ChildState, ChildEvent>

  var observes: Bool { child.observes }

  mutating func step(_ parent: State, _ context: inout StepContext) -> Step<Event>? {
    // Most states change nothing.
    guard let step = child.step(state(parent), &context) else { return nil }
    return lifted(step)
  }

  mutating func observe(_ parent: State) { child.observe(state(parent)) }

  mutating func answered(_ lifetime: Lifetime, _ context: StepContext) { child.answered(lifetime, context) }

  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    lifted(child.ended(lifetime, &context))
  }

  mutating func refused(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    lifted(child.refused(lifetime, &context))
  }

  mutating func retryRefused(_ context: inout StepContext) -> Step<Event>? {
    child.retryRefused(&context).map(lifted)
  }

  mutating func finish() { child.finish() }

  private func lifted(_ step: Step<ChildEvent>) -> Step<Event> {
    Step(cancellations: step.cancellations, starts: lifted(step.starts))
  }

  private func lifted(_ starts: [Start<ChildEvent>]) -> [Start<Event>] {
    starts.map { $0.lifted(id: Only(), event) }
  }
}

/// The instances of a feedback for children that come and go.
private struct ChildrenPullback<
  State: Sendable, Event: Sendable, ID: Hashable & Sendable, ChildState: Sendable, ChildEvent: Sendable
>: FeedbackInstance {
  struct Child: Sendable {
    var instance: any FeedbackInstance<ChildState, ChildEvent>
    /// The effects whose query is wanted.
    var lifetimes: Set<Lifetime> = []
  }

  let states: @Sendable (State) -> [(ID, ChildState)]
  let event: @Sendable (ID, ChildEvent) -> Event
  let makeInstance: @Sendable (ID) -> any FeedbackInstance<ChildState, ChildEvent>
  var children: [ID: Child] = [:]
  var owners: [Lifetime: ID] = [:]
  /// The instances of removed children, until their effects have been canceled.
  var removed: [any FeedbackInstance<ChildState, ChildEvent>] = []

  init(
    states: @escaping @Sendable (State) -> [(ID, ChildState)],
    event: @escaping @Sendable (ID, ChildEvent) -> Event,
    makeInstance: @escaping @Sendable (ID) -> any FeedbackInstance<ChildState, ChildEvent>
  ) {
    self.states = states
    self.event = event
    self.makeInstance = makeInstance
  }

  var observes: Bool { true }

  mutating func step(_ parent: State, _ context: inout StepContext) -> Step<Event>? {
    var step = Step<Event>()
    var seen: Set<ID> = []
    for (id, state) in states(parent) where seen.insert(id).inserted {
      if children[id] == nil { children[id] = Child(instance: makeInstance(id)) }
      if let change = children[id]?.instance.step(state, &context) { adopt(change, of: id, in: &step) }
    }
    if seen.count < children.count { remove(allBut: seen, in: &step) }
    return step.isEmpty ? nil : step
  }

  mutating func observe(_ parent: State) {
    for index in removed.indices { removed[index].finish() }
    removed = []
    var seen: Set<ID> = []
    for (id, state) in states(parent) where seen.insert(id).inserted {
      if children[id]?.instance.observes == true { children[id]?.instance.observe(state) }
    }
  }

  mutating func answered(_ lifetime: Lifetime, _ context: StepContext) {
    guard let id = owners[lifetime] else { return }
    children[id]?.instance.answered(lifetime, context)
  }

  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    guard let id = owners[lifetime] else { return [] }
    return adopt(children[id]?.instance.ended(lifetime, &context) ?? [], of: id)
  }

  mutating func refused(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    guard let id = owners[lifetime] else { return [] }
    return adopt(children[id]?.instance.refused(lifetime, &context) ?? [], of: id)
  }

  mutating func retryRefused(_ context: inout StepContext) -> Step<Event>? {
    var step = Step<Event>()
    for id in children.keys {
      if let change = children[id]?.instance.retryRefused(&context) { adopt(change, of: id, in: &step) }
    }
    step.starts.sort { $0.lifetime < $1.lifetime }
    return step.isEmpty ? nil : step
  }

  mutating func finish() {
    for index in removed.indices { removed[index].finish() }
    for id in children.keys { children[id]?.instance.finish() }
  }

  private mutating func adopt(_ change: Step<ChildEvent>, of id: ID, in step: inout Step<Event>) {
    for lifetime in change.cancellations {
      owners[lifetime] = nil
      children[id]?.lifetimes.remove(lifetime)
    }
    step.cancellations += change.cancellations
    step.starts += adopt(change.starts, of: id)
  }

  private mutating func adopt(_ starts: [Start<ChildEvent>], of id: ID) -> [Start<Event>] {
    starts.map { start in
      owners[start.lifetime] = id
      children[id]?.lifetimes.insert(start.lifetime)
      return start.lifted(id: id) { [event] in event(id, $0) }
    }
  }

  private mutating func remove(allBut seen: Set<ID>, in step: inout Step<Event>) {
    var left: [Lifetime] = []
    for (id, child) in children where !seen.contains(id) {
      children[id] = nil
      left += child.lifetimes
      removed.append(child.instance)
    }
    for lifetime in left { owners[lifetime] = nil }
    step.cancellations += left.sorted()
  }
}
