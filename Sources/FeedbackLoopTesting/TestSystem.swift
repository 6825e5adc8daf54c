public import FeedbackLoop

/// A live `FeedbackSystem` whose effects run only inside the calls of a test, on a clock that the test advances.
///
/// The test observes live behavior: the same engine, the same order. Only the executor and the clock are manual, so a
/// test needs neither `await` nor timeouts, and runs the same way every time.
///
/// ```swift
/// let system = TestSystem(
///   initialState: Search(), reduce: Search.reduce, feedbacks: [.load(from: stub, clock: clock)], clock: clock,
///   report: TestFailure.record)
/// system.send(.typed("swift")) { $0.query = "swift" }
/// system.expectRunning(["load": "swift"])
/// system.advance(by: .milliseconds(300))
/// system.receive(.loaded(["swift-nio"])) { $0.rows = ["swift-nio"] }
/// system.finish()
/// ```
///
/// The system starts when it is created. Each call runs effects until none can continue. The events they send are
/// reduced immediately, and wait to be asserted with ``receive(_:fileID:filePath:line:column:_:)``, in order.
///
/// With ``Exhaustivity/on`` everything must be asserted. A test fails, with a difference, if
/// - a state changes other than expected, or without an expectation, or an expectation changes nothing,
/// - an expected event was not received, or another one was,
/// - an event is sent, or the test ends, before all events were received,
/// - an effect is running at the end, or continues after its cancellation, or other effects run than expected,
/// - the guard stops an effect and `onTrip` creates no event, or an effect emits after it returned,
/// - effects never become idle, or ``finish(fileID:filePath:line:column:)`` is never called.
///
/// Tasks that effects run elsewhere are not covered: detached ones and those of actors with their own executor.
public final class TestSystem<State: Equatable & Sendable, Event: Sendable> {
  /// The clock that ``advance(by:fileID:filePath:line:column:)`` advances; also measures the guard's start rate.
  public let clock: ManualClock

  /// Whether everything must be asserted. May be changed at any time.
  public var exhaustivity: Exhaustivity

  /// The state after the last event that was sent or received by the test.
  public internal(set) var state: State

  let system: FeedbackSystem<State, Event>
  let executor: ManualExecutor
  let eventTrace: EventTrace<State, Event>
  let report: @Sendable (TestFailure) -> Void
  let maximumJobs: Int
  var excused: Set<UInt64> = []
  private let origin: Place
  var isFinished = false

  /// Creates and starts a system, and runs the effects of its initial state until none can continue.
  ///
  /// - Parameters:
  ///   - initialState: The state until the first event.
  ///   - reduce: Applies an event to the state.
  ///   - feedbacks: The feedbacks under test, with their dependencies stubbed and their clock set to `clock`.
  ///   - loopGuard: Stops chains of effects that make no progress; uses `clock`.
  ///   - onTrip: Creates an event for the guard's refusal. Without it, a refusal fails the test.
  ///   - clock: The clock given to the feedbacks.
  ///   - exhaustivity: Whether everything must be asserted.
  ///   - maximumJobs: The number of consecutive jobs after which effects are considered endless.
  ///   - fileID: Where the system is created, as are `filePath`, `line` and `column`.
  ///   - filePath: See `fileID`.
  ///   - line: See `fileID`.
  ///   - column: See `fileID`.
  ///   - report: Called with each failure.
  public init(
    initialState: State,
    reduce: @escaping @Sendable (inout State, Event) -> Void,
    feedbacks: [Feedback<State, Event>] = [],
    guard loopGuard: LoopGuard = .standard,
    onTrip: (@Sendable (LoopGuard.Trip) -> Event?)? = nil,
    clock: ManualClock = ManualClock(),
    exhaustivity: Exhaustivity = .on,
    maximumJobs: Int = 100_000,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    report: @escaping @Sendable (TestFailure) -> Void
  ) {
    let eventTrace = EventTrace<State, Event>()
    let executor = ManualExecutor()
    self.clock = clock
    self.exhaustivity = exhaustivity
    self.executor = executor
    self.eventTrace = eventTrace
    self.report = report
    self.maximumJobs = maximumJobs
    state = initialState
    origin = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    system = FeedbackSystem(
      initialState: initialState, reduce: reduce, feedbacks: feedbacks, guard: loopGuard.measured(by: clock),
      onTrip: onTrip, executor: executor, recorder: { eventTrace.add($0) },
      diagnostics: { eventTrace.note("\($0)") })
    system.start()
    settle(origin)
  }

  deinit {
    guard !isFinished, exhaustivity == .on else { return }
    system.stop()
    executor.runUntilIdle(limit: maximumJobs)
    fail("finish() was never called, so what was left at the end of the test is unknown", origin)
  }

  func fail(_ message: String, _ place: Place) {
    report(
      TestFailure(
        message: message, fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column))
  }

  /// Runs effects until none can continue, and reports the system's diagnostics.
  func settle(_ place: Place) {
    executor.runUntilIdle(limit: maximumJobs)
    reportProblems(place)
  }

  func reportProblems(_ place: Place) {
    for problem in eventTrace.takeProblems() { fail(problem, place) }
    if executor.isIdle { return }
    fail("effects have not settled after \(maximumJobs) steps: \(listed(running()))", place)
  }
}
