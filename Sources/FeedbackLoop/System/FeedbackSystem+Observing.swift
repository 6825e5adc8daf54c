extension FeedbackSystem {
  /// The states from now on, the current one first.
  ///
  /// ```swift
  /// for await state in system.states() { draw(state) }
  /// ```
  ///
  /// Each call makes a subscriber of its own, which is attached when the call is made: no state is missed or seen twice,
  /// however late the iteration begins. The sequence ends when the system stops or is released, and is empty if it has
  /// stopped already. Dropping the sequence, or cancelling the task that iterates it, detaches the subscriber.
  ///
  /// - Parameter delivery: ``Delivery/latest`` for a screen, ``Delivery/every`` for a log.
  public func states(_ delivery: Delivery = .latest) -> AsyncStream<State> {
    subscribe(delivery) { StateSubscriber(continuation: $0) }
  }

  /// A part of the states from now on, told only when that part changes; the current one first.
  ///
  /// The part is computed for every state on the draining thread, and *then* repeats are dropped, against the last value
  /// this subscriber received. A value that turns `nil` is a change. Attaching and ending are as with ``states(_:)``.
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

  /// A part of the states from now on, told only when that part changes in the sense of `isEqual`.
  ///
  /// Useful where comparing whole values costs too much, or where the identity of a component will do.
  ///
  /// - Parameters:
  ///   - value: Computes the part. It must be fast and must not block.
  ///   - delivery: Which of the changes are delivered.
  ///   - isEqual: Whether the second value would be a repeat of the first.
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
