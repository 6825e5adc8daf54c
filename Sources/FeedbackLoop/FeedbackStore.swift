#if canImport(Observation)
  public import Observation

  /// The state of a system, or of a part of it, as an observable object for screens.
  ///
  /// ```swift
  /// struct SearchScreen: View {
  ///   let store: FeedbackStore<Search, SearchEvent>
  ///
  ///   var body: some View {
  ///     List(store.state.rows) { Text($0.title) }
  ///       .refreshable { await store.send(.refresh, while: \.isRefreshing) }
  ///   }
  /// }
  /// let store = FeedbackStore(system.scoped(state: \.search, event: AppEvent.search))
  /// ```
  ///
  /// The store and its changes belong to the main actor. It follows the system: it may skip states, and always ends
  /// with the last one. If the state is `Equatable`, an equal state is not announced.
  ///
  /// A store keeps its system alive. It ends with the system; releasing it has no effect on the system.
  ///
  /// `send` on the main actor returns when the event has been reduced and ``state`` is the result, unless another thread
  /// is processing events.
  @MainActor
  public final class FeedbackStore<State: Sendable, Event: Sendable> {
    private let scope: Scope<State, Event>
    private let isEqual: (State, State) -> Bool
    private let registrar = ObservationRegistrar()
    private var current: State
    private var following: Task<Void, Never>?

    /// The latest state. Reading it inside `withObservationTracking`, or the body of a view, observes it. O(1) plus a
    /// copy.
    public var state: State {
      registrar.access(self, keyPath: \.state)
      return current
    }

    /// Follows a part of a system. Announces every state as a change.
    public convenience init(_ scope: Scope<State, Event>) { self.init(scope) { _, _ in false } }

    /// Follows a part of a system. Announces a state as a change if it differs from the last one.
    public convenience init(_ scope: Scope<State, Event>) where State: Equatable {
      self.init(scope) { $0 == $1 }
    }

    /// Follows a system. Announces every state as a change.
    public convenience init(_ system: FeedbackSystem<State, Event>) {
      self.init(Scope(system)) { _, _ in false }
    }

    /// Follows a system. Announces a state as a change if it differs from the last one.
    public convenience init(_ system: FeedbackSystem<State, Event>) where State: Equatable {
      self.init(Scope(system)) { $0 == $1 }
    }

    private init(_ scope: Scope<State, Event>, isEqual: @escaping (State, State) -> Bool) {
      self.scope = scope
      self.isEqual = isEqual
      current = scope.state
      let states = scope.states()
      following = Task { @MainActor [weak self] in
        for await _ in states { self?.refresh() }
      }
    }

    deinit { following?.cancel() }

    /// Sends an event; see ``FeedbackSystem/send(_:)``.
    public func send(_ event: Event) {
      scope.postOnMainActor(event)
      refresh()
    }

    /// Sends an event and waits while a condition holds; see ``FeedbackSystem/send(_:while:onCancel:)``.
    @discardableResult
    public func send(
      _ event: Event, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event? = nil
    ) async -> Outcome {
      let outcome = await scope.send(event, while: condition, onCancel: onCancel)
      refresh()
      return outcome
    }

    /// Reads the current state, which may be newer than the one that was announced.
    private func refresh() {
      let state = scope.state
      guard !isEqual(current, state) else { return }
      registrar.withMutation(of: self, keyPath: \.state) { current = state }
    }
  }

  extension FeedbackStore: Observable {}
#endif
