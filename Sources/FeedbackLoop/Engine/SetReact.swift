/// A react to a set of queries: one effect per query, which runs as long as its query is wanted.
struct SetReact<State: Sendable, Event: Sendable, Query: Hashable & Sendable>: FeedbackInstance {
  private let queries: @Sendable (State) -> [Query]
  private let effect: @Sendable (Query, Emit<Event>) async -> Event?
  private var wanted: [Query] = []
  private var roster: Roster<Query>
  private var repeats = KeyedRepeats<Query, Query>()

  init(
    queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?
  ) {
    self.queries = queries
    self.effect = effect
    roster = Roster(slots: maxConcurrent)
  }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = queries(state)
    guard wanted != self.wanted else { return nil }
    self.wanted = wanted
    let cancellations = roster.leave(allBut: wanted, depth: context.depth)
    return Step(cancellations: cancellations, starts: admit(&context))
  }

  mutating func answered(_ lifetime: Lifetime, epoch: UInt64) {
    if let query = roster.key(of: lifetime) { repeats.add(query, key: query, epoch: epoch) }
  }

  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> Step<Event>? {
    roster.release(lifetime)
    let starts = admit(&context)
    return starts.isEmpty ? nil : Step(starts: starts)
  }

  private mutating func admit(_ context: inout StepContext) -> [Start<Event>] {
    roster.admit(&context).map { admission in
      let query = admission.key
      return Start(
        lifetime: admission.lifetime, depth: admission.depth,
        repeats: repeats.count(of: query, key: query, epoch: context.epoch),
        query: { String(describing: query) }, run: { [effect] emit in await effect(query, emit) })
    }
  }
}
