/// The answers to one query that was requested repeatedly, each time because of the answer before.
struct Repetition: Sendable {
  private(set) var count = 0
  /// The causal depth of the last start.
  private var depth: Int
  /// When half of the allowed answers had been given.
  private var halfTime: Duration?
  /// The state at the last start before the limit. It is not kept longer, because a state that is held somewhere is
  /// copied by its next change.
  private var state: (any Sendable)?

  init(depth: Int) { self.depth = depth }

  /// What a start at some depth means for the count.
  enum Verdict { case counted, ended, refused }

  mutating func start(depth: Int, _ limits: LoopGuard, snapshot: () -> any Sendable) -> Verdict {
    // A deeper start is a consequence of the last one; any other has a cause outside.
    guard depth > self.depth, let limit = limits.maximumRepeats else { return .ended }
    self.depth = depth
    if count >= limit { return hasProgressed(limit, limits, snapshot) ? .ended : .refused }
    if count == limit - 1 { state = snapshot() }
    return .counted
  }

  mutating func answer(_ limits: LoopGuard) {
    guard let limit = limits.maximumRepeats else { return }
    count += 1
    if count == max(1, limit / 2) { halfTime = limits.now() }
  }

  private func hasProgressed(_ limit: Int, _ limits: LoopGuard, _ snapshot: () -> any Sendable) -> Bool {
    if let halfTime {
      let rounds = max(1, limit - max(1, limit / 2))
      if limits.now() - halfTime >= limits.repeatInterval * rounds { return true }
    }
    guard let state else { return false }
    return !StateComparison.areEqual(state, snapshot())
  }
}

/// The repetitions of the queries of a feedback. It covers the last sixteen different queries, so that a loop that
/// alternates between a few is found.
@usableFromInline
struct Repeats: Sendable {
  private static let capacity = 16
  private var recent: [(query: any Sendable, repetition: Repetition)] = []

  @usableFromInline var isEmpty: Bool { recent.isEmpty }

  /// Counts a start; returns whether it must be refused.
  @usableFromInline
  mutating func start(
    _ query: any Sendable, depth: Int, _ limits: LoopGuard, snapshot: () -> any Sendable
  ) -> Bool {
    guard let index = index(of: query) else { return false }
    switch recent[index].repetition.start(depth: depth, limits, snapshot: snapshot) {
    case .counted: return false
    case .refused: return true
    case .ended:
      recent.remove(at: index)
      return false
    }
  }

  /// Counts an answer to a query that started at `depth`.
  @usableFromInline
  mutating func answer(_ query: any Sendable, depth: Int, _ limits: LoopGuard) {
    if let index = index(of: query) { return recent[index].repetition.answer(limits) }
    if recent.count == Self.capacity { recent.removeFirst() }
    var repetition = Repetition(depth: depth)
    repetition.answer(limits)
    recent.append((query, repetition))
  }

  private func index(of query: any Sendable) -> Int? {
    guard let query = query as? any Equatable else { return nil }
    return recent.firstIndex { Self.areEqual(query, $0.query) }
  }

  private static func areEqual<Query: Equatable>(_ query: Query, _ other: any Sendable) -> Bool {
    other as? Query == query
  }
}
