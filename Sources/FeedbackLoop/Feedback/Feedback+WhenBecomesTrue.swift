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
