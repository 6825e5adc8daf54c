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

/// The keys a set react wants: which are occupied, which of those hold a slot, and which wait for one.
///
/// A key is *occupied* from the start of its effect until it leaves the wanted keys, even after the effect has
/// returned. It holds a *slot* only while its effect runs.
struct Roster<Key: Hashable & Sendable>: Sendable {
  struct Admission {
    let key: Key
    let lifetime: Lifetime
    /// The causal depth of the state that first requested the key, which may be earlier than when the slot became free.
    let depth: Int
  }

  private let slots: Int
  private var occupied: [Key: Lifetime] = [:]
  private var holders: [Lifetime: Key] = [:]
  /// The keys without a slot, the next one last.
  private var waiting: [(key: Key, depth: Int)] = []

  /// - Parameter slots: How many effects may run at once; at least 1.
  init(slots: Int) {
    self.slots = max(1, slots)
  }

  /// Releases the keys that are no longer wanted, in the order in which they had started.
  ///
  /// `keys` is in starting order and may contain duplicates, of which the first counts. O(keys + occupied keys).
  mutating func leave(allBut keys: [Key], depth: Int) -> [Lifetime] {
    var wanted = Set<Key>(minimumCapacity: keys.count)
    let depths = Dictionary(waiting.map { ($0.key, $0.depth) }, uniquingKeysWith: { first, _ in first })
    waiting.removeAll(keepingCapacity: true)
    for key in keys where wanted.insert(key).inserted && occupied[key] == nil {
      waiting.append((key, depths[key] ?? depth))
    }
    waiting.reverse()
    let left = occupied.filter { !wanted.contains($0.key) }
    for (key, lifetime) in left {
      occupied[key] = nil
      holders[lifetime] = nil
    }
    return left.values.sorted()
  }

  /// Gives free slots to waiting keys, in order.
  mutating func admit(_ context: inout StepContext) -> [Admission] {
    let count = min(waiting.count, slots - holders.count)
    guard count > 0 else { return [] }
    let admissions = waiting.suffix(count).reversed().map { entry in
      Admission(key: entry.key, lifetime: context.newLifetime(), depth: entry.depth)
    }
    waiting.removeLast(count)
    for admission in admissions {
      occupied[admission.key] = admission.lifetime
      holders[admission.lifetime] = admission.key
    }
    return admissions
  }

  /// The key whose effect has this lifetime, while it holds its slot.
  func key(of lifetime: Lifetime) -> Key? {
    holders[lifetime]
  }

  /// Frees the slot of an effect that returned; its key stays occupied.
  mutating func release(_ lifetime: Lifetime) {
    holders[lifetime] = nil
  }
}
