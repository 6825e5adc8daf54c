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
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async -> Event?
  ) -> Self {
    set(queries, { $0 }, maxConcurrent, name: name) { query, _, post in
      if let event = await effect(query) { Emit(post, progress: progress)(event) }
    }
  }

  /// Runs one effect for each query of a set; each sends any number of events.
  ///
  /// Effects start and are canceled, and the parameters are, as in
  /// ``react(toEach:maxConcurrent:name:progress:effect:)-(_,_,_,_,(Query)->Event?)``.
  @inlinable
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Void
  ) -> Self {
    set(queries, { $0 }, maxConcurrent, name: name) { query, _, post in
      await effect(query, Emit(post, progress: progress))
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
  @inlinable
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async throws -> Event,
    failure: @escaping @Sendable (any Error, Query) -> Event
  ) -> Self {
    set(queries, { $0 }, maxConcurrent, name: name) { query, _, post in
      if let event = await outcome(of: effect, query, failure) { Emit(post, progress: progress)(event) }
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
  /// Effects start in the order of the array. If there are more identities than `maxConcurrent`, the later ones wait,
  /// and start with the value their query has by then. Of equal identities in the array the first counts.
  ///
  /// - Parameters:
  ///   - queries: What the state requests. Called for every state on the draining thread.
  ///   - maxConcurrent: How many effects may run at once, not counting canceled ones; at least 1.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: Fulfills one query, given its first value and the later ones. The updates end when the identity
  ///     leaves, after the effect has been canceled.
  public static func react<Query: Identifiable & Equatable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query],
    maxConcurrent: Int = .max,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
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
    effect: @escaping SetReact<State, Event, Query, Key>.Effect
  ) -> Self {
    let react = SetReact<State, Event, Query, Key>(
      queries: queries, key: key, slots: maxConcurrent, hasUpdates: hasUpdates, effect: effect)
    return Feedback(name: name, kind: .reactToEach) { _ in react }
  }
}
