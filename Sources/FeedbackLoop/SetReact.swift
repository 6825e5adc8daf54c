/// A react to a set of queries: one effect per query, which runs as long as its query is wanted.
struct SetReact<State: Sendable, Event: Sendable, Query: Hashable & Sendable>: FeedbackInstance {
  let queries: @Sendable (State) -> [Query]
  let effect: @Sendable (Query, Emit<Event>) async -> Event?
  private var roster: Roster<Query>
  private var wanted: [Query] = []
  private(set) var repeats = KeyedRepeats<Query, Query>()

  init(
    queries: @escaping @Sendable (State) -> [Query],
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?, slots: Int
  ) {
    self.queries = queries
    self.effect = effect
    roster = Roster(slots: slots)
  }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = queries(state)
    guard let change = ArrayChange(from: self.wanted, to: wanted) else { return nil }
    let cancellations = roster.replace(
      self.wanted[change.old], by: wanted[change.new], depth: context.depth)
    self.wanted = wanted
    let step = Step(cancellations: cancellations, starts: admit(&context))
    return step.isEmpty ? nil : step
  }

  mutating func answered(_ lifetime: Lifetime, _ context: StepContext) {
    guard let query = roster.key(of: lifetime) else { return }
    repeats.answer(query, key: query, depth: context.depth, context.rules)
  }

  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    roster.release(lifetime)
    return admit(&context)
  }

  mutating func refused(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    roster.refuse(lifetime)
    return admit(&context)
  }

  mutating func retryRefused(_ context: inout StepContext) -> Step<Event>? {
    guard let cancellations = roster.retryRefused() else { return nil }
    return Step(cancellations: cancellations, starts: admit(&context))
  }

  private mutating func admit(_ context: inout StepContext) -> [Start<Event>] {
    guard roster.mayAdmit else { return [] }
    let (wanted, effect, rules) = (wanted, effect, context.rules)
    var starts: [Start<Event>] = []
    while let admission = roster.admit(from: wanted, &context) {
      let query = wanted[admission.index]
      starts.append(
        Start(
          lifetime: admission.lifetime, depth: admission.depth,
          isRepeated: repeats.start(query, key: query, depth: admission.depth, rules),
          query: { String(describing: query) },
          run: { emit in await effect(query, emit).map { Emission($0) } }))
    }
    return starts
  }
}

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
          query: { String(describing: query) },
          run: { emit in
            await effect(query, stream, emit)
            return nil
          }))
    }
    return starts
  }
}

/// The keys a set react wants: which are occupied, which of those hold a slot, and which wait for one.
///
/// A key is *occupied* from the start of its effect until it leaves the wanted keys, even after the effect has
/// returned. It holds a *slot* only while its effect runs.
///
/// The roster does not keep the order of the wanted keys, which is in the array that the state requests. A change of
/// that array costs O(keys between the first and the last difference), and not O(keys).
struct Roster<Key: Hashable & Sendable>: Sendable {
  struct Admission {
    /// The position of the key in the array.
    let index: Int
    let lifetime: Lifetime
    /// The causal depth of the state that first requested the key, which may be earlier than when the slot became free.
    let depth: Int
  }

  private struct Member: Sendable {
    /// How often the key is in the array; the first counts.
    var occurrences = 0
    var depth: Int
    /// `nil` while the key waits for a slot.
    var lifetime: Lifetime?
  }

  private let slots: Int
  private var members: [Key: Member] = [:]
  private var holders: [Lifetime: Key] = [:]
  private var refused: Set<Key> = []
  private var size = 0
  /// The number of members without a lifetime.
  private var waiting = 0
  /// No key before this position of the array is waiting.
  private var next = 0

  /// - Parameter slots: How many effects may run at once; at least 1.
  init(slots: Int) { self.slots = max(1, slots) }

  /// Whether a key waits and a slot is free.
  var mayAdmit: Bool { waiting > 0 && holders.count < slots }

  /// Whether a key is in the array more than once.
  var hasDuplicates: Bool { size != members.count }

  func contains(_ key: Key) -> Bool { members[key] != nil }

  /// Replaces a part of the array; returns the lifetimes of the keys that are no longer wanted, in the order in which
  /// they had started. O(old and new keys).
  mutating func replace(_ old: ArraySlice<Key>, by new: ArraySlice<Key>, depth: Int) -> [Lifetime] {
    size += new.count - old.count
    var isWaiting = false
    for key in new {
      let index = members.index(forKey: key)
      if let index {
        members.values[index].occurrences += 1
        isWaiting = isWaiting || members.values[index].lifetime == nil
      } else {
        members[key] = Member(occurrences: 1, depth: depth)
        waiting += 1
        isWaiting = true
      }
    }
    var left: [Lifetime] = []
    for key in old {
      guard let index = members.index(forKey: key) else { continue }
      members.values[index].occurrences -= 1
      guard members.values[index].occurrences == 0 else { continue }
      let member = members.remove(at: index).value
      if !refused.isEmpty { refused.remove(key) }
      if let lifetime = member.lifetime {
        left.append(lifetime)
        holders[lifetime] = nil
      } else {
        waiting -= 1
      }
    }
    if !isWaiting, old.endIndex <= next {
      next += new.count - old.count
    } else {
      next = min(next, new.startIndex)
    }
    return left.sorted()
  }

  /// Gives a free slot to the first waiting key, if there are both.
  mutating func admit(from keys: [Key], _ context: inout StepContext) -> Admission? {
    admit(from: keys, { $0 }, &context)
  }

  /// As ``admit(from:_:)``, for an array of elements that have keys.
  mutating func admit<Element>(
    from elements: [Element], _ key: (Element) -> Key, _ context: inout StepContext
  ) -> Admission? {
    guard mayAdmit else { return nil }
    while next < elements.count {
      let position = next
      next += 1
      let key = key(elements[position])
      guard let index = members.index(forKey: key), members.values[index].lifetime == nil else { continue }
      let lifetime = context.newLifetime()
      members.values[index].lifetime = lifetime
      holders[lifetime] = key
      waiting -= 1
      if waiting == 0 { next = elements.count }
      return Admission(index: position, lifetime: lifetime, depth: members.values[index].depth)
    }
    return nil
  }

  /// The key whose effect has this lifetime, while it holds its slot.
  func key(of lifetime: Lifetime) -> Key? { holders[lifetime] }

  /// Frees the slot of an effect that returned; its key stays occupied.
  mutating func release(_ lifetime: Lifetime) { holders[lifetime] = nil }

  /// Frees the slot of an effect that the guard refused; its key stays occupied until ``retryRefused()``.
  mutating func refuse(_ lifetime: Lifetime) {
    if let key = holders.removeValue(forKey: lifetime) { refused.insert(key) }
  }

  /// Lets the refused keys wait for a slot again; returns their lifetimes, or `nil` if there are none.
  mutating func retryRefused() -> [Lifetime]? {
    guard !refused.isEmpty else { return nil }
    var left: [Lifetime] = []
    for key in refused {
      guard let index = members.index(forKey: key), let lifetime = members.values[index].lifetime else {
        continue
      }
      left.append(lifetime)
      members.values[index].lifetime = nil
      members.values[index].depth = 0
      waiting += 1
    }
    refused = []
    next = 0
    return left.sorted()
  }
}

/// The parts in which two arrays differ, without the elements that both begin and end with.
struct ArrayChange {
  let old: Range<Int>
  let new: Range<Int>

  /// `nil` if the arrays are equal. O(1) if they share their storage; otherwise it compares each element at most once.
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
