extension Feedback {
  /// Runs one effect for each query of a set and sends the events they return.
  ///
  /// An effect starts when its query joins the set and is cancelled when its query leaves it; a query that stays keeps
  /// its one effect, also when that has returned. A query that leaves and comes back is a new run.
  ///
  /// Effects start in the order of the array. With more queries than `maxConcurrent`, the later ones wait until an
  /// earlier effect returns or is cancelled. Of equal queries in the array the first counts.
  ///
  /// A state with the same array as before costs one comparison of arrays, another one O(queries).
  ///
  /// - Parameters:
  ///   - queries: What the state asks for. Called for every state on the draining thread.
  ///   - maxConcurrent: How many effects may run at once, cancelled ones not counted; at least 1.
  ///   - name: Names the feedback in trips, records and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: Fulfils one query. `nil` sends nothing.
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
  /// Effects start and are cancelled as in ``react(toEach:maxConcurrent:name:progress:effect:)-(_,_,_,_,(Query)->Event?)``.
  ///
  /// - Parameters:
  ///   - queries: What the state asks for. Called for every state on the draining thread.
  ///   - maxConcurrent: How many effects may run at once, cancelled ones not counted; at least 1.
  ///   - name: Names the feedback in trips, records and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: Fulfils one query.
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
  /// An effect that fails does not touch the others. A `CancellationError` sends nothing, whoever threw it.
  ///
  /// - Parameters:
  ///   - queries: What the state asks for. Called for every state on the draining thread.
  ///   - maxConcurrent: How many effects may run at once, cancelled ones not counted; at least 1.
  ///   - name: Names the feedback in trips, records and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: Fulfils one query or throws.
  ///   - failure: Turns an error into an event.
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

  private static func set<Query: Hashable & Sendable>(
    _ queries: @escaping @Sendable (State) -> [Query],
    _ maxConcurrent: Int,
    name: String?,
    progress: @escaping @Sendable (Event, State) -> Bool,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?
  ) -> Self {
    Feedback(name: name, kind: "reactEach", progress: progress) {
      SetReact(queries: queries, maxConcurrent: maxConcurrent, effect: effect)
    }
  }
}
