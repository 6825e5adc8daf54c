public import Locking

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
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``; by default none does. Called after the
  ///     event was reduced, with the new state.
  ///   - effect: Fulfills the query. `nil` sends nothing.
  @inlinable
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> some OptionalQuery<Query>,
    debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(),
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable (Query) async -> Event?
  ) -> Self {
    single(query, debounce, clock, name: name, progress: progress) { query, emit in
      if let event = await effect(query) { emit(event) }
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
  /// Start, cancellation and the other parameters are as in
  /// ``react(to:debounce:clock:name:progress:effect:)-(_,_,_,_,_,(Query)->Event?)``.
  @inlinable
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> some OptionalQuery<Query>,
    debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(),
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Void
  ) -> Self {
    single(query, debounce, clock, name: name, progress: progress, effect: effect)
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
  /// A `CancellationError` sends nothing, regardless of its origin. Start, cancellation and the other parameters are as
  /// in ``react(to:debounce:clock:name:progress:effect:)-(_,_,_,_,_,(Query)->Event?)``.
  @inlinable
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> some OptionalQuery<Query>,
    debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(),
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable (Query) async throws -> Event,
    failure: @escaping @Sendable (any Error, Query) -> Event
  ) -> Self {
    single(query, debounce, clock, name: name, progress: progress) { query, emit in
      await attempt(emit, { failure($0, query) }) { emit(try await effect(query)) }
    }
  }

  /// Runs an effect that may fail for the latest query; the effect sends any number of events, and an error becomes one.
  ///
  /// ```swift
  /// .react(
  ///   to: \.connection, name: "socket",
  ///   effect: { connection, emit in for try await line in open(connection) { emit(.received(line)) } },
  ///   failure: { _, _ in .lost })
  /// ```
  ///
  /// The parameters are as in ``react(to:debounce:clock:name:progress:effect:failure:)-(_,_,_,_,_,(Query)->Event,_)``.
  @inlinable
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> some OptionalQuery<Query>,
    debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(),
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable (Query, Emit<Event>) async throws -> Void,
    failure: @escaping @Sendable (any Error, Query) -> Event
  ) -> Self {
    single(query, debounce, clock, name: name, progress: progress) { query, emit in
      await attempt(emit, { failure($0, query) }) { try await effect(query, emit) }
    }
  }

  @inlinable
  static func single<Query: Equatable & Sendable>(
    _ query: @escaping @Sendable (State) -> some OptionalQuery<Query>,
    _ debounce: Duration,
    _ clock: any Clock<Duration>,
    name: String?,
    progress: (@Sendable (Event, State) -> Bool)?,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Void
  ) -> Self {
    Feedback(.react, name: name) { _ in
      let memory = Lock((query: Query?.none, lifetime: Lifetime?.none))
      return FeedbackInstance { state, steps in
        let wanted = query(state).optionalQuery
        memory.withLock { memory in
          if wanted == memory.query { return }
          memory.query = wanted
          if let lifetime = memory.lifetime { steps.cancel(lifetime) }
          memory.lifetime = wanted.map { query in
            steps.start(query) { post in
              if debounce > .zero, (try? await clock.sleep(for: debounce)) == nil { return }
              await effect(query, Emit(post, progress: progress))
            }
          }
        }
      }
    }
  }

  /// Runs an effect that may fail, and emits an event for its error.
  @inlinable
  static func attempt(
    _ emit: Emit<Event>, _ failure: (any Error) -> Event, _ effect: () async throws -> Void
  ) async {
    do {
      try await effect()
    } catch is CancellationError {
    } catch {
      emit(failure(error))
    }
  }
}

/// The query that a state requests of
/// ``Feedback/react(to:debounce:clock:name:progress:effect:)-(_,_,_,_,_,(Query)->Event?)``: an `Optional`, the only
/// type that conforms.
///
/// This is a protocol because of the compiler's diagnostics: with a plain `Query?`, the compiler would report a mistake
/// in an effect of several statements as a query that must be unwrapped.
///
/// A query that is never `nil` is wrapped: `{ Optional($0.page) }`. A closure of an `if` or a `switch` declares its type:
/// `{ state -> Int? in … }`.
public protocol OptionalQuery<Wrapped>: SendableMetatype {
  /// The type of the query.
  associatedtype Wrapped
  /// The query, or `nil` if nothing is requested.
  var optionalQuery: Wrapped? { get }
}

extension Optional: OptionalQuery {
  /// The optional itself.
  @inlinable public var optionalQuery: Wrapped? { self }
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
  @inlinable
  public static func whenBecomesTrue(
    _ condition: @escaping @Sendable (State) -> Bool,
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable () async -> Event?
  ) -> Self {
    react(to: { condition($0) ? true : nil }, name: name, progress: progress) { _ in await effect() }
  }

  /// Runs an effect when a condition becomes true; the effect sends any number of events.
  ///
  /// Start, cancellation and the parameters are as in ``whenBecomesTrue(_:name:progress:effect:)-(_,_,_,()->Event?)``.
  @inlinable
  public static func whenBecomesTrue(
    _ condition: @escaping @Sendable (State) -> Bool,
    name: String? = nil,
    progress: (@Sendable (Event, State) -> Bool)? = nil,
    effect: @escaping @Sendable (Emit<Event>) async -> Void
  ) -> Self {
    react(to: { condition($0) ? true : nil }, name: name, progress: progress) { _, emit in
      await effect(emit)
    }
  }
}
