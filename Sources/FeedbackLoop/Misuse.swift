// Overloads that the compiler chooses only for mistakes, so that its message says what to write. The compiler prefers
// every available overload to an unavailable one, so they do not make correct code ambiguous.

extension Feedback {
  /// What the overloads return, which nobody can call.
  private static var idle: Self { react(to: { _ in Int?.none }) { _ in nil } }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message: "an effect that throws needs failure: { error, query in … }, which makes an event of the error"
  )
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> Query?, debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(), name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async throws -> Event?
  ) -> Self { idle }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message: "an effect that throws needs failure: { error, query in … }, which makes an event of the error"
  )
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> Query?, debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(), name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async throws -> Void
  ) -> Self { idle }

  /// Not available: an effect that sends no event must say so.
  @available(
    *, unavailable,
    message:
      "an effect that sends no event ends with: return nil. One that sends several takes { query, emit in … }"
  )
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> Query?, debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(), name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async -> Void
  ) -> Self { idle }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message:
      "an effect with emit must not throw: write do { … } catch { emit(…) }, which makes an event of the error"
  )
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> Query?, debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(), name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, Emit<Event>) async throws -> Void
  ) -> Self { idle }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message: "an effect that throws needs failure: { error, query in … }, which makes an event of the error"
  )
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query], maxConcurrent: Int = .max, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async throws -> Event?
  ) -> Self { idle }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message: "an effect that throws needs failure: { error, query in … }, which makes an event of the error"
  )
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query], maxConcurrent: Int = .max, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async throws -> Void
  ) -> Self { idle }

  /// Not available: an effect that sends no event must say so.
  @available(
    *, unavailable,
    message:
      "an effect that sends no event ends with: return nil. One that sends several takes { query, emit in … }"
  )
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query], maxConcurrent: Int = .max, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query) async -> Void
  ) -> Self { idle }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message:
      "an effect with emit must not throw: write do { … } catch { emit(…) }, which makes an event of the error"
  )
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query], maxConcurrent: Int = .max, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, Emit<Event>) async throws -> Void
  ) -> Self { idle }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message:
      "an effect with emit must not throw: write do { … } catch { emit(…) }, which makes an event of the error"
  )
  public static func react<Query: Identifiable & Equatable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query], maxConcurrent: Int = .max, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, AsyncStream<Query>, Emit<Event>) async throws -> Void
  ) -> Self where Query.ID: Sendable { idle }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message:
      "an effect of whenBecomesTrue must not throw: write do { … } catch { return … }, which makes an event of the error"
  )
  public static func whenBecomesTrue(
    _ condition: @escaping @Sendable (State) -> Bool, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable () async throws -> Event?
  ) -> Self { idle }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message:
      "an effect of whenBecomesTrue must not throw: write do { … } catch { return … }, which makes an event of the error"
  )
  public static func whenBecomesTrue(
    _ condition: @escaping @Sendable (State) -> Bool, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable () async throws -> Void
  ) -> Self { idle }

  /// Not available: an effect that sends no event must say so.
  @available(
    *, unavailable,
    message: "an effect that sends no event ends with: return nil. One that sends several takes { emit in … }"
  )
  public static func whenBecomesTrue(
    _ condition: @escaping @Sendable (State) -> Bool, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable () async -> Void
  ) -> Self { idle }

  /// Not available: an effect that throws must say which event an error becomes.
  @available(
    *, unavailable,
    message:
      "an effect with emit must not throw: write do { … } catch { emit(…) }, which makes an event of the error"
  )
  public static func whenBecomesTrue(
    _ condition: @escaping @Sendable (State) -> Bool, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Emit<Event>) async throws -> Void
  ) -> Self { idle }

  /// Not available: an effect with emit must not return an event.
  @available(
    *, unavailable,
    message: "an effect with emit sends all its events with emit(…), also the last one, and returns nothing"
  )
  public static func react<Query: Equatable & Sendable>(
    to query: @escaping @Sendable (State) -> Query?, debounce: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(), name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event
  ) -> Self { idle }

  /// Not available: an effect with emit must not return an event.
  @available(
    *, unavailable,
    message: "an effect with emit sends all its events with emit(…), also the last one, and returns nothing"
  )
  public static func react<Query: Hashable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query], maxConcurrent: Int = .max, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event
  ) -> Self { idle }

  /// Not available: an effect with emit must not return an event.
  @available(
    *, unavailable,
    message: "an effect with emit sends all its events with emit(…), also the last one, and returns nothing"
  )
  public static func react<Query: Identifiable & Equatable & Sendable>(
    toEach queries: @escaping @Sendable (State) -> [Query], maxConcurrent: Int = .max, name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    effect: @escaping @Sendable (Query, AsyncStream<Query>, Emit<Event>) async -> Event
  ) -> Self where Query.ID: Sendable { idle }
}
