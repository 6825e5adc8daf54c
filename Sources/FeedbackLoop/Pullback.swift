internal import Locking

extension Feedback {
  /// The same feedback for a larger state and event, so that a feature can be a part of another one.
  ///
  /// ```swift
  /// enum Session {
  ///   static var feedbacks: [Feedback<Session, SessionEvent>] { … }
  /// }
  /// let app = Session.feedbacks.map { $0.pullback(state: \.session, event: AppEvent.session) }
  /// ```
  ///
  /// The feedback keeps its name. Whether an event counts as progress is decided with the
  /// child's event and state.
  ///
  /// Costs one call of `state` for each state, and one allocation for each event of an effect.
  ///
  /// - Parameters:
  ///   - state: Returns the child's state. Called for every state on the draining thread.
  ///   - event: Embeds an event of the child.
  public func pullback<ParentState: Sendable, ParentEvent: Sendable>(
    state: @escaping @Sendable (ParentState) -> State, event: @escaping @Sendable (Event) -> ParentEvent
  ) -> Feedback<ParentState, ParentEvent> {
    children({ [(OnlyChildKey(), state($0))] }, { parent, _ in state(parent) }) { _, child in event(child) }
  }

  /// The same feedback for a larger state in which the child's state is optional.
  ///
  /// When the child's state becomes `nil`, all effects of the feedback are canceled; when the child's state is set
  /// again, the feedback starts again. Everything else is as in ``pullback(state:event:)``.
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
    children({ state($0).map { [(OnlyChildKey(), $0)] } ?? [] }, { parent, _ in state(parent) }) { _, child in
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
    _ find: @escaping @Sendable (ParentState, ID) -> State?,
    _ event: @escaping @Sendable (ID, Event) -> ParentEvent
  ) -> Feedback<ParentState, ParentEvent> {
    Feedback<ParentState, ParentEvent>(kind, name: name) { source in
      let children = Lock(
        Children<ID, State, Event, ParentState, ParentEvent>(
          find: find, event: event, makeInstance: { id in makeInstance(source.map { find($0, id) }) }))
      return FeedbackInstance(
        ended: { lifetime, steps in children.withLock { $0.ended(lifetime, &steps) } },
        finish: { children.withLock { $0.finish() } },
        step: { parent, steps in
          let wanted = states(parent)
          children.withLock { $0.change(to: wanted, &steps) }
        })
    }
  }
}

/// The instances of a feedback for the children of a larger state.
private struct Children<
  ID: Hashable & Sendable, State: Sendable, Event: Sendable, ParentState: Sendable, ParentEvent: Sendable
> {
  let find: @Sendable (ParentState, ID) -> State?
  let event: @Sendable (ID, Event) -> ParentEvent
  let makeInstance: @Sendable (ID) -> FeedbackInstance<State, Event>
  var members: [ID: (instance: FeedbackInstance<State, Event>, effects: Set<Lifetime>)] = [:]

  mutating func change(to states: [(ID, State)], _ steps: inout Steps<ParentState, ParentEvent>) {
    var seen: Set<ID> = []
    for (id, state) in states where seen.insert(id).inserted {
      if members[id] == nil { members[id] = (makeInstance(id), []) }
      decide(id, &steps) { $0.step(state, &$1) }
    }
    let removed = members.filter { !seen.contains($0.key) }
    steps.cancellations += removed.values.flatMap(\.effects).sorted()
    for (id, child) in removed {
      members[id] = nil
      if let finish = child.instance.finish { steps.observations.append(finish) }
    }
  }

  mutating func ended(_ lifetime: Lifetime, _ steps: inout Steps<ParentState, ParentEvent>) {
    guard let id = members.first(where: { $0.value.effects.contains(lifetime) })?.key else { return }
    decide(id, &steps) { $0.ended?(lifetime, &$1) }
  }

  func finish() { for child in members.values { child.instance.finish?() } }

  /// Lets a child decide, and adds its decisions to those of the parent.
  private mutating func decide(
    _ id: ID, _ steps: inout Steps<ParentState, ParentEvent>,
    _ body: (FeedbackInstance<State, Event>, inout Steps<State, Event>) -> Void
  ) {
    guard let instance = members[id]?.instance else { return }
    var inner = Steps<State, Event>()
    (inner.depth, inner.feedback, inner.lastLifetime) = (steps.depth, steps.feedback, steps.lastLifetime)
    body(instance, &inner)
    steps.lastLifetime = inner.lastLifetime
    steps.cancellations += inner.cancellations
    steps.observations += inner.observations
    steps.starts += inner.starts.map { [find, event] in $0.lifted({ find($0, id) }, { event(id, $0) }) }
    members[id]?.effects.subtract(inner.cancellations)
    members[id]?.effects.formUnion(inner.starts.map(\.lifetime))
  }
}

/// The key of a child that has no siblings.
private struct OnlyChildKey: Hashable, Sendable {}

extension Start {
  /// The same effect, with its events embedded in those of a parent.
  fileprivate func lifted<ParentState: Sendable, ParentEvent: Sendable>(
    _ state: @escaping @Sendable (ParentState) -> State?, _ event: @escaping @Sendable (Event) -> ParentEvent
  ) -> Start<ParentState, ParentEvent> {
    let run = run
    return Start<ParentState, ParentEvent>(lifetime: lifetime, effect: effect) { post in
      await run { child, isProgress in
        guard let isProgress else { return post(event(child), nil) }
        post(event(child)) { parent in state(parent).map(isProgress) ?? false }
      }
    }
  }
}
