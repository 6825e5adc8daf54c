import FeedbackLoop
import FeedbackLoopTesting
import Testing

/// Tests the standard guard: it reports accidental loops, does not report intended ones, and stops nothing.
@Suite struct StandardGuardTests {
  private let executor = ManualExecutor()
  private let clock = ManualClock()
  private let reports = Log<(report: String, time: Duration)>()

  /// Runs a system for a time, and returns it.
  private func run<State: Sendable, Event: Sendable>(
    _ initialState: State, for duration: Duration = .zero,
    reduce: @escaping @Sendable (inout State, Event) -> Void, _ feedbacks: Feedback<State, Event>...
  ) -> FeedbackSystem<State, Event> {
    let (reports, clock) = (reports, clock)
    let system = FeedbackSystem(
      initialState: initialState, reduce: reduce, feedbacks: feedbacks,
      guard: LoopGuard(clock: clock), executor: executor,
      diagnostics: { reports.add(("\($0)", clock.now.offset)) })
    system.start()
    clock.advance(by: duration, running: executor)
    return system
  }

  /// Ends a system that would run forever.
  private func stop(_ system: FeedbackSystem<some Sendable, some Sendable>) {
    system.stop()
    executor.runUntilIdle()
  }

  // MARK: Accidents

  /// A list with only empty pages, and the feedback that requests the next one.
  struct EmptyList: Sendable {
    var page: Int?
    var attempts = 0
    /// Where the test ends a list that would load without end.
    var isAtEnd: Bool { attempts >= 2_000 }
  }

  enum ListEvent: Sendable { case reachedEnd(page: Int), loaded }

  @Sendable private static func reduce(_ list: inout EmptyList, _ event: ListEvent) {
    switch event {
    case .reachedEnd(let page): list.page = page
    case .loaded:
      list.page = nil
      list.attempts += 1
    }
  }

  private typealias ListFeedback = Feedback<EmptyList, ListEvent>

  private func page(after duration: Duration) -> ListFeedback {
    .react(to: \.page, name: "page") { [clock] _ in
      if duration > .zero { try? await clock.sleep(for: duration) }
      return .loaded
    }
  }

  /// The screen is not full, so its end is reached.
  private static let samePage = ListFeedback.react(to: { $0.page == nil && !$0.isAtEnd ? true : nil }) { _ in
    .reachedEnd(page: 1)
  }
  private static let nextPage = ListFeedback.react(to: { $0.page == nil && !$0.isAtEnd ? $0.attempts : nil })
  {
    .reachedEnd(page: $0 + 1)
  }
  private static let screen = ListFeedback.bind(name: "screen") { states, emit in
    for await list in states where list.page == nil && !list.isAtEnd { emit(.reachedEnd(page: 1)) }
  }

  @Test(arguments: [
    ("the same page", samePage), ("a screen sees that it is not full", screen), ("the next page", nextPage),
  ])
  func `An endless list of an instant service is reported at once, and not stopped`(
    name: String, scrolling: Feedback<EmptyList, ListEvent>
  ) {
    let system = run(EmptyList(), reduce: Self.reduce, page(after: .zero), scrolling)
    #expect(system.state.attempts == 2_000)
    #expect(reports.all.count { $0.report.hasPrefix("feedback \"page\" has started 1000 effects, ") } == 1)
    #expect(reports.all.allSatisfy { $0.time == .zero })
    stop(system)
  }

  @Test func `A state that counts attempts makes no difference`() {
    struct Counted: Sendable { var attempts = 0 }
    let system = run(
      Counted(), reduce: { state, _ in state.attempts += 1 },
      .react(to: { $0.attempts < 1_500 ? $0.attempts : nil }, name: "page") { _ in () })
    #expect(system.state.attempts == 1_500)
    #expect(reports.all.count == 1)
    #expect(reports.all[0].report.hasPrefix("feedback \"page\" has started 1000 effects, "))
  }

  @Test func `Two requests a second are reported after a minute, once`() {
    let system = run(
      EmptyList(), for: .seconds(600), reduce: Self.reduce, page(after: .milliseconds(500)), Self.samePage)
    #expect(system.state.attempts == 1_200)
    #expect(reports.all.count { $0.report.hasPrefix("feedback \"page\"") } == 1)
    #expect(reports.all.count == 2)
    #expect(reports.all.allSatisfy { (.seconds(60)...(.seconds(62))).contains($0.time) })
    stop(system)
  }

  @Test func `A request each second is reported when there were 1,000`() {
    let system = run(
      EmptyList(), for: .seconds(1_800), reduce: Self.reduce, page(after: .seconds(1)), Self.samePage)
    #expect(reports.all.first?.time == .seconds(999))
    #expect(reports.all.count == 2)
    stop(system)
  }

  @Test func `A report says what happens, why, and what to do`() {
    let system = run(EmptyList(), reduce: Self.reduce, page(after: .zero), Self.samePage)
    #expect(
      reports.all.first?.report == """
        feedback "page" has started 1000 effects, each caused by the last, and goes on; the last query is 1. If this \
        is meant, declare the events that bring it forward as progress. Otherwise, end the loop in the reducer: an \
        answer that changes nothing must not request again. To stop such loops, give the system a LoopGuard with a \
        maximumDepth.
        """)
    stop(system)
  }

  // MARK: Honest programs

  @Test func `1,000 pages are loaded without a word`() {
    let system = run(
      Optional(1), reduce: { (page: inout Int?, loaded: Int) in page = loaded < 1_000 ? loaded + 1 : nil },
      .react(to: { $0 }, effect: { $0 }))
    #expect(system.state == nil)
    #expect(reports.all.isEmpty)
  }

  @Test func `More pages are progress`() {
    let system = run(
      Optional(1), reduce: { (page: inout Int?, loaded: Int) in page = loaded < 20_000 ? loaded + 1 : nil },
      .react(to: { $0 }, progress: { _, _ in true }, effect: { $0 }))
    #expect(system.state == nil)
    #expect(reports.all.isEmpty)
  }

  @Test func `A page whose 5,000 pictures load four at a time loads all of them without a word`() {
    struct Gallery: Sendable {
      var page: Int? = 1
      var missing: [Int] = []
      var loaded = 0
    }
    enum Event: Sendable { case page([Int]), picture(Int) }
    let clock = clock
    let system = run(
      Gallery(), for: .seconds(600),
      reduce: { state, event in
        switch event {
        case .page(let pictures): (state.page, state.missing) = (nil, pictures)
        case .picture(let number):
          state.missing.removeAll { $0 == number }
          state.loaded += 1
        }
      },
      .react(to: \.page, effect: { _ in Event.page(Array(1...5_000)) }),
      .react(toEach: \.missing, maxConcurrent: 4) { picture in
        try? await clock.sleep(for: .milliseconds(100))
        return .picture(picture)
      })
    #expect(system.state.loaded == 5_000)
    #expect(reports.all.isEmpty)
  }

  @Test func `A queue of 1,000 equal jobs runs to its end without a word`() {
    let system = run(
      Array(repeating: "resize", count: 1_000),
      reduce: { (queue: inout [String], _: Int) in queue.removeLast() },
      .react(to: { $0.isEmpty ? nil : $0.count }, effect: { $0 }))
    #expect(system.state == [])
    #expect(reports.all.isEmpty)
  }

  @Test func `A poll each second goes on for a day without a word`() {
    struct Poll: Sendable {
      var ticks = 0
      var answers = 0
    }
    let clock = clock
    let system = run(
      Poll(), for: .seconds(86_400),
      reduce: { (poll: inout Poll, isTick: Bool) in if isTick { poll.ticks += 1 } else { poll.answers += 1 }
      },
      .react(to: { _ in Optional(1) }, name: "timer") { _, emit in
        while (try? await clock.sleep(for: .seconds(1))) != nil { emit(true) }
      },
      .react(to: { $0.ticks > $0.answers ? $0.ticks : nil }, name: "poll") { _ in false })
    #expect(system.state.answers == 86_400)
    #expect(reports.all.isEmpty)
    stop(system)
  }

  @Test func `A connection that fails all day is opened again each time without a word`() {
    struct Connection: Sendable {
      var attempt = 1
      var isWaiting = false
    }
    let attempts = Log<Int>()
    let clock = clock
    let system = run(
      Connection(), for: .seconds(86_400),
      reduce: { state, isFailure in
        if isFailure { state.attempt += 1 }
        state.isWaiting = isFailure
      },
      .react(to: { $0.isWaiting ? nil : $0.attempt }, name: "connection") { attempt in
        attempts.add(attempt)
        return true
      },
      // Time that has passed is progress.
      .react(
        to: { $0.isWaiting ? min(60, 1 << min(6, $0.attempt)) : nil }, name: "wait",
        progress: { _, _ in true }
      ) {
        try? await clock.sleep(for: .seconds($0))
        return false
      })
    #expect(attempts.all.count > 1_400)
    #expect(reports.all.isEmpty)
    stop(system)
  }

  @Test func `A user may request the same thing any number of times`() {
    let loads = Log<Int>()
    let system = run(
      false, reduce: { (isLoading: inout Bool, event: Bool) in isLoading = event },
      .react(to: { $0 ? "load" : nil }) { (_: String) in
        loads.add(1)
        return false
      })
    for _ in 0..<2_000 {
      system.send(true)
      executor.runUntilIdle()
    }
    #expect(loads.all.count == 2_000)
    #expect(reports.all.isEmpty)
  }

  @Test func `A guard that is off says nothing`() {
    let diagnostics = Log<Diagnostic>()
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 }, feedbacks: [.react(to: { $0 < 5_000 ? $0 : nil }) { _ in 1 }],
      guard: .off, executor: executor, diagnostics: { diagnostics.add($0) })
    system.start()
    executor.runUntilIdle()
    #expect(system.state == 5_000)
    #expect(diagnostics.all == [])
  }
}
