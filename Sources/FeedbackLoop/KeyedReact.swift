/// A react to a set of queries with identities: one effect per identity, which receives later values of its query.
struct KeyedReact<State: Sendable, Event: Sendable, Query: Identifiable & Equatable & Sendable>:
  FeedbackInstance
where Query.ID: Sendable {
  private struct Running: Sendable {
    var query: Query
    let updates: AsyncStream<Query>.Continuation
  }

  let queries: @Sendable (State) -> [Query]
  let effect: @Sendable (Query, AsyncStream<Query>, Emit<Event>) async -> Void
  private var roster: Roster<Query.ID>
  private var wanted: [Query] = []
  private var running: [Query.ID: Running] = [:]
  /// What is delivered after the cancellations for this state: new values of queries, in order, and ends.
  private var pushes: [(AsyncStream<Query>.Continuation, Query?)] = []
  private var repeats = KeyedRepeats<Query.ID, Query>()

  init(
    queries: @escaping @Sendable (State) -> [Query],
    effect: @escaping @Sendable (Query, AsyncStream<Query>, Emit<Event>) async -> Void, slots: Int
  ) {
    self.queries = queries
    self.effect = effect
    roster = Roster(slots: slots)
  }

  var observes: Bool { true }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = queries(state)
    guard let change = ArrayChange(from: self.wanted, to: wanted) else { return nil }
    let old = self.wanted[change.old].map(\.id)
    let cancellations = roster.replace(
      old[...], by: wanted[change.new].map(\.id)[...], depth: context.depth)
    self.wanted = wanted
    // If an identity occurs twice, the value that counts may not be in the part that changed.
    update(with: roster.hasDuplicates ? wanted[...] : wanted[change.new])
    for id in old where !roster.contains(id) {
      if let left = running.removeValue(forKey: id) { pushes.append((left.updates, nil)) }
    }
    let step = Step(cancellations: cancellations, starts: admit(&context))
    return step.isEmpty ? nil : step
  }

  private mutating func update(with queries: ArraySlice<Query>) {
    var seen: Set<Query.ID> = []
    for query in queries where !roster.hasDuplicates || seen.insert(query.id).inserted {
      guard let current = running[query.id], current.query != query else { continue }
      running[query.id]?.query = query
      pushes.append((current.updates, query))
    }
  }

  mutating func observe(_ state: State) {
    guard !pushes.isEmpty else { return }
    for (updates, query) in pushes {
      if let query { updates.yield(query) } else { updates.finish() }
    }
    pushes = []
  }

  mutating func answered(_ lifetime: Lifetime, _ context: StepContext) {
    guard let id = roster.key(of: lifetime), let query = running[id]?.query else { return }
    repeats.answer(query, key: id, depth: context.depth, context.rules)
  }

  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    endUpdates(lifetime)
    roster.release(lifetime)
    return admit(&context)
  }

  mutating func refused(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    endUpdates(lifetime)
    roster.refuse(lifetime)
    return admit(&context)
  }

  mutating func retryRefused(_ context: inout StepContext) -> Step<Event>? {
    guard let cancellations = roster.retryRefused() else { return nil }
    return Step(cancellations: cancellations, starts: admit(&context))
  }

  mutating func finish() {
    for (updates, _) in pushes { updates.finish() }
    for effect in running.values { effect.updates.finish() }
  }

  private mutating func endUpdates(_ lifetime: Lifetime) {
    if let id = roster.key(of: lifetime) { running.removeValue(forKey: id)?.updates.finish() }
  }

  private mutating func admit(_ context: inout StepContext) -> [Start<Event>] {
    guard roster.mayAdmit else { return [] }
    let (wanted, effect, rules) = (wanted, effect, context.rules)
    var starts: [Start<Event>] = []
    while let admission = roster.admit(from: wanted, { $0.id }, &context) {
      let query = wanted[admission.index]
      let (stream, updates) = AsyncStream.makeStream(of: Query.self, bufferingPolicy: .bufferingNewest(1))
      running[query.id] = Running(query: query, updates: updates)
      starts.append(
        Start(
          lifetime: admission.lifetime, depth: admission.depth,
          isRepeated: repeats.start(query, key: query.id, depth: admission.depth, rules),
          query: query,
          run: { _, emit in
            await effect(query, stream, emit)
            return nil
          }))
    }
    return starts
  }
}
