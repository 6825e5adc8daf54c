extension Feedback {
  /// Calls a function with every settled state.
  ///
  /// ```swift
  /// .observe(name: "screen") { _ in screen.wake() }
  /// ```
  ///
  /// It is called on the draining thread in the observer phase: after all feedbacks have cancelled and started effects
  /// for this state, before the next event is reduced, for the initial state first. No lock is held, so it may send
  /// events, which are queued.
  ///
  /// - Warning: The whole loop waits for it. It must not block; to show states in a slow place, use
  ///   ``bind(name:delivery:_:)`` or wake a thread of your own.
  ///
  /// - Parameters:
  ///   - name: Names the feedback; by default its kind and its index.
  ///   - body: Is told of the state.
  public static func observe(
    name: String? = nil, _ body: @escaping @Sendable (State) -> Void
  ) -> Self {
    Feedback(name: name, kind: .observe, progress: { _, _ in false }) {
      Observation(body: body)
    }
  }
}
