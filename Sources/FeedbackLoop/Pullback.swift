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
    children({ [(Only(), state($0))] }, { parent, _ in state(parent) }) { _, child in event(child) }
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
    var feedback = Feedback<ParentState, ParentEvent>(name: name, kind: kind) { source in
      Pullback(states: states, state: state, event: event) { id in
        makeInstance(source.map { state($0, id) })
      }
    }
    feedback.tasks = tasks
    return feedback
  }
}

/// The identity of a child that is the only one.
private struct Only: Hashable, Sendable {}

/// The instances of a feedback for children, which may come and go.
private struct Pullback<
  State: Sendable, Event: Sendable, ID: Hashable & Sendable, ChildState: Sendable, ChildEvent: Sendable
>: FeedbackInstance {
  struct Child: Sendable {
    var instance: any FeedbackInstance<ChildState, ChildEvent>
    /// The effects whose query is wanted.
    var lifetimes: Set<Lifetime> = []
  }

  let states: @Sendable (State) -> [(ID, ChildState)]
  let state: @Sendable (State, ID) -> ChildState?
  let event: @Sendable (ID, ChildEvent) -> Event
  let makeInstance: @Sendable (ID) -> any FeedbackInstance<ChildState, ChildEvent>
  var children: [ID: Child] = [:]
  var owners: [Lifetime: ID] = [:]
  /// The instances of removed children, until their effects have been canceled.
  var removed: [any FeedbackInstance<ChildState, ChildEvent>] = []

  init(
    states: @escaping @Sendable (State) -> [(ID, ChildState)],
    state: @escaping @Sendable (State, ID) -> ChildState?,
    event: @escaping @Sendable (ID, ChildEvent) -> Event,
    makeInstance: @escaping @Sendable (ID) -> any FeedbackInstance<ChildState, ChildEvent>
  ) {
    self.states = states
    self.state = state
    self.event = event
    self.makeInstance = makeInstance
  }

  var observes: Bool { true }

  mutating func step(_ parent: State, _ steps: inout Steps<State, Event>) {
    var seen: Set<ID> = []
    for (id, state) in states(parent) where seen.insert(id).inserted {
      if children[id] == nil { children[id] = Child(instance: makeInstance(id)) }
      decide(id, &steps) { $0.step(state, &$1) }
    }
    if seen.count < children.count { remove(allBut: seen, &steps) }
  }

  mutating func ended(_ lifetime: Lifetime, _ steps: inout Steps<State, Event>) {
    if let id = owners[lifetime] { decide(id, &steps) { $0.ended(lifetime, &$1) } }
  }

  mutating func retry(_ steps: inout Steps<State, Event>) {
    for id in children.keys { decide(id, &steps) { $0.retry(&$1) } }
  }

  mutating func observe(_ parent: State) {
    for index in removed.indices { removed[index].finish() }
    removed = []
    guard children.values.contains(where: \.instance.observes) else { return }
    var seen: Set<ID> = []
    for (id, state) in states(parent) where seen.insert(id).inserted {
      children[id]?.instance.observe(state)
    }
  }

  mutating func finish() {
    for index in removed.indices { removed[index].finish() }
    for id in children.keys { children[id]?.instance.finish() }
  }

  /// Lets a child decide, and takes its decisions over.
  private mutating func decide(
    _ id: ID, _ steps: inout Steps<State, Event>,
    _ body: (inout any FeedbackInstance<ChildState, ChildEvent>, inout Steps<ChildState, ChildEvent>) -> Void
  ) {
    guard var child = children[id] else { return }
    var inner = Steps<ChildState, ChildEvent>()
    (inner.depth, inner.lastLifetime, inner.refused) = (steps.depth, steps.lastLifetime, steps.refused)
    body(&child.instance, &inner)
    steps.lastLifetime = inner.lastLifetime
    for lifetime in inner.cancellations {
      owners[lifetime] = nil
      child.lifetimes.remove(lifetime)
    }
    steps.cancellations += inner.cancellations
    for start in inner.starts {
      owners[start.lifetime] = id
      child.lifetimes.insert(start.lifetime)
      steps.starts.append(lifted(start, id, feedback: steps.feedback))
    }
    children[id] = child
  }

  /// The same effect, whose events are embedded in those of the parent.
  private func lifted(
    _ start: Start<ChildState, ChildEvent>, _ id: ID, feedback: Int
  ) -> Start<State, Event> {
    let (run, state, event) = (start.run, state, event)
    return Start(lifetime: start.lifetime, feedback: feedback, depth: start.depth, query: start.query) {
      post in
      await run { child, isProgress in
        post(event(id, child)) { parent in state(parent, id).map(isProgress) ?? false }
      }
    }
  }

  private mutating func remove(allBut seen: Set<ID>, _ steps: inout Steps<State, Event>) {
    var left: [Lifetime] = []
    for (id, child) in children where !seen.contains(id) {
      children[id] = nil
      left += child.lifetimes
      removed.append(child.instance)
    }
    for lifetime in left { owners[lifetime] = nil }
    steps.cancellations += left.sorted()
  }
}
