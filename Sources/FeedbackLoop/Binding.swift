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
  /// - Warning: The whole loop waits for it, so it must not block. For slow output, use
  ///   ``bind(delivery:name:progress:_:)`` or wake another thread.
  ///
  /// - Parameters:
  ///   - name: The name of the feedback; by default its kind and its index.
  ///   - body: Called with each state.
  public static func observe(name: String? = nil, _ body: @escaping @Sendable (State) -> Void) -> Self {
    Feedback(.observe, name: name) { _ in
      FeedbackInstance { state, steps in steps.observations.append { body(state) } }
    }
  }

  /// Calls a function on the main actor with the latest state, whenever it has changed.
  ///
  /// ```swift
  /// .observe(name: "title", onMainActor: { state in label.text = state.title })
  /// ```
  ///
  /// Unlike ``observe(name:_:)``, the loop does not wait for it. The first call is for the initial state or a later
  /// one; states may be skipped, the last one never is. After the system has stopped, at most one call that was already
  /// scheduled still happens.
  ///
  /// - Parameters:
  ///   - name: The name of the feedback; by default its kind and its index.
  ///   - body: Called with states, in order.
  public static func observe(
    name: String? = nil, onMainActor body: @escaping @MainActor @Sendable (State) -> Void
  ) -> Self {
    bind(name: name) { states, _ in
      for await state in states { await body(state) }
    }
  }
}

extension Feedback {
  /// Sends the elements of an asynchronous sequence as events.
  ///
  /// ```swift
  /// .bind(socket.messages.map { Event.received($0) }, name: "socket")
  /// ```
  ///
  /// The sequence is iterated from the start of the system until it ends or the system stops. The end of the sequence
  /// has no effect; events it produced before still count. It sees no states, so its events count as progress for the
  /// ``LoopGuard``.
  ///
  /// - Parameters:
  ///   - source: Creates the sequence, once per system.
  ///   - name: The name of the feedback in recordings and tests; by default its kind and its index.
  public static func bind<Source: AsyncSequence & SendableMetatype>(
    _ source: @autoclosure @escaping @Sendable () -> Source, name: String? = nil
  ) -> Self
  where Source.Element == Event, Source.Failure == Never, Source.AsyncIterator: SendableMetatype {
    bind(name: name, progress: { _, _ in true }) { _, emit in
      for await event in source() { emit(event) }
    }
  }

  /// Sends the elements of an asynchronous sequence that may fail as events.
  ///
  /// `failure` converts the error that ended the sequence to an event; a `CancellationError` sends nothing. Everything
  /// else is as in ``bind(_:name:)``.
  public static func bind<Source: AsyncSequence & SendableMetatype>(
    _ source: @autoclosure @escaping @Sendable () -> Source, name: String? = nil,
    failure: @escaping @Sendable (any Error) -> Event
  ) -> Self where Source.Element == Event, Source.AsyncIterator: SendableMetatype {
    bind(name: name, progress: { _, _ in true }) { _, emit in
      await attempt(emit, failure) { for try await event in source() { emit(event) } }
    }
  }

  /// Connects the loop to something that displays states and produces events, such as a screen.
  ///
  /// ```swift
  /// .bind(name: "screen") { states, emit in
  ///   async let keys: Void = { for await key in screen.keys { emit(.pressed(key)) } }()
  ///   for await state in states { await screen.show(state) }
  ///   await keys
  /// }
  /// ```
  ///
  /// `body` runs from the start of the system until it returns or the system stops, which cancels it. For the
  /// ``LoopGuard``, an event that it sends is a consequence of the state at that time, unless it is progress.
  ///
  /// - Parameters:
  ///   - delivery: Which states `body` sees; the first is the initial one or, with ``Delivery/latest``, a later one.
  ///   - name: The name of the feedback in recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``, such as a key that a user pressed; by
  ///     default none does.
  ///   - body: Consumes states and emits events.
  public static func bind(
    delivery: Delivery = .latest, name: String? = nil, progress: (@Sendable (Event, State) -> Bool)? = nil,
    _ body: @escaping @Sendable (_ states: AsyncStream<State>, _ emit: Emit<Event>) async -> Void
  ) -> Self {
    Feedback(.bind, name: name) { source in
      let (states, feed) = Subscriber.make(delivery, from: source)
      let isRunning = Flag()
      return FeedbackInstance(finish: feed.finish) { state, steps in
        if isRunning.set() {
          _ = steps.start(AlwaysQuery()) { await body(states, Emit($0, progress: progress)) }
        }
        steps.observations.append { feed.deliver(state) }
      }
    }
  }
}

/// The query of a feedback that runs from start to stop.
struct AlwaysQuery: Hashable, Sendable, CustomStringConvertible {
  var description: String { "always" }
}
