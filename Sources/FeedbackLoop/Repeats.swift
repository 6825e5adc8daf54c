/// The answers to one query that was requested repeatedly, each time because of the answer before.
@usableFromInline
struct Repetition: Sendable {
  @usableFromInline private(set) var count = 0
  /// The causal depth of the last start.
  private var depth: Int
  /// When half of the allowed answers had been given.
  private var halfTime: Duration?
  /// The state at the last start before the limit. It is not kept longer, because a state that is held somewhere is
  /// copied by its next change.
  private var state: (any Sendable)?

  @usableFromInline
  init(depth: Int) { self.depth = depth }

  /// What a start at some depth means for the count.
  @usableFromInline
  enum Verdict { case counted, ended, refused }

  @usableFromInline
  mutating func start(depth: Int, _ rules: GuardRules) -> Verdict {
    // A deeper start is a consequence of the last one; any other has a cause outside.
    guard depth > self.depth, let limit = rules.limits.maximumRepeats else { return .ended }
    self.depth = depth
    if count >= limit { return hasProgressed(limit, rules) ? .ended : .refused }
    if count == limit - 1 { state = rules.snapshot() }
    return .counted
  }

  @usableFromInline
  mutating func answer(_ rules: GuardRules) {
    guard let limit = rules.limits.maximumRepeats else { return }
    count += 1
    if count == max(1, limit / 2) { halfTime = rules.limits.now() }
  }

  private func hasProgressed(_ limit: Int, _ rules: GuardRules) -> Bool {
    if let halfTime {
      let rounds = max(1, limit - max(1, limit / 2))
      if rules.limits.now() - halfTime >= rules.limits.repeatInterval * rounds { return true }
    }
    guard let state else { return false }
    return !StateComparison.areEqual(state, rules.snapshot())
  }
}

/// The repetitions of the queries of a feedback with at most one query. It covers the last four different queries, so
/// that a loop that alternates between a few is found.
@usableFromInline
struct Repeats<Query: Equatable & Sendable>: Sendable {
  @inlinable static var capacity: Int { 4 }
  @usableFromInline var recent: [(query: Query, repetition: Repetition)] = []

  @inlinable
  init() {}

  /// Counts a start; returns whether it must be refused.
  @inlinable
  mutating func start(_ query: Query, depth: Int, _ rules: GuardRules) -> Bool {
    guard !recent.isEmpty, let index = recent.firstIndex(where: { $0.query == query }) else { return false }
    switch recent[index].repetition.start(depth: depth, rules) {
    case .counted: return false
    case .refused: return true
    case .ended:
      recent.remove(at: index)
      return false
    }
  }

  /// Counts an answer to a query that started at `depth`.
  @inlinable
  mutating func answer(_ query: Query, depth: Int, _ rules: GuardRules) {
    guard rules.limits.maximumRepeats != nil else { return }
    var index = recent.firstIndex { $0.query == query }
    if index == nil {
      if recent.count == Self.capacity { recent.removeFirst() }
      recent.append((query, Repetition(depth: depth)))
      index = recent.count - 1
    }
    if let index { recent[index].repetition.answer(rules) }
  }
}

/// The repetitions of the queries of a set, of which each key has one.
@usableFromInline
struct KeyedRepeats<Key: Hashable & Sendable, Query: Equatable & Sendable>: Sendable {
  @inlinable static var capacity: Int { 4_096 }
  @usableFromInline var recent: [Key: (query: Query, repetition: Repetition)] = [:]

  @inlinable
  init() {}

  /// The number of keys that are remembered, at most ``capacity``.
  @inlinable var count: Int { recent.count }

  /// Counts a start; returns whether it must be refused.
  @inlinable
  mutating func start(_ query: Query, key: Key, depth: Int, _ rules: GuardRules) -> Bool {
    guard !recent.isEmpty, let index = recent.index(forKey: key) else { return false }
    if recent.values[index].query == query {
      switch recent.values[index].repetition.start(depth: depth, rules) {
      case .counted: return false
      case .refused: return true
      case .ended: break
      }
    }
    recent.remove(at: index)
    return false
  }

  /// Counts an answer to a query that started at `depth`.
  @inlinable
  mutating func answer(_ query: Query, key: Key, depth: Int, _ rules: GuardRules) {
    guard rules.limits.maximumRepeats != nil else { return }
    if recent.count == Self.capacity { forget() }
    recent[key, default: (query, Repetition(depth: depth))].repetition.answer(rules)
  }

  /// Forgets the queries that were answered only once; all, if that is not enough.
  @inlinable
  mutating func forget() {
    recent = recent.filter { $0.value.repetition.count > 1 }
    if recent.count > Self.capacity / 2 { recent = [:] }
  }
}
