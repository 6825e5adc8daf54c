public import FeedbackLoop
public import FeedbackLoopTesting

extension TestSystem {
  /// Creates and starts a system whose failures are issues of the running test of Swift Testing.
  ///
  /// ```swift
  /// let system = TestSystem(
  ///   initialState: Search(), reduce: Search.reduce,
  ///   feedbacks: { clock in [Search.loading(from: stub, clock: clock)] })
  /// ```
  ///
  /// - Parameters:
  ///   - initialState: The state until the first event.
  ///   - reduce: Applies an event to the state.
  ///   - feedbacks: Creates the feedbacks under test, with their dependencies stubbed, for the clock of the test.
  ///   - loopGuard: Reports feedbacks that drive themselves, which fails the test, and may limit them.
  ///   - onTrip: Creates an event for the guard's refusal. Without it, a refusal fails the test.
  ///   - exhaustivity: Whether everything must be asserted.
  ///   - fileID: Where the system is created, as are `filePath`, `line` and `column`.
  ///   - filePath: See `fileID`.
  ///   - line: See `fileID`.
  ///   - column: See `fileID`.
  public convenience init(
    initialState: State,
    reduce: @escaping @Sendable (inout State, Event) -> Void,
    feedbacks: (ManualClock) -> [Feedback<State, Event>] = { _ in [] },
    guard loopGuard: LoopGuard = .standard,
    onTrip: (@Sendable (LoopGuard.Trip) -> Event?)? = nil,
    exhaustivity: Exhaustivity = .on,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let clock = ManualClock()
    self.init(
      initialState: initialState, reduce: reduce, feedbacks: feedbacks(clock), guard: loopGuard,
      onTrip: onTrip,
      clock: clock, exhaustivity: exhaustivity, fileID: fileID, filePath: filePath, line: line,
      column: column,
      report: TestFailure.record)
  }
}
