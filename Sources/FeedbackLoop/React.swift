extension Feedback {
  /// Runs an effect for the latest query and sends the event it returns.
  ///
  /// ```swift
  /// .react(to: \.request, name: "page") { request in .loaded(await load(request), for: request) }
  /// ```
  ///
  /// | query of the next state | result |
  /// |---|---|
  /// | equal | nothing happens, even if the effect has returned |
  /// | another value | the running effect is canceled and one for the new query starts |
  /// | `nil` | the running effect is canceled |
  /// | a value, after `nil` | an effect starts, even if the value is an old one |
  ///
  /// - Parameters:
  ///   - query: What the state requests, or `nil`. Called for every state on the draining thread.
  ///   - debounce: How long a query must stay the same before its effect begins. A query that is left earlier has no
  ///     effect.
  ///   - clock: Measures the debounce.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``. Called after the event was reduced, with
  ///     the new state.
  ///   - effect: Fulfills the query. `nil` sends nothing.
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> Query?,
    debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(),
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async -> Event?
  ) -> Self {
    single(query, debounce, clock, name: name, progress: progress) { query, _ in await effect(query) }
  }

  /// Runs an effect for the latest query; the effect sends any number of events.
  ///
  /// ```swift
  /// .react(to: { $0.isTicking ? true : nil }, name: "timer", progress: { _, _ in true }) { _, emit in
  ///   while (try? await clock.sleep(for: .seconds(1))) != nil { emit(.ticked) }
  /// }
  /// ```
  ///
  /// The effect starts and is canceled, and the other parameters are, as in
  /// ``react(to:debounce:clock:name:progress:effect:)-(_,_,_,_,_,(Query)->Event?)``.
  ///
  /// - Parameter effect: Fulfills the query. Its events count until it returns or its query is left.
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> Query?,
    debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(),
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Void
  ) -> Self {
    single(query, debounce, clock, name: name, progress: progress) { query, emit in
      await effect(query, emit)
      return nil
    }
  }

  /// Runs an effect that may fail for the latest query, and sends its event or the one `failure` creates for its error.
  ///
  /// ```swift
  /// .react(
  ///   to: \.request, debounce: .milliseconds(300),
  ///   effect: { request in .loaded(try await load(request), for: request) },
  ///   failure: { error, request in .failed("\(error)", for: request) })
  /// ```
  ///
  /// A `CancellationError` sends nothing, whatever threw it. The effect starts and is canceled, and the other
  /// parameters are, as in ``react(to:debounce:clock:name:progress:effect:)-(_,_,_,_,_,(Query)->Event?)``.
  ///
  /// - Parameters:
  ///   - effect: Fulfills the query or throws.
  ///   - failure: Converts an error to an event. It has no default, so that no error is lost.
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> Query?,
    debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(),
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async throws -> Event,
    failure: @escaping @Sendable (any Error, Query) -> Event
  ) -> Self {
    single(query, debounce, clock, name: name, progress: progress) { query, _ in
      await outcome(of: effect, query, failure)
    }
  }

  private static func single<Query: Equatable & Sendable>(
    _ query: @escaping @Sendable (State) -> Query?,
    _ debounce: Duration,
    _ clock: any Clock<Duration>,
    name: String?,
    progress: @escaping @Sendable (Event, State) -> Bool,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?
  ) -> Self {
    Feedback(name: name, kind: .react, isProgress: progress) {
      SingleReact(query: query) { query, emit in
        if debounce > .zero, (try? await clock.sleep(for: debounce)) == nil { return nil }
        return await effect(query, emit)
      }
    }
  }

  static func outcome<Query: Sendable>(
    of effect: @Sendable (Query) async throws -> Event, _ query: Query,
    _ failure: @Sendable (any Error, Query) -> Event
  ) async -> Event? {
    do {
      return try await effect(query)
    } catch is CancellationError {
      return nil
    } catch {
      return failure(error, query)
    }
  }
}

extension Feedback {
  /// Runs an effect when a condition becomes true, and sends the event it returns.
  ///
  /// ```swift
  /// .whenBecomesTrue(\.isOverdue, name: "reminder") {
  ///   await remind()
  ///   return .reminded
  /// }
  /// ```
  ///
  /// The effect starts when the condition changes from false to true, or is true in the initial state. It does not
  /// start again while the condition stays true, even if it has returned, and is canceled when the condition becomes
  /// false.
  ///
  /// - Parameters:
  ///   - condition: Called for every state on the draining thread.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: What to do. `nil` sends nothing.
  public static func whenBecomesTrue(
    _ condition: @escaping @Sendable (State) -> Bool,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable () async -> Event?
  ) -> Self {
    react(to: { condition($0) ? true : nil }, name: name, progress: progress) { _ in await effect() }
  }

  /// Runs an effect when a condition becomes true; the effect sends any number of events.
  ///
  /// The effect starts and is canceled, and the parameters are, as in
  /// ``whenBecomesTrue(_:name:progress:effect:)-(_,_,_,()->Event?)``.
  public static func whenBecomesTrue(
    _ condition: @escaping @Sendable (State) -> Bool,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Emit<Event>) async -> Void
  ) -> Self {
    react(to: { condition($0) ? true : nil }, name: name, progress: progress) { _, emit in
      await effect(emit)
    }
  }
}

extension Feedback {
  /// Runs one effect for each query of a set and sends the events they return.
  ///
  /// ```swift
  /// .react(toEach: \.missingPictures, maxConcurrent: 4, name: "picture") { url in .loaded(await load(url), from: url) }
  /// ```
  ///
  /// An effect starts when its query joins the set and is canceled when its query leaves it. A query that stays keeps
  /// its effect, even if that has returned. A query that leaves and returns starts another run.
  ///
  /// Effects start in the order of the array. If there are more queries than `maxConcurrent`, the later ones wait until
  /// an earlier effect returns or is canceled. Of equal queries in the array the first counts.
  ///
  /// A state with the same array as before costs one comparison of arrays; any other costs O(queries).
  ///
  /// - Parameters:
  ///   - queries: What the state requests. Called for every state on the draining thread.
  ///   - maxConcurrent: How many effects may run at once, not counting canceled ones; at least 1.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: Fulfills one query. `nil` sends nothing.
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async -> Event?
  ) -> Self {
    set(queries, maxConcurrent, name: name, progress: progress) { query, _ in await effect(query) }
  }

  /// Runs one effect for each query of a set; each sends any number of events.
  ///
  /// Effects start and are canceled, and the parameters are, as in
  /// ``react(toEach:maxConcurrent:name:progress:effect:)-(_,_,_,_,(Query)->Event?)``.
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Void
  ) -> Self {
    set(queries, maxConcurrent, name: name, progress: progress) { query, emit in
      await effect(query, emit)
      return nil
    }
  }

  /// Runs one effect that may fail for each query of a set; an error becomes an event.
  ///
  /// An effect that fails does not affect the others. A `CancellationError` sends nothing, whatever threw it. The other
  /// parameters are as in ``react(toEach:maxConcurrent:name:progress:effect:)-(_,_,_,_,(Query)->Event?)``.
  ///
  /// - Parameters:
  ///   - effect: Fulfills one query or throws.
  ///   - failure: Converts an error to an event.
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async throws -> Event,
    failure: @escaping @Sendable (any Error, Query) -> Event
  ) -> Self {
    set(queries, maxConcurrent, name: name, progress: progress) { query, _ in
      await outcome(of: effect, query, failure)
    }
  }

  /// Runs one effect for each *identity* among queries, and passes it every later value of its query.
  ///
  /// An effect starts when an identity joins the set and is canceled when it leaves. While it stays, the effect
  /// continues and receives each new value of its query that differs from the previous one; so a download can be given
  /// a new priority without being restarted.
  ///
  /// ```swift
  /// .react(toEach: \.downloads, name: "download") { download, updates, emit in
  ///   let transfer = Transfer(download)
  ///   async let end: Void = transfer.run { progress in emit(.progressed(progress, download.id)) }
  ///   for await update in updates { transfer.priority = update.priority }
  ///   await end
  /// }
  /// ```
  ///
  /// Effects start in the order of the array. If there are more identities than `maxConcurrent`, the later ones wait,
  /// and start with the value their query has by then. Of equal identities in the array the first counts.
  ///
  /// - Parameters:
  ///   - queries: What the state requests. Called for every state on the draining thread.
  ///   - maxConcurrent: How many effects may run at once, not counting canceled ones; at least 1.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: Fulfills one query, given its first value and the later ones. The updates end when the identity
  ///     leaves.
  public static func react<Query: Identifiable & Equatable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect:
      @escaping @Sendable (_ initial: Query, _ updates: AsyncStream<Query>, _ emit: Emit<Event>) async -> Void
  ) -> Self where Query.ID: Sendable {
    Feedback(name: name, kind: .reactToEach, isProgress: progress) {
      KeyedReact(queries: queries, effect: effect, roster: Roster(slots: maxConcurrent))
    }
  }

  private static func set<Query: Hashable & Sendable>(
    _ queries: @escaping @Sendable (State) -> [Query],
    _ maxConcurrent: Int,
    name: String?,
    progress: @escaping @Sendable (Event, State) -> Bool,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?
  ) -> Self {
    Feedback(name: name, kind: .reactToEach, isProgress: progress) {
      SetReact(queries: queries, effect: effect, roster: Roster(slots: maxConcurrent))
    }
  }
}

/// A react to at most one query: only the effect of the latest query runs.
struct SingleReact<State: Sendable, Event: Sendable, Query: Equatable & Sendable>: FeedbackInstance {
  let query: @Sendable (State) -> Query?
  let effect: @Sendable (Query, Emit<Event>) async -> Event?
  private(set) var current: Query?
  private(set) var lifetime: Lifetime?
  private(set) var repeats = Repeats<Query>()

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = query(state)
    if isCurrent(wanted) { return nil }
    var step = Step<Event>()
    if let lifetime { step.cancellations = [lifetime] }
    current = wanted
    lifetime = nil
    if let wanted { step.starts = [start(wanted, &context)] }
    return step
  }

  mutating func answered(_ lifetime: Lifetime, epoch: UInt64) {
    guard lifetime == self.lifetime, let current else { return }
    repeats.add(current, epoch: epoch)
  }

  /// `wanted == current`, without the conformance of `Optional`, whose lookup costs more than the rest of a step.
  private func isCurrent(_ wanted: Query?) -> Bool {
    guard let wanted else { return current == nil }
    guard let current else { return false }
    return wanted == current
  }

  private mutating func start(_ query: Query, _ context: inout StepContext) -> Start<Event> {
    let lifetime = context.newLifetime()
    self.lifetime = lifetime
    return Start(
      lifetime: lifetime, depth: context.depth, repeats: repeats.count(of: query, epoch: context.epoch),
      query: { String(describing: query) }, run: { [effect] emit in await effect(query, emit) })
  }
}

/// A react to a set of queries: one effect per query, which runs as long as its query is wanted.
struct SetReact<State: Sendable, Event: Sendable, Query: Hashable & Sendable>: FeedbackInstance {
  let queries: @Sendable (State) -> [Query]
  let effect: @Sendable (Query, Emit<Event>) async -> Event?
  private(set) var roster: Roster<Query>
  private(set) var wanted: [Query] = []
  private(set) var repeats = KeyedRepeats<Query, Query>()

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

  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    roster.release(lifetime)
    return admit(&context)
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
  let queries: @Sendable (State) -> [Query]
  let effect: @Sendable (Query, AsyncStream<Query>, Emit<Event>) async -> Void
  private(set) var roster: Roster<Query.ID>
  private(set) var wanted: [Query] = []
  private(set) var values: [Query.ID: Query] = [:]
  private(set) var updates: [Query.ID: AsyncStream<Query>.Continuation] = [:]
  /// New values of queries that were already wanted, in order; delivered after the cancellations for this state.
  private(set) var pushes: [Query] = []
  private(set) var repeats = KeyedRepeats<Query.ID, Query>()

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = queries(state)
    guard wanted != self.wanted else { return nil }
    self.wanted = wanted
    let old = values
    values = Dictionary(wanted.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<Query.ID> = []
    pushes = wanted.filter { query in
      seen.insert(query.id).inserted && old[query.id].map { $0 != query } ?? false
    }
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

  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    if let id = roster.key(of: lifetime) { updates.removeValue(forKey: id)?.finish() }
    roster.release(lifetime)
    return admit(&context)
  }

  func finish() {
    for continuation in updates.values { continuation.finish() }
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
  init(slots: Int) { self.slots = max(1, slots) }

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
  func key(of lifetime: Lifetime) -> Key? { holders[lifetime] }

  /// Frees the slot of an effect that returned; its key stays occupied.
  mutating func release(_ lifetime: Lifetime) { holders[lifetime] = nil }
}

/// The number of consecutive answers to an equal query since an event from outside or progress was last reduced.
struct Repeats<Query: Equatable & Sendable>: Sendable {
  private var last: (query: Query, count: Int, epoch: UInt64)?

  func count(of query: Query, epoch: UInt64) -> Int {
    guard let last, last.epoch == epoch, last.query == query else { return 0 }
    return last.count
  }

  mutating func add(_ query: Query, epoch: UInt64) {
    last = (query, count(of: query, epoch: epoch) + 1, epoch)
  }
}

/// ``Repeats`` for each key of a set. Removes all keys when the epoch changes.
struct KeyedRepeats<Key: Hashable & Sendable, Query: Equatable & Sendable>: Sendable {
  private var repeats: [Key: Repeats<Query>] = [:]
  private var epoch: UInt64 = 0

  func count(of query: Query, key: Key, epoch: UInt64) -> Int {
    repeats[key]?.count(of: query, epoch: epoch) ?? 0
  }

  mutating func add(_ query: Query, key: Key, epoch: UInt64) {
    if epoch != self.epoch {
      repeats.removeAll()
      self.epoch = epoch
    }
    repeats[key, default: Repeats()].add(query, epoch: epoch)
  }
}
