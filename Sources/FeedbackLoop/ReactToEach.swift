public import Locking

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
  /// A state with the same array as before costs O(1); an equal one costs one comparison of arrays. If the array
  /// changed, the queries between its first and its last change are hashed.
  ///
  /// - Parameters:
  ///   - queries: What the state requests. Called for every state on the draining thread.
  ///   - maxConcurrent: How many effects may run at once, not counting canceled ones; at least 1.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: Fulfills one query. `nil` sends nothing.
  @inlinable
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable (Query) async -> Event?
  ) -> Self {
    set(queries, { $0 }, maxConcurrent, name: name) { query, _, post in
      if let event = await effect(query) { Emit(post, progress: progress)(event) }
    }
  }

  /// Runs one effect for each query of a set; each sends any number of events.
  ///
  /// Start, cancellation and the parameters are as in
  /// ``react(toEach:maxConcurrent:name:progress:effect:)-(_,_,_,_,(Query)->Event?)``.
  @inlinable
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Void
  ) -> Self {
    set(queries, { $0 }, maxConcurrent, name: name) { query, _, post in
      await effect(query, Emit(post, progress: progress))
    }
  }

  /// Runs one effect that may fail for each query of a set; an error becomes an event.
  ///
  /// An effect that fails does not affect the others. A `CancellationError` sends nothing, regardless of its origin.
  /// The other parameters are as in ``react(toEach:maxConcurrent:name:progress:effect:)-(_,_,_,_,(Query)->Event?)``.
  @inlinable
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable (Query) async throws -> Event,
    failure: @escaping @Sendable (any Error, Query) -> Event
  ) -> Self {
    set(queries, { $0 }, maxConcurrent, name: name) { query, _, post in
      let emit = Emit(post, progress: progress)
      await attempt(emit, { failure($0, query) }) { emit(try await effect(query)) }
    }
  }

  /// Runs one effect that may fail for each query of a set; each sends any number of events, and an error becomes one.
  ///
  /// The parameters are as in
  /// ``react(toEach:maxConcurrent:name:progress:effect:failure:)-(_,_,_,_,(Query)->Event,_)``.
  @inlinable
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable (Query, Emit<Event>) async throws -> Void,
    failure: @escaping @Sendable (any Error, Query) -> Event
  ) -> Self {
    set(queries, { $0 }, maxConcurrent, name: name) { query, _, post in
      let emit = Emit(post, progress: progress)
      await attempt(emit, { failure($0, query) }) { try await effect(query, emit) }
    }
  }

  /// Runs one effect for each *identity* among queries, and passes it every later value of its query.
  ///
  /// An effect starts when an identity joins the set and is canceled when it leaves. While it stays, the effect
  /// continues and receives the new values of its query that differ from the previous one; so a download can be given
  /// a new priority without being restarted. If it has not read a value when the next one arrives, it receives only the
  /// newest one.
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
  /// An effect that waited because of `maxConcurrent` starts with the value its query has by then. The updates end when
  /// the identity leaves, after the effect has been canceled. Of equal identities in the array the first counts. The order
  /// of starts and the other parameters are as in
  /// ``react(toEach:maxConcurrent:name:progress:effect:)-(_,_,_,_,(Query)->Event?)``.
  public static func react<Query: Identifiable & Equatable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect:
      @escaping @Sendable (_ initial: Query, _ updates: AsyncStream<Query>, _ emit: Emit<Event>) async -> Void
  ) -> Self where Query.ID: Sendable {
    set(queries, \.id, maxConcurrent, name: name, hasUpdates: true) { query, updates, post in
      if let updates { await effect(query, updates, Emit(post, progress: progress)) }
    }
  }

  @inlinable
  static func set<Query: Equatable & Sendable, Key: Hashable & Sendable>(
    _ queries: @escaping @Sendable (State) -> [Query],
    _ key: @escaping @Sendable (Query) -> Key,
    _ maxConcurrent: Int,
    name: String?,
    hasUpdates: Bool = false,
    effect: @escaping QuerySet<State, Event, Query, Key>.Effect
  ) -> Self {
    Feedback(.reactToEach, name: name) { _ in
      let set = Lock(
        QuerySet<State, Event, Query, Key>(
          key: key, slots: maxConcurrent, hasUpdates: hasUpdates, effect: effect))
      return FeedbackInstance(
        ended: { lifetime, steps in set.withLock { $0.ended(lifetime, &steps) } },
        finish: { set.withLock { $0.finish() } },
        step: { state, steps in
          let wanted = queries(state)
          set.withLock { $0.change(to: wanted, &steps) }
        })
    }
  }
}

/// The queries of a feedback that reacts to a set. Each key among them has one effect, which runs as long as the key is
/// wanted.
///
/// A key is *occupied* from the start of its effect until it leaves the wanted queries, even after the effect has
/// returned. It holds a *slot* only while its effect runs.
@usableFromInline
struct QuerySet<
  State: Sendable, Event: Sendable, Query: Equatable & Sendable, Key: Hashable & Sendable
> {
  /// A wanted key.
  @usableFromInline
  struct Member: Sendable {
    /// The value of the first query with the key.
    @usableFromInline var query: Query
    /// The causal depth of the state that first requested it, which may be earlier than when a slot became free.
    @usableFromInline var depth: Int
    /// How many queries have the key.
    @usableFromInline var occurrences = 1
    /// Nil while it waits for a slot.
    @usableFromInline var lifetime: Lifetime?
    /// Passes later values of the query to its effect; nil if the effect does not take them.
    @usableFromInline var updates: AsyncStream<Query>.Continuation?

    @inlinable
    init(query: Query, depth: Int) {
      self.query = query
      self.depth = depth
    }
  }

  @usableFromInline
  typealias Effect = @Sendable (Query, AsyncStream<Query>?, @escaping Post<State, Event>) async -> Void

  @usableFromInline let key: @Sendable (Query) -> Key
  @usableFromInline let slots: Int
  /// Whether effects receive later values of their queries.
  @usableFromInline let hasUpdates: Bool
  @usableFromInline let effect: Effect
  @usableFromInline var wanted: [Query] = []
  @usableFromInline var members: [Key: Member] = [:]
  /// The keys of the effects that hold a slot.
  @usableFromInline var running: [Lifetime: Key] = [:]
  /// The number of members without a lifetime.
  @usableFromInline var waiting = 0
  /// No query before this position has a key that waits.
  @usableFromInline var next = 0

  /// - Parameter slots: How many effects may run at once; at least 1.
  @inlinable
  init(
    key: @escaping @Sendable (Query) -> Key, slots: Int, hasUpdates: Bool, effect: @escaping Effect
  ) {
    self.key = key
    self.slots = max(1, slots)
    self.hasUpdates = hasUpdates
    self.effect = effect
  }

  @inlinable
  mutating func change(to wanted: [Query], _ steps: inout Steps<State, Event>) {
    guard let change = ArrayChange(from: self.wanted, to: wanted) else { return }
    let hadDuplicates = hasDuplicates
    let isWaiting = add(wanted[change.new], depth: steps.depth)
    remove(self.wanted[change.old], &steps)
    if !isWaiting, change.old.upperBound <= next {
      next += change.new.count - change.old.count
    } else {
      next = min(next, change.new.lowerBound)
    }
    self.wanted = wanted
    // If several queries have the same key, the first one counts, and it may be outside the part that changed.
    if hasUpdates { push(hadDuplicates || hasDuplicates ? wanted[...] : wanted[change.new], &steps) }
    admit(&steps)
  }

  @inlinable
  mutating func ended(_ lifetime: Lifetime, _ steps: inout Steps<State, Event>) {
    guard let key = running.removeValue(forKey: lifetime) else { return }
    if hasUpdates {
      members[key]?.updates?.finish()
      members[key]?.updates = nil
    }
    admit(&steps)
  }

  @inlinable
  func finish() {
    for member in members.values { member.updates?.finish() }
  }

  @inlinable var hasDuplicates: Bool { wanted.count != members.count }

  /// Adds queries; returns whether the key of one of them waits.
  @inlinable
  mutating func add(_ new: ArraySlice<Query>, depth: Int) -> Bool {
    // Reserves capacity for all new members at once. It at least doubles, so that many small changes stay amortized
    // O(1).
    if new.count > members.count, new.count > 16 { members.reserveCapacity(members.count + new.count) }
    var isWaiting = false
    for query in new {
      let key = key(query)
      if let index = members.index(forKey: key) {
        members.values[index].occurrences += 1
        isWaiting = isWaiting || members.values[index].lifetime == nil
      } else {
        members[key] = Member(query: query, depth: depth)
        waiting += 1
        isWaiting = true
      }
    }
    return isWaiting
  }

  /// Removes queries, and cancels the effects of the keys that are no longer wanted, in the order of their starts.
  @inlinable
  mutating func remove(_ old: ArraySlice<Query>, _ steps: inout Steps<State, Event>) {
    var left: [Lifetime] = []
    for query in old {
      guard let index = members.index(forKey: key(query)) else { continue }
      members.values[index].occurrences -= 1
      guard members.values[index].occurrences == 0 else { continue }
      let member = members.remove(at: index).value
      if let updates = member.updates { steps.observations.append { updates.finish() } }
      if let lifetime = member.lifetime {
        left.append(lifetime)
        running[lifetime] = nil
      } else {
        waiting -= 1
      }
    }
    steps.cancellations += left.sorted()
  }

  /// Records the new values of queries for their effects.
  @inlinable
  mutating func push(_ queries: ArraySlice<Query>, _ steps: inout Steps<State, Event>) {
    var seen: Set<Key> = []
    for query in queries {
      let key = key(query)
      guard seen.insert(key).inserted, let index = members.index(forKey: key),
        members.values[index].query != query
      else { continue }
      members.values[index].query = query
      if let updates = members.values[index].updates { steps.observations.append { updates.yield(query) } }
    }
  }

  /// Gives free slots to waiting keys, in the order of the queries.
  @inlinable
  mutating func admit(_ steps: inout Steps<State, Event>) {
    while waiting > 0, running.count < slots, next < wanted.count {
      let key = key(wanted[next])
      next += 1
      guard let index = members.index(forKey: key), members.values[index].lifetime == nil else { continue }
      let (query, effect) = (members.values[index].query, effect)
      var updates: AsyncStream<Query>?
      if hasUpdates {
        let (stream, continuation) = AsyncStream.makeStream(
          of: Query.self, bufferingPolicy: .bufferingNewest(1))
        (updates, members.values[index].updates) = (stream, continuation)
      }
      let lifetime = steps.start(query, depth: members.values[index].depth) { [updates] post in
        await effect(query, updates, post)
      }
      members.values[index].lifetime = lifetime
      running[lifetime] = key
      waiting -= 1
    }
    if waiting == 0 { next = wanted.count }
  }
}

/// The differing middle parts of two arrays, without their common prefix and suffix.
@usableFromInline
struct ArrayChange {
  @usableFromInline let old: Range<Int>
  @usableFromInline let new: Range<Int>

  /// `nil` if the arrays are equal. O(1) if they share their storage; otherwise it compares each element at most once.
  @inlinable
  init?<Element: Equatable>(from old: [Element], to new: [Element]) {
    let shorter = min(old.count, new.count)
    if old.count == new.count {
      let isSame = old.withUnsafeBufferPointer { first in
        new.withUnsafeBufferPointer { first.baseAddress == $0.baseAddress }
      }
      if isSame { return nil }
    }
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    if start == old.count, start == new.count { return nil }
    var shared = 0
    while shared < shorter - start, old[old.count - 1 - shared] == new[new.count - 1 - shared] { shared += 1 }
    self.old = start..<(old.count - shared)
    self.new = start..<(new.count - shared)
  }
}
