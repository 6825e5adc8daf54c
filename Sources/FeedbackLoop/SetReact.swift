/// A react to a set of queries: one effect for each key among them, which runs as long as the key is wanted.
///
/// A key is *occupied* from the start of its effect until it leaves the wanted queries, even after the effect has
/// returned. It holds a *slot* only while its effect runs. A change of the queries costs O(queries between the first and
/// the last difference).
@usableFromInline
struct SetReact<
  State: Sendable, Event: Sendable, Query: Equatable & Sendable, Key: Hashable & Sendable
>: FeedbackInstance {
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

  @usableFromInline let queries: @Sendable (State) -> [Query]
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
  /// What is delivered after the cancellations for this state: new values of queries, in order, and ends.
  @usableFromInline var pushes: [(AsyncStream<Query>.Continuation, Query?)] = []

  /// - Parameter slots: How many effects may run at once; at least 1.
  @inlinable
  init(
    queries: @escaping @Sendable (State) -> [Query], key: @escaping @Sendable (Query) -> Key, slots: Int,
    hasUpdates: Bool, effect: @escaping Effect
  ) {
    self.queries = queries
    self.key = key
    self.slots = max(1, slots)
    self.hasUpdates = hasUpdates
    self.effect = effect
  }

  @inlinable var observes: Bool { hasUpdates }

  @inlinable
  mutating func step(_ state: State, _ steps: inout Steps<State, Event>) {
    let wanted = queries(state)
    guard let change = ArrayChange(from: self.wanted, to: wanted) else { return }
    let hadDuplicates = hasDuplicates
    let isWaiting = add(wanted[change.new], depth: steps.depth)
    steps.cancellations += remove(self.wanted[change.old])
    if !isWaiting, change.old.upperBound <= next {
      next += change.new.count - change.old.count
    } else {
      next = min(next, change.new.lowerBound)
    }
    self.wanted = wanted
    // Of queries with one key the first counts, which may not be in the part that changed.
    if hasUpdates { push(hadDuplicates || hasDuplicates ? wanted[...] : wanted[change.new]) }
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
  mutating func retry(_ steps: inout Steps<State, Event>) {
    var left: [Lifetime] = []
    for index in members.indices {
      guard let lifetime = members.values[index].lifetime, steps.refused.contains(lifetime) else { continue }
      left.append(lifetime)
      running[lifetime] = nil
      members.values[index].lifetime = nil
      members.values[index].depth = steps.depth
    }
    guard !left.isEmpty else { return }
    waiting += left.count
    next = 0
    steps.cancellations += left.sorted()
    admit(&steps)
  }

  @inlinable
  mutating func observe(_ state: State) {
    for (updates, query) in pushes {
      if let query { updates.yield(query) } else { updates.finish() }
    }
    pushes = []
  }

  @inlinable
  mutating func finish() {
    for (updates, _) in pushes { updates.finish() }
    for member in members.values { member.updates?.finish() }
  }

  @inlinable var hasDuplicates: Bool { wanted.count != members.count }

  /// Adds queries; returns whether the key of one of them waits.
  @inlinable
  mutating func add(_ new: ArraySlice<Query>, depth: Int) -> Bool {
    // Room for all at once; at least twice as much, so that many small changes stay amortized O(1).
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

  /// Removes queries; returns the lifetimes of the keys that are no longer wanted, in the order of their starts.
  @inlinable
  mutating func remove(_ old: ArraySlice<Query>) -> [Lifetime] {
    var left: [Lifetime] = []
    for query in old {
      guard let index = members.index(forKey: key(query)) else { continue }
      members.values[index].occurrences -= 1
      guard members.values[index].occurrences == 0 else { continue }
      let member = members.remove(at: index).value
      if let updates = member.updates { pushes.append((updates, nil)) }
      if let lifetime = member.lifetime {
        left.append(lifetime)
        running[lifetime] = nil
      } else {
        waiting -= 1
      }
    }
    return left.sorted()
  }

  /// Notes the new values of queries for their effects.
  @inlinable
  mutating func push(_ queries: ArraySlice<Query>) {
    var seen: Set<Key> = []
    for query in queries {
      let key = key(query)
      guard seen.insert(key).inserted, let index = members.index(forKey: key),
        members.values[index].query != query
      else { continue }
      members.values[index].query = query
      if let updates = members.values[index].updates { pushes.append((updates, query)) }
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

/// The parts in which two arrays differ, without the elements that both begin and end with.
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
