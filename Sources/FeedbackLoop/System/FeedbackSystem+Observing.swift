extension FeedbackSystem {
  /// The states from now on, starting with the current one.
  ///
  /// ```swift
  /// for await state in system.states() { draw(state) }
  /// ```
  ///
  /// Each call creates a separate subscriber, which is attached immediately: no state is missed or seen twice, however
  /// late the iteration begins. The sequence ends when the system stops or is released, and is empty if it has stopped
  /// already. Dropping the sequence, or canceling the task that iterates it, detaches the subscriber.
  ///
  /// - Parameter delivery: ``Delivery/latest`` for a screen, ``Delivery/every`` for a log.
  public func states(_ delivery: Delivery = .latest) -> AsyncStream<State> {
    subscribe(delivery) { StateSubscriber(continuation: $0) }
  }

  /// The values of a part of the state from now on, starting with the current one, without repeats.
  ///
  /// The part is computed for every state on the draining thread, and *then* repeats are dropped, compared to the last
  /// value this subscriber received. A change to `nil` is a change. Attaching and ending are as with ``states(_:)``.
  ///
  /// ```swift
  /// for await title in system.select(\.title) { show(title) }
  /// ```
  ///
  /// - Parameters:
  ///   - value: Computes the part. It must be fast and must not block.
  ///   - delivery: Which of the changes are delivered.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery = .latest
  ) -> Selection<Value> {
    select(value, delivery, by: { $0 == $1 })
  }

  /// The values of a part of the state from now on, without repeats as defined by `isEqual`.
  ///
  /// Useful if comparing whole values is too expensive, or if comparing the identity of a component is sufficient.
  ///
  /// - Parameters:
  ///   - value: Computes the part. It must be fast and must not block.
  ///   - delivery: Which of the changes are delivered.
  ///   - isEqual: Whether the second value is a repeat of the first.
  public func select<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery = .latest,
    by isEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> Selection<Value> {
    let values = subscribe(delivery) {
      SelectionSubscriber(value: value, isEqual: isEqual, continuation: $0)
    }
    return Selection(values: values, isEqual: isEqual)
  }

  func subscribe<Element: Sendable>(
    _ delivery: Delivery,
    _ makeSubscriber: (AsyncStream<Element>.Continuation) -> some Subscriber<State>
  ) -> AsyncStream<Element> {
    cell.assertNotReducing()
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: delivery.buffering())
    let ticket = inbox.newTicket()
    continuation.onTermination = { [weak inbox] _ in inbox?.post(.unsubscribe(ticket)) }
    inbox.post(.subscribe(ticket, makeSubscriber(continuation)))
    return stream
  }
}

private struct StateSubscriber<State: Sendable>: Subscriber {
  let continuation: AsyncStream<State>.Continuation

  mutating func deliver(_ state: State) {
    continuation.yield(state)
  }

  func finish() {
    continuation.finish()
  }
}
