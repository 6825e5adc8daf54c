/// The values of a part of the state, without repeats. See ``FeedbackSystem/select(_:_:)``.
public struct Selection<Value: Sendable>: AsyncSequence, Sendable {
  let values: AsyncStream<Value>
  let isEqual: @Sendable (Value, Value) -> Bool

  /// Creates an iterator; must be called only once per sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: values.makeAsyncIterator(), isEqual: isEqual)
  }

  /// Receives one value after another.
  public struct Iterator: AsyncIteratorProtocol {
    private var values: AsyncStream<Value>.Iterator
    private let isEqual: @Sendable (Value, Value) -> Bool
    private var last: Value?

    fileprivate init(
      values: AsyncStream<Value>.Iterator, isEqual: @escaping @Sendable (Value, Value) -> Bool
    ) {
      self.values = values
      self.isEqual = isEqual
    }

    /// The next value that differs from the last one; `nil` when the system has stopped.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while let value = await values.next(isolation: actor) {
        // The value may have returned to the last one received while those in between were skipped.
        if let last, isEqual(last, value) { continue }
        last = value
        return value
      }
      return nil
    }
  }
}

/// Prevents a subscriber from being woken by states in which its part did not change.
struct SelectionSubscriber<State: Sendable, Value: Sendable>: Subscriber {
  private let value: @Sendable (State) -> Value
  private let isEqual: @Sendable (Value, Value) -> Bool
  private let continuation: AsyncStream<Value>.Continuation
  private var last: Value?

  init(
    value: @escaping @Sendable (State) -> Value, isEqual: @escaping @Sendable (Value, Value) -> Bool,
    continuation: AsyncStream<Value>.Continuation
  ) {
    self.value = value
    self.isEqual = isEqual
    self.continuation = continuation
  }

  mutating func deliver(_ state: State) {
    let value = value(state)
    if let last, isEqual(last, value) { return }
    last = value
    continuation.yield(value)
  }

  func finish() {
    continuation.finish()
  }
}
