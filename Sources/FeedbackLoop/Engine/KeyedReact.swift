/// A react to a set of queries with identities: one effect per identity, which receives later values of its query.
struct KeyedReact<State: Sendable, Event: Sendable, Query: Identifiable & Equatable & Sendable>:
  FeedbackInstance
where Query.ID: Sendable {
  typealias Effect = @Sendable (Query, AsyncStream<Query>, Emit<Event>) async -> Void

  private let queries: @Sendable (State) -> [Query]
  private let effect: Effect
  private var wanted: [Query] = []
  private var values: [Query.ID: Query] = [:]
  private var roster: Roster<Query.ID>
  private var updates: [Query.ID: AsyncStream<Query>.Continuation] = [:]
  /// New values, delivered after the cancellations for this state.
  private var pushes: [Query] = []
  private var repeats = KeyedRepeats<Query.ID, Query>()

  init(queries: @escaping @Sendable (State) -> [Query], maxConcurrent: Int, effect: @escaping Effect) {
    self.queries = queries
    self.effect = effect
    roster = Roster(slots: maxConcurrent)
  }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = queries(state)
    guard wanted != self.wanted else { return nil }
    self.wanted = wanted
    let old = values
    values = Dictionary(wanted.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    pushes = Self.changes(from: old, to: wanted)
    for (id, continuation) in updates where values[id] == nil {
      continuation.finish()
      updates[id] = nil
    }
    let cancellations = roster.leave(allBut: wanted.map(\.id), depth: context.depth)
    return Step(cancellations: cancellations, starts: admit(&context))
  }

  mutating func observe(_ state: State) {
    for value in pushes { updates[value.id]?.yield(value) }
    pushes = []
  }

  mutating func answered(_ lifetime: Lifetime, epoch: UInt64) {
    guard let id = roster.key(of: lifetime), let query = values[id] else { return }
    repeats.add(query, key: id, epoch: epoch)
  }

  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> Step<Event>? {
    if let id = roster.key(of: lifetime) { updates.removeValue(forKey: id)?.finish() }
    roster.release(lifetime)
    let starts = admit(&context)
    return starts.isEmpty ? nil : Step(starts: starts)
  }

  func finish() {
    for continuation in updates.values { continuation.finish() }
  }

  /// The queries that were already wanted, but with another value, in order.
  private static func changes(from old: [Query.ID: Query], to wanted: [Query]) -> [Query] {
    var seen: Set<Query.ID> = []
    return wanted.filter { query in
      seen.insert(query.id).inserted && old[query.id].map { $0 != query } ?? false
    }
  }

  private mutating func admit(_ context: inout StepContext) -> [Start<Event>] {
    roster.admit(&context).compactMap { admission in
      guard let query = values[admission.key] else { return nil }
      let (stream, continuation) = AsyncStream.makeStream(of: Query.self)
      updates[admission.key] = continuation
      return Start(
        lifetime: admission.lifetime, depth: admission.depth,
        repeats: repeats.count(of: query, key: query.id, epoch: context.epoch),
        query: { String(describing: query) },
        run: { [effect] emit in
          await effect(query, stream, emit)
          return nil
        })
    }
  }
}
