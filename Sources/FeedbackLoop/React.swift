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
    single(query, Debounce(debounce, clock), name: name, progress: progress) { query, _ in await effect(query)
    }
  }

  /// Runs an effect for the latest query; the effect sends any number of events.
  ///
  /// ```swift
  /// .react(to: { $0.isTicking ? true : nil }, name: "timer", progress: { _, _ in true }) { _, emit in
  ///   while (try? await clock.sleep(for: .seconds(1))) != nil { emit(.ticked) }
  /// }
  /// ```
  ///
  /// The effect starts and is canceled as in
  /// ``react(to:debounce:clock:name:progress:effect:)-(_,_,_,_,_,(Query)->Event?)``.
  ///
  /// - Parameters:
  ///   - query: What the state requests, or `nil`. Called for every state on the draining thread.
  ///   - debounce: How long a query must stay the same before its effect begins. A query that is left earlier has no
  ///     effect.
  ///   - clock: Measures the debounce.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: Fulfills the query. Its events count until it returns or its query is left.
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> Query?,
    debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(),
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Void
  ) -> Self {
    single(query, Debounce(debounce, clock), name: name, progress: progress) { query, emit in
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
  /// A `CancellationError` sends nothing, whatever threw it. The effect starts and is canceled as in
  /// ``react(to:debounce:clock:name:progress:effect:)-(_,_,_,_,_,(Query)->Event?)``.
  ///
  /// - Parameters:
  ///   - query: What the state requests, or `nil`. Called for every state on the draining thread.
  ///   - debounce: How long a query must stay the same before its effect begins. A query that is left earlier has no
  ///     effect.
  ///   - clock: Measures the debounce.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
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
    single(query, Debounce(debounce, clock), name: name, progress: progress) { query, _ in
      await outcome(of: effect, query, failure)
    }
  }

  private static func single<Query: Equatable & Sendable>(
    _ query: @escaping @Sendable (State) -> Query?,
    _ debounce: Debounce,
    name: String?,
    progress: @escaping @Sendable (Event, State) -> Bool,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?
  ) -> Self {
    Feedback(name: name, kind: .react, progress: progress) {
      SingleReact(query: query) { query, emit in
        await debounce.passes() ? await effect(query, emit) : nil
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

/// The delay before the effect of a query starts.
struct Debounce: Sendable {
  private let pause: Duration
  private let clock: any Clock<Duration>

  init(_ pause: Duration, _ clock: any Clock<Duration>) {
    self.pause = pause
    self.clock = clock
  }

  /// Waits for the delay; returns false if the task was canceled meanwhile.
  func passes() async -> Bool {
    guard pause > .zero else { return true }
    return (try? await clock.sleep(for: pause)) != nil
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
  /// The effect starts and is canceled as in ``whenBecomesTrue(_:name:progress:effect:)-(_,_,_,()->Event?)``.
  ///
  /// - Parameters:
  ///   - condition: Called for every state on the draining thread.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: What to do.
  public static func whenBecomesTrue(
    _ condition: @escaping @Sendable (State) -> Bool,
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Emit<Event>) async -> Void
  ) -> Self {
    react(to: { condition($0) ? true : nil }, name: name, progress: progress) { _, emit in await effect(emit)
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
  /// Effects start and are canceled as in
  /// ``react(toEach:maxConcurrent:name:progress:effect:)-(_,_,_,_,(Query)->Event?)``.
  ///
  /// - Parameters:
  ///   - queries: What the state requests. Called for every state on the draining thread.
  ///   - maxConcurrent: How many effects may run at once, not counting canceled ones; at least 1.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - effect: Fulfills one query.
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
  /// An effect that fails does not affect the others. A `CancellationError` sends nothing, whatever threw it.
  ///
  /// - Parameters:
  ///   - queries: What the state requests. Called for every state on the draining thread.
  ///   - maxConcurrent: How many effects may run at once, not counting canceled ones; at least 1.
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
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
    Feedback(name: name, kind: .reactToEach, progress: progress) {
      KeyedReact(queries: queries, maxConcurrent: maxConcurrent, effect: effect)
    }
  }

  private static func set<Query: Hashable & Sendable>(
    _ queries: @escaping @Sendable (State) -> [Query],
    _ maxConcurrent: Int,
    name: String?,
    progress: @escaping @Sendable (Event, State) -> Bool,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?
  ) -> Self {
    Feedback(name: name, kind: .reactToEach, progress: progress) {
      SetReact(queries: queries, maxConcurrent: maxConcurrent, effect: effect)
    }
  }
}
