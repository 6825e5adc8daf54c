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
