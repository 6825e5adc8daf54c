extension Feedback {
  /// Calls a function with every settled state.
  ///
  /// ```swift
  /// .observe(name: "screen") { _ in screen.wake() }
  /// ```
  ///
  /// The function is called on the draining thread in the observer phase: after all feedbacks have canceled and started
  /// effects for this state, before the next event is reduced. The first call is for the initial state. No lock is
  /// held, so it may send events, which are queued.
  ///
  /// - Warning: The whole loop waits for it, so it must not block. For slow output, use ``bind(name:delivery:_:)`` or
  ///   wake another thread.
  ///
  /// - Parameters:
  ///   - name: The name of the feedback; by default its kind and its index.
  ///   - body: Called with each state.
  public static func observe(
    name: String? = nil, _ body: @escaping @Sendable (State) -> Void
  ) -> Self {
    Feedback(name: name, kind: .observe, progress: { _, _ in false }) {
      Observation(body: body)
    }
  }
}
