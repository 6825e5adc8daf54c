public import FeedbackLoop
internal import Locking

extension TestSystem {
  /// Observes the states of the live system, as `FeedbackSystem.states(_:)` does.
  public func states(
    _ delivery: Delivery = .latest,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> ObservedValues<State> {
    observe(live.states(delivery), Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Observes a part of the states, without repeats, as `FeedbackSystem.select(_:_:)` does.
  ///
  /// ```swift
  /// let titles = system.select(\.title, .every)
  /// system.send(.opened("swift")) { $0.title = "swift" }
  /// #expect(titles.received() == ["", "swift"])
  /// ```
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery = .latest,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> ObservedValues<Value> {
    observe(
      live.select(value, delivery),
      Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Observes a part of the states, without repeats as defined by `isEqual`, as `FeedbackSystem.select(_:_:by:)` does.
  public func select<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery = .latest,
    by isEqual: @escaping @Sendable (Value, Value) -> Bool,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> ObservedValues<Value> {
    observe(
      live.select(value, delivery, by: isEqual),
      Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Observes the values assigned to a pulse, as `FeedbackSystem.pulses(_:_:)` does.
  public func pulses<Value: Sendable>(
    _ pulse: @escaping @Sendable (State) -> Pulse<Value>, _ delivery: Delivery = .every,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> ObservedValues<Value> {
    observe(
      live.pulses(pulse, delivery),
      Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Iterates a sequence of the live system on the manual executor.
  private func observe<Values: AsyncSequence & Sendable>(_ values: Values, _ place: Place)
    -> ObservedValues<Values.Element> where Values.Element: Sendable, Values.Failure == Never
  {
    let observed = ObservedValues<Values.Element>(
      executor: executor, maximumJobs: maximumJobs, activity: activity, report: report, place: place)
    Task(executorPreference: executor) {
      for await value in values { observed.add(value) }
      observed.end()
    }
    return observed
  }
}

/// The values that an observer of a system under test receives.
///
/// They are collected while the calls of the test run effects, as by a screen whose task runs on the manual executor: with
/// `Delivery.latest`, values that follow one another within a call may be skipped.
public final class ObservedValues<Value: Sendable>: AsyncSequence, Sendable {
  private let executor: ManualExecutor
  private let maximumJobs: Int
  private let activity: Activity
  private let report: @Sendable (TestFailure) -> Void
  private let place: Place
  private let values = Lock(FIFO<Value>())
  private let hasEnded = Lock(false)

  fileprivate init(
    executor: ManualExecutor, maximumJobs: Int, activity: Activity,
    report: @escaping @Sendable (TestFailure) -> Void, place: Place
  ) {
    self.executor = executor
    self.maximumJobs = maximumJobs
    self.activity = activity
    self.report = report
    self.place = place
  }

  fileprivate func add(_ value: Value) { values.withLock { $0.append(value) } }

  fileprivate func end() { hasEnded.withLock { $0 = true } }

  /// The values since the last call, oldest first. Runs effects until none can continue.
  public func received() -> [Value] {
    executor.runUntilIdle(limit: maximumJobs)
    return Array(values.withLock { $0.popAll() })
  }

  /// The next value; `nil` when the system has stopped.
  ///
  /// Runs effects until none can continue. If no value has arrived by then, nor arrives from another thread within the
  /// limit, the test fails and the result is `nil`.
  ///
  /// - Parameters:
  ///   - limit: How long to wait for work on other threads, in real time.
  ///   - fileID: Where a failure is reported, as are `filePath`, `line` and `column`.
  ///   - filePath: See `fileID`.
  ///   - line: See `fileID`.
  ///   - column: See `fileID`.
  public nonisolated(nonsending) func next(
    within limit: Duration = .zero,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async -> Value? {
    await next(within: limit, Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  fileprivate nonisolated(nonsending) func next(within limit: Duration, _ place: Place) async -> Value? {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while true {
      let seen = activity.count
      executor.runUntilIdle(limit: maximumJobs)
      if let value = values.withLock({ $0.popFirst() }) { return value }
      if hasEnded.withLock({ $0 }) { return nil }
      if limit > .zero, await activity.next(after: seen, until: deadline) { continue }
      let message =
        "next(): there is no other value, and none comes until the test sends an event or advances the clock"
      report(
        TestFailure(
          message: message, fileID: place.fileID, filePath: place.filePath, line: place.line,
          column: place.column))
      return nil
    }
  }

  /// Creates an iterator. Iterators and ``received()`` share the values: each value goes to one of them.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

  /// Receives one value after another, as ``ObservedValues/next(within:fileID:filePath:line:column:)`` does. A failure is
  /// reported where the values began to be observed.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let values: ObservedValues

    /// The next value; `nil` when the system has stopped, or none can come.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await values.next(within: .zero, values.place)
    }
  }
}
