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
  /// What happened and has not been asserted yet.
  private let transitions: Lock<[Transition<State, Event>]>
  private let problems: Lock<[String]>
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
    let transitions = Lock<[Transition<State, Event>]>([])
    let problems = Lock<[String]>([])
    let executor = ManualExecutor()
    self.clock = clock
    self.exhaustivity = exhaustivity
    self.executor = executor
    self.transitions = transitions
    self.problems = problems
    self.report = report
    self.maximumJobs = maximumJobs
    state = initialState
    origin = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    system = FeedbackSystem(
      initialState: initialState, reduce: reduce, feedbacks: feedbacks, guard: loopGuard.measured(by: clock),
      onTrip: onTrip, executor: executor,
      recorder: { transition in transitions.withLock { $0.append(transition) } },
      diagnostics: { mistake in problems.withLock { $0.append("\(mistake)") } })
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
    for problem in problems.takeAll() { fail(problem, place) }
    if executor.isIdle { return }
    fail("effects have not settled after \(maximumJobs) steps: \(listed(running()))", place)
  }
}

/// How much of what happens a ``TestSystem`` requires to be asserted.
public enum Exhaustivity: Sendable, Hashable {
  /// Everything: each event received, each change of the state, each effect still running at the end.
  case on
  /// Only what the test asserts. Other events are skipped, and a change describes some of the new state instead of all
  /// that changed.
  case off
}

extension TestSystem {
  /// Sends an event, asserts what it changes, and runs effects until none can continue.
  ///
  /// `change` turns the state before the event into the one after it. Without it, the state must not change. All
  /// received events must have been asserted before.
  public func send(
    _ event: Event,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let step = "send(\(ValueDescription.line(event)))"
    skip("\(step): these events must be received first", place)
    system.send(event)
    guard let transition = transitions.takeFirst() else {
      fail("\(step): the system has stopped and takes no events", place)
      return
    }
    check(step, transition.state, change, place)
    settle(place)
  }

  /// Asserts the next event sent by an effect or an observer, and what it changed.
  ///
  /// `change` turns the state before the event into the one after it. Without it, the state must not change. With
  /// ``Exhaustivity/off``, other events before this one are skipped.
  public func receive(
    _ event: Event,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) where Event: Equatable {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    receive(
      "receive(\(ValueDescription.line(event)))", { $0 == event },
      { "received another event (− expected, + received)\n\(Difference(expected: event, actual: $0))" },
      change, place)
  }

  /// Asserts that the next event sent by an effect or an observer satisfies a condition, and what it changed.
  ///
  /// `change` turns the state before the event into the one after it. Without it, the state must not change. With
  /// ``Exhaustivity/off``, events that do not satisfy the condition are skipped.
  public func receive(
    where isExpected: (Event) -> Bool,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let mismatch = { "received another event: \(ValueDescription.line($0))" }
    receive("receive(where:)", isExpected, mismatch, change, place)
  }

  /// Skips all events that have not been received yet. An exhaustive test fails if there are none.
  public func skipReceived(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    if let last = transitions.takeAll().last {
      state = last.state
    } else if exhaustivity == .on {
      fail(
        "skipReceived(): there is no event to skip",
        Place(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  private func receive(
    _ step: String, _ isExpected: (Event) -> Bool, _ mismatch: (Event) -> String,
    _ change: ((inout State) -> Void)?, _ place: Place
  ) {
    guard let transition = nextTransition(isExpected) else {
      fail("\(step): no such event was received. Running: \(listed(running()))", place)
      return
    }
    if isExpected(transition.event) {
      check(step, transition.state, change, place)
    } else {
      fail("\(step): \(mismatch(transition.event))", place)
      state = transition.state
    }
  }

  /// The next unreceived transition; if the test is not exhaustive, the next with an expected event.
  private func nextTransition(_ isExpected: (Event) -> Bool) -> Transition<State, Event>? {
    guard exhaustivity == .off else { return transitions.takeFirst() }
    guard transitions.withLock({ $0 }).contains(where: { isExpected($0.event) }) else { return nil }
    while let transition = transitions.takeFirst() {
      if isExpected(transition.event) { return transition }
    }
    return nil
  }

  /// Skips to the state after all unreceived events, which is a failure if the test is exhaustive.
  func skip(_ problem: String, _ place: Place) {
    let skipped = transitions.takeAll()
    guard let last = skipped.last else { return }
    state = last.state
    guard exhaustivity == .on else { return }
    let events = skipped.map { "  + \(ValueDescription.line($0.event))" }
    fail("\(problem):\n\(events.joined(separator: "\n"))", place)
  }

  private func check(_ step: String, _ actual: State, _ change: ((inout State) -> Void)?, _ place: Place) {
    let before = state
    state = actual
    var expected = exhaustivity == .on ? before : actual
    change?(&expected)
    if expected != actual {
      let problem =
        change == nil ? "the state changed, and no change was expected" : "the state is not as expected"
      let difference = Difference(expected: expected, actual: actual)
      fail("\(step): \(problem) (− expected, + actual)\n\(difference)", place)
    } else if exhaustivity == .on, change != nil, expected == before {
      fail("\(step): the expectation changes nothing. Omit it if the event changes nothing", place)
    }
  }
}

extension TestSystem {
  /// Advances the clock, and at each time at which an effect wakes, runs effects until none can continue.
  public func advance(
    by duration: Duration,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    clock.advance(by: duration, running: executor, limit: maximumJobs)
    reportProblems(Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Asserts which effects are running, in any order: `["page": 1, "page": 2, "search": "swift"]`.
  ///
  /// The pairs are names of feedbacks and queries. Queries are compared by their descriptions. Bindings, which always
  /// run, are left out.
  public func expectRunning(
    _ expected: KeyValuePairs<String, Any>,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let expected = expected.map { "\($0.key): \(String(describing: $0.value))" }.sorted()
    let actual = running().map(\.description).sorted()
    guard expected != actual else { return }
    fail(
      "expectRunning: other effects are running (− expected, + running)\n"
        + "\(Difference(expected: expected, actual: actual))",
      Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Allows the effects that are running now to be running at the end of the test. An exhaustive test fails if there
  /// are none.
  public func skipEffects(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let running = running()
    excused.formUnion(running.map(\.lifetime))
    guard running.isEmpty, exhaustivity == .on else { return }
    fail(
      "skipEffects(): no effect is running",
      Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Ends the test: asserts that nothing is left to assert, and stops the system.
  public func finish(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    guard !isFinished else { return }
    isFinished = true
    skip("finish(): these events were not received", place)
    let left = running().filter { !excused.contains($0.lifetime) }
    if exhaustivity == .on, !left.isEmpty {
      fail("finish(): these effects are still running: \(listed(left))", place)
    }
    system.stop()
    settle(place)
    let stubborn = effects()
    if exhaustivity == .on, !stubborn.isEmpty {
      fail(
        "finish(): these effects are still running although they were canceled: \(listed(stubborn))", place)
    }
  }

  /// The running effects, without bindings.
  func running() -> [RunningEffect] { effects().filter { !$0.isBinding } }

  /// All effects whose task has not ended.
  private func effects() -> [RunningEffect] {
    let effects = Lock<[RunningEffect]>([])
    system.report { running in effects.withLock { $0 = running } }
    return effects.withLock { $0 }
  }

  func listed(_ effects: [RunningEffect]) -> String {
    effects.isEmpty ? "nothing" : effects.map(\.description).joined(separator: ", ")
  }
}

extension Lock {
  /// Removes and returns the first element; `nil` if there is none.
  func takeFirst<Element: Sendable>() -> Element? where Value == [Element] {
    withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// Removes and returns all elements.
  func takeAll<Element: Sendable>() -> [Element] where Value == [Element] {
    withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}
