import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct GuardTests {
  /// A paged search that requests page after page until the last one.
  private struct Search: Sendable {
    var page: Int? = nil
    var rows = 0
    var isGrowing = false
    var trips: [LoopGuard.Trip] = []
  }

  private enum Event: Sendable {
    case begin
    case loaded(rows: Int, isLast: Bool)
    case tripped(LoopGuard.Trip)
  }

  private static func search(
    _ loopGuard: LoopGuard, executor: ManualExecutor,
    load: @escaping @Sendable (Int) -> (rows: Int, isLast: Bool)
  ) -> FeedbackSystem<Search, Event> {
    FeedbackSystem(
      initialState: Search(),
      reduce: { state, event in
        switch event {
        case .begin: state.page = 1
        case .loaded(let rows, let isLast):
          state.rows += rows
          state.isGrowing = rows > 0
          state.page = isLast ? nil : state.page.map { $0 + 1 }
        case .tripped(let trip):
          state.trips.append(trip)
          state.page = nil
        }
      },
      feedbacks: [
        .react(to: \.page, name: "page", progress: { _, state in state.isGrowing }) { page in
          let (rows, isLast) = load(page)
          return .loaded(rows: rows, isLast: isLast)
        }
      ],
      guard: loopGuard, onTrip: { .tripped($0) }, executor: executor)
  }

  private static func depthOnly(_ depth: Int) -> LoopGuard {
    LoopGuard(maximumDepth: depth, startRate: nil)
  }

  private let executor = ManualExecutor()

  @Test func `An endless series of empty pages trips a guard with a limit of depth`() {
    let loads = Log<Int>()
    let system = Self.search(Self.depthOnly(64), executor: executor) { page in
      loads.add(page)
      return (0, false)
    }
    system.start()
    system.send(.begin)
    executor.runUntilIdle()
    #expect(system.state.trips.count == 1)
    #expect(loads.all.count == 64)
  }

  @Test(arguments: [1, 10, 64])
  func `G1 a chain longer than the limit trips exactly there and reports feedback, query and depth`(
    limit: Int
  ) {
    let loads = Log<Int>()
    let system = Self.search(Self.depthOnly(limit), executor: executor) { page in
      loads.add(page)
      return (0, false)
    }
    system.start()
    system.send(.begin)
    executor.runUntilIdle()
    #expect(loads.all == Array(1...limit))
    #expect(
      system.state.trips.map(\.description) == [
        "feedback \"page\" was stopped at depth \(limit), query \(limit + 1): "
          + "\(limit) effects caused one another without progress"
      ])
  }

  @Test func `G1 a trip without onTrip is a diagnostic with a remedy`() {
    let diagnostics = Log<Diagnostic>()
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [.react(to: { Optional($0) }, name: "count") { _ in 1 }],
      guard: Self.depthOnly(2), executor: executor, diagnostics: { diagnostics.add($0) })
    system.start()
    executor.runUntilIdle()
    #expect(
      diagnostics.all.map(\.description) == [
        "feedback \"count\" was stopped at depth 2, query 2: 2 effects caused one another without progress. If the "
          + "events of this feedback make progress, declare them as progress. To report it to the user, turn the trip "
          + "into an event with onTrip."
      ])
  }

  @Test func `G2 an outside event resets the chain`() {
    let loads = Log<Int>()
    let system = Self.search(Self.depthOnly(5), executor: executor) { page in
      loads.add(page)
      return (0, false)
    }
    system.start()
    for _ in 0..<3 {
      system.send(.begin)
      executor.runUntilIdle()
    }
    #expect(loads.all == Array(1...5) + Array(1...5) + Array(1...5))
    #expect(system.state.trips.map(\.depth) == [5, 5, 5])
  }

  @Test func `G2 progress resets the chain`() {
    let loads = Log<Int>()
    let system = Self.search(Self.depthOnly(5), executor: executor) { page in
      loads.add(page)
      return (page == 4 ? 1 : 0, false)
    }
    system.start()
    system.send(.begin)
    executor.runUntilIdle()
    #expect(loads.all == Array(1...9))
  }

  @Test func `G3 a tripped loop still accepts events from outside`() {
    let journal = Journal(
      "", guard: Self.depthOnly(3), onTrip: { _ in "!" }, .react(to: { Optional($0.count) }) { _ in "e" })
    journal.start()
    #expect(journal.states.last == "eee!")
    journal.send("u")
    #expect(journal.states.last == "eee!ueee!")
  }

  @Test func `A trip event cannot start its own chain`() {
    let journal = Journal(
      "", guard: Self.depthOnly(3), onTrip: { "<\($0.depth)>" },
      .react(to: { Optional($0.count) }, name: "r") { _ in "e" })
    journal.start()
    #expect(journal.states.last == "eee<3>")
    #expect(journal.origins.last == EventOrigin(feedback: "r", lifetime: nil, depth: 3))
  }

  @Test func `A refused query is not tried again until it has changed`() {
    let runs = EffectLog()
    let journal = Journal(
      "", guard: Self.depthOnly(1),
      .react(to: { $0.isEmpty ? 1 : nil }) { _ in "e" },
      .react(to: { $0.hasSuffix("-") ? nil : $0.isEmpty ? nil : "q" }) { _ in
        runs.note("run")
        return nil
      })
    journal.start()
    journal.send("u")
    #expect(runs.all == [])
    journal.send("-", "u")
    #expect(runs.all == ["run"])
  }

  @Test func `Each of ten refusals is reported with its query, and none holds a slot`() {
    let trips = Log<LoopGuard.Trip>()
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 = $1 },
      feedbacks: [
        .react(to: { $0 == 0 ? 1 : nil }) { _ in 1 },
        .react(toEach: { $0 == 0 ? [] : Array(1...10) }, maxConcurrent: 2, name: "each") { _ in nil },
      ],
      guard: Self.depthOnly(1),
      onTrip: {
        trips.add($0)
        return nil
      },
      executor: executor)
    system.start()
    executor.runUntilIdle()
    #expect(trips.all.map(\.query) == (1...10).map { "\($0)" })
    #expect(trips.all.allSatisfy { $0.feedback == "each" })
  }

  @Test func `A refusal because of the event for a refusal is a diagnostic`() {
    let diagnostics = Log<Diagnostic>()
    let system = FeedbackSystem<String, String>(
      initialState: "", reduce: { $0 += $1 },
      feedbacks: [.react(to: { Optional($0.count) }, name: "r") { _ in "e" }],
      guard: Self.depthOnly(1), onTrip: { _ in "!" }, executor: executor, diagnostics: { diagnostics.add($0) }
    )
    system.start()
    executor.runUntilIdle()
    #expect(system.state == "e!")
    #expect(diagnostics.all.count == 1)
    #expect(diagnostics.all[0].description.hasPrefix("feedback \"r\" was stopped at depth 1, query 2: "))
  }

  @Test func `Starts requested by effects are delayed to a rate with a burst`() {
    let clock = ManualClock()
    let rate = LoopGuard.StartRate(perSecond: 10, burst: 20)
    let journal = Journal(
      "", guard: LoopGuard(startRate: rate, clock: clock),
      onTrip: { "trip: \($0)" }, .react(to: { Optional($0.count) }) { _ in "e" })
    journal.start()
    // The first start has no cause and does not count.
    #expect(journal.events.count == 21)
    clock.advance(by: .milliseconds(99), running: journal.executor)
    #expect(journal.events.count == 21)
    clock.advance(by: .milliseconds(1), running: journal.executor)
    #expect(journal.events.count == 22)
    clock.advance(by: .seconds(1), running: journal.executor)
    #expect(journal.events.count == 32)
    #expect(journal.events.allSatisfy { $0 == "e" })
    journal.stop()
  }

  @Test func `After any pause, no more than one burst starts at once`() {
    let clock = ManualClock()
    let rate = LoopGuard.StartRate(perSecond: 10, burst: 20)
    let journal = Journal(
      "", guard: LoopGuard(startRate: rate, clock: clock),
      .react(to: { $0.hasSuffix("-") ? nil : $0.count }) { _ in "e" })
    journal.start()
    journal.send("-")
    clock.advance(by: .seconds(3_600), running: journal.executor)
    let before = journal.events.count
    journal.send("u")
    // The event itself, the start it requested, and one burst of subsequent starts.
    #expect(journal.events.count == before + 1 + 1 + 20)
    journal.stop()
  }

  @Test func `An effect that is canceled while its start is delayed returns its place in the rate`() {
    let clock = ManualClock()
    let rate = LoopGuard.StartRate(perSecond: 1, burst: 0)
    let runs = EffectLog()
    let journal = Journal(
      "", guard: LoopGuard(startRate: rate, clock: clock),
      .react(to: { Optional($0.count) }) { query, emit in
        emit("e")
        runs.note("\(query)")
      })
    journal.start()
    // The start for "e" is delayed by a second. The effects of the events from outside are not.
    journal.send("u", "u")
    #expect(runs.all == ["0", "2", "4"])
    clock.advance(by: .milliseconds(999), running: journal.executor)
    #expect(runs.all == ["0", "2", "4"])
    clock.advance(by: .milliseconds(1), running: journal.executor)
    #expect(runs.all == ["0", "2", "4", "5"])
    journal.stop()
  }

  @Test func `Queries requested by one event are not a chain, even if few of them run at once`() {
    let trips = Log<LoopGuard.Trip>()
    let system = FeedbackSystem<[Int], [Int]>(
      initialState: [],
      reduce: { state, queries in state = state.isEmpty ? queries : state.filter { $0 != queries[0] } },
      feedbacks: [.react(toEach: { $0 }, maxConcurrent: 1) { [$0] }],
      guard: Self.depthOnly(3),
      onTrip: {
        trips.add($0)
        return nil
      },
      executor: executor)
    system.start()
    system.send(Array(1...10))
    executor.runUntilIdle()
    #expect(system.state == [])
    #expect(trips.all == [])
  }

  @Test func `Starts requested from outside are not limited`() {
    let journal = Journal(
      "", guard: LoopGuard(startRate: .init(perSecond: 1, burst: 1)), onTrip: { "trip: \($0)" },
      .react(to: { Optional($0.count) }) { _ in nil })
    journal.start()
    for _ in 0..<500 { journal.send("u") }
    #expect(journal.events.allSatisfy { $0 == "u" })
  }

  @Test func `The elements of a sequence cause no chain`() {
    let source = AsyncStream<String> { continuation in
      for _ in 0..<200 { continuation.yield("u") }
      continuation.finish()
    }
    let journal = Journal(
      "", guard: LoopGuard(maximumDepth: 2), onTrip: { "trip: \($0)" }, .bind(source),
      .react(to: { Optional($0.count) }) { _ in nil })
    journal.start()
    #expect(journal.events == Array(repeating: "u", count: 200))
  }

  @Test(arguments: [(false, ["e", "e", "!"]), (true, ["e", "e", "e", "e", "e"])])
  func `What a binding sends is a consequence of the state that it was shown, unless it is progress`(
    isProgress: Bool, events: [String]
  ) {
    let echo = JournalFeedback.bind(delivery: .every, name: "echo", progress: { _, _ in isProgress }) {
      states, emit in
      for await state in states where state.count < 5 && !state.hasSuffix("!") { emit("e") }
    }
    let journal = Journal(
      "", guard: Self.depthOnly(2), onTrip: { _ in "!" }, echo,
      .react(to: { Optional($0.count) }) { _ in nil })
    journal.start()
    #expect(journal.events.prefix(events.count) == events[...])
    journal.stop()
  }
}
