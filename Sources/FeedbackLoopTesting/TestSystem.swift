public import FeedbackLoop
internal import Locking

/// A live `FeedbackSystem` whose effects run only inside the calls of a test, on a clock that the test advances.
///
/// The test observes live behavior: the same engine, the same order. Only the executor and the clock are manual, so a
/// test needs neither `await` nor timeouts, and runs the same way every time.
///
/// ```swift
/// let system = TestSystem(
///   initialState: Search(), reduce: Search.reduce, feedbacks: { clock in [.load(from: stub, clock: clock)] })
/// system.send(.typed("swift")) { $0.query = "swift" }
/// system.expectRunning(["load": "swift"])
/// system.advance(by: .milliseconds(300))
/// system.receive(.loaded(["swift-nio"])) { $0.rows = ["swift-nio"] }
/// system.finish()
/// ```
///
/// This initializer, which needs neither clock nor `report`, is that of the library `FeedbackLoopSwiftTesting`.
///
/// The system starts when it is created. Each call runs effects until none can continue. The events they send are
/// reduced immediately, and wait to be asserted with ``receive(_:from:fileID:filePath:line:column:_:)``, in order.
///
/// With ``Exhaustivity/on`` everything must be asserted. A test fails, with a difference, if
/// - a state changes other than expected, or without an expectation, or an expectation changes nothing,
/// - an expected event was not received, or another one was,
/// - an event is sent, or the test ends, before all events were received,
/// - an effect is running at the end, or continues after its cancellation, or other effects run than expected,
/// - an effect has answered and its query is still requested at the end, so that an equal request would do nothing,
/// - a feedback drives itself, the guard stops an effect and `onTrip` creates no event, or an effect emits after it
///   returned,
/// - effects never become idle, or ``finish(fileID:filePath:line:column:)`` is never called.
///
/// ## Other threads
/// Work that effects do on threads, in detached tasks and on actors with their own executor is not controlled by the
/// test. For its events, wait with ``receive(_:from:within:fileID:filePath:line:column:_:)``.
///
/// ## Waiting and observing
/// ``send(_:while:onCancel:advancing:within:fileID:filePath:line:column:_:)``,
/// ``wait(while:advancing:within:fileID:filePath:line:column:)``, ``states(_:fileID:filePath:line:column:)``, `select`
/// and ``pulses(_:_:fileID:filePath:line:column:)`` are those of the live system, and run its effects while the test
/// waits. For a function under test that takes the system, pass ``live``, and run it as a task on ``executor``.
public final class TestSystem<State: Equatable & Sendable, Event: Sendable> {
  /// The clock that ``advance(by:fileID:filePath:line:column:)`` advances; also measures the guard's start rate.
  public let clock: ManualClock

  /// Whether everything must be asserted. May be changed at any time.
  public var exhaustivity: Exhaustivity

  /// The state after the last event that the test has sent, received or skipped; with ``Exhaustivity/off``, the current
  /// state of the system.
  public var state: State { exhaustivity == .on ? asserted : live.state }

  /// The live system. Events that are sent to it directly must be received like those of an effect, from
  /// ``ExpectedOrigin/outside``.
  public let live: FeedbackSystem<State, Event>

  /// Runs the effects, within the calls of the test. Use it for other tasks that take part in the test:
  ///
  /// ```swift
  /// let refresh = Task(executorPreference: system.executor) { [live = system.live] in await screen.refresh(live) }
  /// ```
  public let executor: ManualExecutor

  /// An event, and the state after it.
  struct Transition: Sendable {
    let reduced: ReducedEvent<Event>
    let state: State

    var event: Event { reduced.event }
    var origin: EventOrigin { reduced.origin }
  }

  /// The state after the last event that the test has sent, received or skipped.
  private var asserted: State
  /// What happened and has not been asserted yet.
  let transitions: Lock<FIFO<Transition>>
  private let problems: Lock<FIFO<String>>
  let activity: Activity
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
  ///   - loopGuard: Reports feedbacks that drive themselves, which fails the test, and may limit them; uses `clock`.
  ///   - onTrip: Creates an event for the guard's refusal. Without it, a refusal fails the test.
  ///   - clock: The clock given to the feedbacks.
  ///   - exhaustivity: Whether everything must be asserted.
  ///   - maximumJobs: The number of consecutive jobs after which effects are considered endless. A job is what a task
  ///     does from one suspension to the next.
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
    let transitions = Lock(FIFO<Transition>())
    let problems = Lock(FIFO<String>())
    let activity = Activity()
    let executor = ManualExecutor(onEnqueue: { activity.signal() })
    self.clock = clock
    self.exhaustivity = exhaustivity
    self.executor = executor
    self.transitions = transitions
    self.problems = problems
    self.activity = activity
    self.report = report
    self.maximumJobs = maximumJobs
    asserted = initialState
    origin = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    live = FeedbackSystem(
      initialState: initialState, reduce: reduce, feedbacks: feedbacks, guard: loopGuard.measured(by: clock),
      onTrip: onTrip, executor: executor,
      recorder: { event, state in
        transitions.withLock { $0.append(Transition(reduced: event, state: state)) }
        activity.signal()
      },
      diagnostics: { mistake in problems.withLock { $0.append("\(mistake)") } })
    live.start()
    settle(origin)
  }

  deinit {
    guard !isFinished, exhaustivity == .on else { return }
    live.stop()
    executor.runUntilIdle(limit: maximumJobs)
    fail("finish() was never called, so what was left at the end of the test is unknown", origin)
  }

  func fail(_ message: String, _ place: Place) {
    report(
      TestFailure(
        message: message, fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column))
  }

  /// Runs effects until none can continue, and reports the system's diagnostics; returns false if there was no end.
  @discardableResult
  func settle(_ place: Place) -> Bool {
    reportProblems(jobs: executor.runUntilIdle(limit: maximumJobs), place)
  }

  /// Reports diagnostics, and effects that were not idle after the maximum of jobs; returns whether they were idle.
  ///
  /// A job that is ready after fewer jobs became so on another thread, and runs in the next call.
  private func reportProblems(jobs: Int, _ place: Place) -> Bool {
    for problem in problems.withLock({ $0.popAll() }) { fail(problem, place) }
    let isEndless = jobs >= maximumJobs && !executor.isIdle
    if isEndless { fail("effects have not settled after \(jobs) steps: \(listed(running()))", place) }
    return !isEndless
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

/// Who must have sent an event that a ``TestSystem`` receives. A literal is the name of a feedback.
public enum ExpectedOrigin: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// Anything.
  case any
  /// No feedback: code that called `send` of the live system, such as an observer.
  case outside
  /// The feedback with this name; also the event that a trip of the loop guard for it becomes.
  case feedback(String)

  /// The feedback with this name.
  public init(stringLiteral name: String) { self = .feedback(name) }

  func matches(_ origin: EventOrigin) -> Bool {
    switch self {
    case .any: true
    case .outside: origin.feedback == nil
    case .feedback(let name): origin.feedback == name
    }
  }

  /// The argument of `receive`, with a comma before it.
  var argument: String {
    switch self {
    case .any: ""
    case .outside: ", from: .outside"
    case .feedback(let name): ", from: \(name.debugDescription)"
    }
  }
}

/// What a call of `receive` expects.
struct ExpectedEvent<Event: Sendable> {
  /// The call, for messages.
  let step: String
  /// What is wrong with an event; `nil` if it is the expected one.
  let mismatch: (Event, EventOrigin) -> String?

  static func equal(to event: Event, from origin: ExpectedOrigin) -> ExpectedEvent where Event: Equatable {
    ExpectedEvent(step: "receive(\(ValueDescription.brief(event))\(origin.argument))") { actual, from in
      actual == event
        ? wrongOrigin(from, origin)
        : "received another event (− expected, + received)\n\(Difference(expected: event, actual: actual))"
    }
  }

  static func satisfying(
    _ condition: @escaping (Event) -> Bool, from origin: ExpectedOrigin
  ) -> ExpectedEvent {
    ExpectedEvent(step: "receive(where:\(origin.argument))") { actual, from in
      condition(actual)
        ? wrongOrigin(from, origin) : "received another event: \(ValueDescription.line(actual))"
    }
  }

  private static func wrongOrigin(_ actual: EventOrigin, _ expected: ExpectedOrigin) -> String? {
    if expected.matches(actual) { return nil }
    guard let feedback = actual.feedback else { return "the event came from outside" }
    return "the event came from feedback \(feedback.debugDescription)"
  }
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
    let step = "send(\(ValueDescription.brief(event)))"
    skip("\(step): these events must be received first", place)
    live.send(event)
    if !isSentEventReduced { finishDraining(place) }
    if !checkSent(step, change, place) {
      fail("\(step): the system has stopped and takes no events", place)
    }
    settle(place)
  }

  /// Asserts the next event sent by an effect or an observer, where it came from, and what it changed.
  ///
  /// ```swift
  /// system.receive(.loaded(["swift-nio"]), from: "load") { $0.rows = ["swift-nio"] }
  /// ```
  ///
  /// `change` turns the state before the event into the one after it. Without it, the state must not change. With
  /// ``Exhaustivity/off``, other events before this one are skipped.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - origin: Who sent it: the name of a feedback, or ``ExpectedOrigin/outside``; by default anything.
  ///   - fileID: Where a failure is reported, as are `filePath`, `line` and `column`.
  ///   - filePath: See `fileID`.
  ///   - line: See `fileID`.
  ///   - column: See `fileID`.
  ///   - change: The change of the state.
  public func receive(
    _ event: Event, from origin: ExpectedOrigin = .any,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) where Event: Equatable {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    receive(.equal(to: event, from: origin), change, place)
  }

  /// Asserts that the next event sent by an effect or an observer satisfies a condition, where it came from, and what it
  /// changed.
  ///
  /// `change` turns the state before the event into the one after it. Without it, the state must not change. With
  /// ``Exhaustivity/off``, events that do not satisfy the condition are skipped.
  public func receive(
    where isExpected: (Event) -> Bool, from origin: ExpectedOrigin = .any,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    withoutActuallyEscaping(isExpected) {
      receive(.satisfying($0, from: origin), change, place)
    }
  }

  /// Skips all events that have not been received yet. An exhaustive test fails if there are none.
  public func skipReceived(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    if let last = transitions.withLock({ $0.popAll() }).last {
      asserted = last.state
    } else if exhaustivity == .on {
      fail(
        "skipReceived(): there is no event to skip",
        Place(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  func receive(
    _ expected: ExpectedEvent<Event>, _ change: ((inout State) -> Void)?, _ place: Place,
    absence: String = "no such event was received"
  ) {
    settle(place)
    guard let transition = nextTransition(expected) else {
      fail("\(expected.step): \(absence). Running: \(listed(running()))", place)
      return
    }
    if let mismatch = expected.mismatch(transition.event, transition.origin) {
      fail("\(expected.step): \(mismatch)", place)
      asserted = transition.state
    } else {
      check(expected.step, transition.state, change, place)
    }
  }

  /// The next unreceived transition; if the test is not exhaustive, the next with an expected event.
  private func nextTransition(_ expected: ExpectedEvent<Event>) -> Transition? {
    transitions.withLock { transitions in
      guard exhaustivity == .off else { return transitions.popFirst() }
      return transitions.popAll { expected.mismatch($0.event, $0.origin) == nil }?.last
    }
  }

  /// Whether an event from outside waits to be asserted.
  var isSentEventReduced: Bool { transitions.withLock { $0.all.contains { $0.origin == .outside } } }

  /// Asserts the change of the event that the test just sent; returns false if it was not reduced.
  ///
  /// An event of another thread may have come before it.
  func checkSent(_ step: String, _ change: ((inout State) -> Void)?, _ place: Place) -> Bool {
    guard let reduced = transitions.withLock({ $0.popAll { $0.origin == .outside } }), let sent = reduced.last
    else { return false }
    skip(reduced.dropLast(), "\(step): these events must be received first", place)
    check(step, sent.state, change, place)
    return true
  }

  /// Skips to the state after all unreceived events, which is a failure if the test is exhaustive.
  func skip(_ problem: String, _ place: Place) {
    skip(transitions.withLock { $0.popAll() }, problem, place)
  }

  private func skip(_ skipped: ArraySlice<Transition>, _ problem: String, _ place: Place) {
    guard let last = skipped.last else { return }
    asserted = last.state
    guard exhaustivity == .on else { return }
    let events = skipped.map { "  + \(ValueDescription.line($0.event))" }
    fail("\(problem):\n\(events.joined(separator: "\n"))", place)
  }

  private func check(_ step: String, _ actual: State, _ change: ((inout State) -> Void)?, _ place: Place) {
    let before = asserted
    asserted = actual
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
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    _ = reportProblems(jobs: clock.advance(by: duration, running: executor, limit: maximumJobs), place)
  }

  /// Asserts which effects are running, in any order: `["page": 1, "page": 2, "search": "swift"]`.
  ///
  /// The pairs are names of feedbacks and queries. Queries are compared by their descriptions. Bindings, which always
  /// run, are left out.
  public func expectRunning(
    _ expected: KeyValuePairs<String, Any>,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    settle(place)
    let expected = expected.map { "\($0.key): \(String(describing: $0.value))" }.sorted()
    let actual = running().map(\.description).sorted()
    guard expected != actual else { return }
    fail(
      "expectRunning: other effects are running (− expected, + running)\n"
        + "\(Difference(expected: expected, actual: actual))", place)
  }

  /// Allows the effects that are running now, or have answered while their query is still requested, to be so at the end
  /// of the test. An exhaustive test fails if there are none.
  public func skipEffects(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let effects = effects()
    let excusable = (effects.running + effects.answered).filter { !$0.isBinding }
    excused.formUnion(excusable.map(\.lifetime))
    guard excusable.isEmpty, exhaustivity == .on else { return }
    fail(
      "skipEffects(): no effect is running or requested",
      Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Ends the test: asserts that nothing is left to assert, and stops the system.
  public func finish(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    guard !isFinished else { return }
    isFinished = true
    settle(place)
    skip("finish(): these events were not received", place)
    let left = effects()
    report(left.running, "finish(): these effects are still running", place)
    report(
      left.answered,
      "finish(): answered and still requested, so that an equal request would do nothing; clear the request in the "
        + "reducer, or call skipEffects() if it is meant to stay", place)
    live.stop()
    settle(place)
    let stubborn = effects().running
    if exhaustivity == .on, !stubborn.isEmpty {
      fail(
        "finish(): these effects are still running although they were canceled: \(listed(stubborn))", place)
    }
  }

  /// Fails an exhaustive test if effects are left that are neither excused nor bindings.
  private func report(_ effects: [RunningEffect], _ problem: String, _ place: Place) {
    let left = effects.filter { !$0.isBinding && !excused.contains($0.lifetime) }
    if exhaustivity == .on, !left.isEmpty { fail("\(problem): \(listed(left))", place) }
  }

  /// The running effects, without bindings.
  func running() -> [RunningEffect] { effects().running.filter { !$0.isBinding } }

  /// All effects whose task has not ended, and those that have returned and are still requested.
  private func effects() -> (running: [RunningEffect], answered: [RunningEffect]) { finishDraining(origin) }

  func listed(_ effects: [RunningEffect]) -> String {
    effects.isEmpty ? "nothing" : effects.map(\.description).joined(separator: ", ")
  }
}
