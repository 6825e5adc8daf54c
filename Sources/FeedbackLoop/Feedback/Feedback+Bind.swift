extension Feedback {
  /// Sends the elements of an asynchronous sequence as events from outside.
  ///
  /// ```swift
  /// .bind(socket.messages.map { Event.received($0) }, name: "socket")
  /// ```
  ///
  /// The sequence is iterated from the start of the system until it ends or the system stops. The end of the sequence
  /// has no effect; events it produced before still count.
  ///
  /// - Parameters:
  ///   - source: Creates the sequence, once per system.
  ///   - name: The name of the feedback in recordings and tests; by default its kind and its index.
  public static func bind<Source: AsyncSequence & SendableMetatype>(
    _ source: @autoclosure @escaping @Sendable () -> Source, name: String? = nil
  ) -> Self
  where Source.Element == Event, Source.Failure == Never, Source.AsyncIterator: SendableMetatype {
    outside(name) { emit in
      for await event in source() { emit(event) }
      return nil
    }
  }

  /// Sends the elements of an asynchronous sequence that may fail as events from outside.
  ///
  /// - Parameters:
  ///   - source: Creates the sequence, once per system.
  ///   - name: The name of the feedback in recordings and tests; by default its kind and its index.
  ///   - failure: Converts the error that ended the sequence to an event; a `CancellationError` sends nothing.
  public static func bind<Source: AsyncSequence & SendableMetatype>(
    _ source: @autoclosure @escaping @Sendable () -> Source, name: String? = nil,
    failure: @escaping @Sendable (any Error) -> Event
  ) -> Self where Source.Element == Event, Source.AsyncIterator: SendableMetatype {
    outside(name) { emit in
      do {
        for try await event in source() { emit(event) }
        return nil
      } catch is CancellationError {
        return nil
      } catch {
        return failure(error)
      }
    }
  }

  /// Connects the loop to something outside that displays states and produces events, such as a screen.
  ///
  /// ```swift
  /// .bind(name: "screen") { states, emit in
  ///   async let keys: Void = { for await key in screen.keys { emit(.pressed(key)) } }()
  ///   for await state in states { await screen.show(state) }
  ///   await keys
  /// }
  /// ```
  ///
  /// `body` runs from the start of the system until it returns or the system stops, which cancels it. Its events are
  /// events from outside, so the loop guard does not stop it from answering states with events endlessly.
  ///
  /// - Parameters:
  ///   - name: The name of the feedback in recordings and tests; by default its kind and its index.
  ///   - delivery: Which states `body` sees; the first is the initial one or, with ``Delivery/latest``, a later one.
  ///   - body: Consumes states and emits events.
  public static func bind(
    name: String? = nil, delivery: Delivery = .latest,
    _ body: @escaping @Sendable (_ states: AsyncStream<State>, _ emit: Emit<Event>) async -> Void
  ) -> Self {
    Feedback(name: name, kind: .bind, progress: { _, _ in true }) {
      Binding(delivery: delivery, body: body)
    }
  }

  private static func outside(
    _ name: String?, _ body: @escaping @Sendable (Emit<Event>) async -> Event?
  ) -> Self {
    Feedback(name: name, kind: .bind, progress: { _, _ in true }) {
      SingleReact(query: { _ in Always() }, effect: { _, emit in await body(emit) })
    }
  }
}

/// The query of a feedback that runs from start to stop.
struct Always: Hashable, Sendable, CustomStringConvertible {
  var description: String { "always" }
}
