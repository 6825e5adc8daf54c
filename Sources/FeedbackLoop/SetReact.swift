/// A react to a set of queries: one effect per query, which runs as long as its query is wanted.
@usableFromInline
struct SetReact<State: Sendable, Event: Sendable, Query: Hashable & Sendable>: FeedbackInstance {
  @usableFromInline let queries: @Sendable (State) -> [Query]
  @usableFromInline let run: Run<Event>
  @usableFromInline var roster: Roster<Query>
  @usableFromInline var wanted: [Query] = []
  @usableFromInline var repeats = KeyedRepeats<Query, Query>()

  @inlinable
  init(
    queries: @escaping @Sendable (State) -> [Query],
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?, slots: Int
  ) {
    self.queries = queries
    run = { query, emit in
      guard let query = query as? Query else { return nil }
      return await effect(query, emit).map { Emission($0) }
    }
    roster = Roster(slots: slots)
  }

  @inlinable
  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = queries(state)
    guard let change = ArrayChange(from: self.wanted, to: wanted) else { return nil }
    var answered: [(query: Query, depth: Int)] = []
    let cancellations = roster.replace(
      self.wanted[change.old], by: wanted[change.new], depth: context.depth
    ) { query, depth in
      // What an event from outside removes was not left because of its answer, which the guard would have to count.
      if context.depth > 0 { answered.append((query, depth)) }
    }
    for (query, depth) in answered { repeats.answer(query, key: query, depth: depth, context.rules) }
    self.wanted = wanted
    let step = Step(cancellations: cancellations, starts: admit(&context))
    return step.isEmpty ? nil : step
  }

  @inlinable
  mutating func answered(_ lifetime: Lifetime, _ context: StepContext) {
    roster.markAnswered(lifetime)
  }

  @inlinable
  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    roster.release(lifetime)
    return admit(&context)
  }

  @inlinable
  mutating func refused(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    roster.refuse(lifetime)
    return admit(&context)
  }

  @inlinable
  mutating func retryRefused(_ context: inout StepContext) -> Step<Event>? {
    guard let cancellations = roster.retryRefused() else { return nil }
    return Step(cancellations: cancellations, starts: admit(&context))
  }

  @inlinable
  mutating func admit(_ context: inout StepContext) -> [Start<Event>] {
    guard roster.mayAdmit else { return [] }
    let (wanted, rules) = (wanted, context.rules)
    var starts: [Start<Event>] = []
    starts.reserveCapacity(min(roster.waiting, roster.slots &- roster.held))
    while let admission = roster.admit(from: wanted, &context) {
      let query = wanted[admission.index]
      starts.append(
        Start(
          lifetime: admission.lifetime, depth: admission.depth,
          isRepeated: repeats.start(query, key: query, depth: admission.depth, rules),
          query: query, run: run))
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
@usableFromInline
struct Roster<Key: Hashable & Sendable>: Sendable {
  @usableFromInline
  struct Admission {
    /// The position of the key in the array.
    @usableFromInline let index: Int
    @usableFromInline let lifetime: Lifetime
    /// The causal depth of the state that first requested the key, which may be earlier than when the slot became free.
    @usableFromInline let depth: Int

    @inlinable
    init(index: Int, lifetime: Lifetime, depth: Int) {
      self.index = index
      self.lifetime = lifetime
      self.depth = depth
    }
  }

  @usableFromInline
  struct Member: Sendable {
    /// How often the key is in the array; the first counts.
    @usableFromInline var occurrences = 0
    @usableFromInline var depth: Int
    /// `nil` while the key waits for a slot.
    @usableFromInline var lifetime: Lifetime?

    @inlinable
    init(occurrences: Int, depth: Int) {
      self.occurrences = occurrences
      self.depth = depth
    }
  }

  /// What is known of an occupied key by its lifetime.
  @usableFromInline
  struct Occupant: Sendable {
    @usableFromInline let key: Key
    @usableFromInline var holdsSlot = true
    @usableFromInline var isAnswered = false

    @inlinable
    init(key: Key) { self.key = key }
  }

  @usableFromInline let slots: Int
  @usableFromInline var members: [Key: Member] = [:]
  @usableFromInline var occupants = LifetimeMap<Occupant>()
  /// The number of occupants that hold a slot.
  @usableFromInline var held = 0
  @usableFromInline var refused: Set<Key> = []
  @usableFromInline var size = 0
  /// The number of members without a lifetime.
  @usableFromInline var waiting = 0
  /// No key before this position of the array is waiting.
  @usableFromInline var next = 0

  /// - Parameter slots: How many effects may run at once; at least 1.
  @inlinable
  init(slots: Int) { self.slots = max(1, slots) }

  /// Whether a key waits and a slot is free.
  @inlinable var mayAdmit: Bool { waiting > 0 && held < slots }

  /// Whether a key is in the array more than once.
  @inlinable var hasDuplicates: Bool { size != members.count }

  @inlinable
  func contains(_ key: Key) -> Bool { members[key] != nil }

  /// Replaces a part of the array; returns the lifetimes of the keys that are no longer wanted, in the order in which
  /// they had started. O(old and new keys).
  ///
  /// - Parameter answered: Called with each key that is no longer wanted and was answered, and the depth of its request.
  @inlinable
  mutating func replace(
    _ old: ArraySlice<Key>, by new: ArraySlice<Key>, depth: Int, answered: (Key, Int) -> Void = { _, _ in }
  ) -> [Lifetime] {
    size += new.count - old.count
    // Room for all at once; at least twice as much, so that many small changes stay amortized O(1).
    if new.count > members.count, new.count > 16 { members.reserveCapacity(members.count + new.count) }
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
    left.reserveCapacity(old.count)
    for key in old {
      guard let index = members.index(forKey: key) else { continue }
      members.values[index].occurrences -= 1
      guard members.values[index].occurrences == 0 else { continue }
      let member = members.remove(at: index).value
      if !refused.isEmpty { refused.remove(key) }
      if let lifetime = member.lifetime {
        left.append(lifetime)
        if let occupant = occupants.removeValue(for: lifetime) {
          if occupant.holdsSlot { held -= 1 }
          if occupant.isAnswered { answered(key, member.depth) }
        }
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
  @inlinable
  mutating func admit(from keys: [Key], _ context: inout StepContext) -> Admission? {
    admit(from: keys, { $0 }, &context)
  }

  /// As ``admit(from:_:)``, for an array of elements that have keys.
  @inlinable
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
      occupants.insert(Occupant(key: key), for: lifetime)
      held += 1
      waiting -= 1
      if waiting == 0 { next = elements.count }
      return Admission(index: position, lifetime: lifetime, depth: members.values[index].depth)
    }
    return nil
  }

  /// The key whose effect has this lifetime, while it holds its slot.
  @inlinable
  func key(of lifetime: Lifetime) -> Key? {
    guard let position = occupants.position(of: lifetime), occupants.values[position].holdsSlot else {
      return nil
    }
    return occupants.values[position].key
  }

  /// Remembers that the effect of a key has answered.
  @inlinable
  mutating func markAnswered(_ lifetime: Lifetime) {
    if let position = occupants.position(of: lifetime) { occupants.values[position].isAnswered = true }
  }

  /// Frees the slot of an effect that returned; its key stays occupied.
  @inlinable
  mutating func release(_ lifetime: Lifetime) {
    guard let position = occupants.position(of: lifetime), occupants.values[position].holdsSlot else {
      return
    }
    occupants.values[position].holdsSlot = false
    held -= 1
  }

  /// Frees the slot of an effect that the guard refused; its key stays occupied until ``retryRefused()``.
  @inlinable
  mutating func refuse(_ lifetime: Lifetime) {
    guard let key = key(of: lifetime) else { return }
    release(lifetime)
    refused.insert(key)
  }

  /// Lets the refused keys wait for a slot again; returns their lifetimes, or `nil` if there are none.
  @inlinable
  mutating func retryRefused() -> [Lifetime]? {
    guard !refused.isEmpty else { return nil }
    var left: [Lifetime] = []
    for key in refused {
      guard let index = members.index(forKey: key), let lifetime = members.values[index].lifetime else {
        continue
      }
      left.append(lifetime)
      occupants.removeValue(for: lifetime)
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
