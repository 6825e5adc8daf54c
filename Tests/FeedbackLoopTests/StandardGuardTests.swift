import FeedbackLoopTesting
import Testing

@testable import FeedbackLoop

/// Programs that mean what they do, and the standard guard; and the accidents that it must stop.
@Suite struct StandardGuardTests {
  private let executor = ManualExecutor()
  private let clock = ManualClock()
  private let trips = Log<LoopGuard.Trip>()

  private func system<State: Sendable, Event: Sendable>(
    _ initialState: State, guard loopGuard: LoopGuard = .standard,
    reduce: @escaping @Sendable (inout State, Event) -> Void, _ feedbacks: Feedback<State, Event>...
  ) -> FeedbackSystem<State, Event> {
    let trips = trips
    let system = FeedbackSystem(
      initialState: initialState, reduce: reduce, feedbacks: feedbacks, guard: loopGuard.measured(by: clock),
      onTrip: {
        trips.add($0)
        return nil
      }, executor: executor)
    system.start()
    executor.runUntilIdle()
    return system
  }

  // MARK: Honest programs

  @Test func `A page whose 100 pictures load four at a time loads all of them`() {
    struct Gallery: Sendable {
      var page: Int? = 1
      var missing: [Int] = []
      var loaded = 0
    }
    enum Event: Sendable { case page([Int]), picture(Int) }
    let system = system(
      Gallery(),
      reduce: { state, event in
        switch event {
        case .page(let pictures): (state.page, state.missing) = (nil, pictures)
        case .picture(let number):
          state.missing.removeAll { $0 == number }
          state.loaded += 1
        }
      },
      .react(to: \.page, effect: { _ in Event.page(Array(1...100)) }),
      .react(toEach: \.missing, maxConcurrent: 4, effect: { .picture($0) }))
    #expect(system.state.loaded == 100)
    #expect(trips.all == [])
  }

  @Test func `A queue of 1,000 fast jobs runs to its end`() {
    let system = system(
      Array(1...1_000), reduce: { (queue: inout [Int], _: Int) in queue.removeFirst() },
      .react(to: \.first, effect: { $0 }))
    #expect(system.state == [])
    #expect(trips.all == [])
  }

  @Test func `A queue of 1,000 equal jobs runs to its end, also in a state that is not Equatable`() {
    struct Equal: Equatable, Sendable {
      var jobs = 1_000
      var isRunning = true
    }
    struct NotEquatable: Sendable {
      var jobs = Array(repeating: "resize", count: 1_000)
      var isRunning = true
      var log: @Sendable () -> Void = {}
    }
    let equatable = system(
      Equal(),
      reduce: { state, isDone in
        if isDone { state.jobs -= 1 }
        state.isRunning = !isDone && state.jobs > 0
      },
      .react(to: { $0.isRunning ? "resize" : nil }, effect: { _ in true }),
      .react(to: { !$0.isRunning && $0.jobs > 0 ? "next" : nil }, effect: { _ in false }))
    #expect(equatable.state.jobs == 0)
    let other = system(
      NotEquatable(),
      reduce: { state, isDone in
        if isDone { state.jobs.removeLast() }
        state.isRunning = !isDone && !state.jobs.isEmpty
      },
      .react(to: { $0.isRunning ? "resize" : nil }, effect: { _ in true }),
      .react(to: { !$0.isRunning && !$0.jobs.isEmpty ? "next" : nil }, effect: { _ in false }))
    #expect(other.state.jobs == [])
    #expect(trips.all == [])
  }

  @Test func `A poll each second goes on forever, although its answer never changes`() {
    let polls = Log<Int>()
    let clock = clock
    let system = system(
      false, reduce: { (isPolling: inout Bool, event: Bool) in isPolling = event },
      .react(to: { $0 ? nil : "wait" }) { (_: String) in
        try? await clock.sleep(for: .seconds(1))
        return true
      },
      .react(to: { $0 ? "poll" : nil }) { (_: String) in
        polls.add(1)
        return false
      })
    clock.advance(by: .seconds(3_600), running: executor)
    #expect(polls.all.count == 3_600)
    #expect(trips.all == [])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `A connection that fails 200 times is opened again each time, with back-off`() {
    struct Connection: Sendable {
      var attempt = 1
      var isWaiting = false
    }
    let attempts = Log<Int>()
    let clock = clock
    let system = system(
      Connection(),
      reduce: { state, isFailure in
        if isFailure { state.attempt += 1 }
        state.isWaiting = isFailure
      },
      .react(to: { $0.isWaiting ? nil : $0.attempt }) { attempt in
        attempts.add(attempt)
        return true
      },
      .react(to: { $0.isWaiting ? min(60, 1 << min(6, $0.attempt)) : nil }) { (seconds: Int) in
        try? await clock.sleep(for: .seconds(seconds))
        return false
      })
    clock.advance(by: .seconds(60 * 200), running: executor)
    #expect(attempts.all.count > 200)
    #expect(trips.all == [])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `A user may request the same thing any number of times`() {
    let loads = Log<Int>()
    let system = system(
      false, reduce: { (isLoading: inout Bool, event: Bool) in isLoading = event },
      .react(to: { $0 ? "load" : nil }) { (_: String) in
        loads.add(1)
        return false
      })
    for _ in 0..<1_000 {
      system.send(true)
      executor.runUntilIdle()
    }
    #expect(loads.all.count == 1_000)
    #expect(trips.all == [])
  }

  // MARK: Accidents

  /// A list whose empty answer leaves everything as it was.
  private func accident(guard loopGuard: LoopGuard = .standard, _ requests: Log<Int>) -> FeedbackSystem<
    Bool, Bool
  > {
    system(
      true, guard: loopGuard, reduce: { (isNearEnd: inout Bool, event: Bool) in isNearEnd = event },
      .react(to: { $0 ? "page" : nil }, name: "page") { (_: String) in
        requests.add(1)
        return false
      },
      .react(to: { $0 ? nil : true }, name: "scroll") { (_: Bool) in true })
  }

  @Test func `Endless requests from a state that does not change are stopped within 100 requests and told`() {
    let requests = Log<Int>()
    _ = accident(requests)
    #expect(requests.all.count == 32)
    #expect(trips.all.count == 1)
    #expect(trips.all.first?.reason == .repeatedQuery(limit: 32))
    #expect(trips.all.first?.query == "page")
  }

  @Test func `They are stopped even if events from outside arrive all the time`() {
    let requests = Log<Int>()
    let clock = clock
    let ticks = Feedback<Int, Int>.bind(name: "ticks") { _, emit in
      while (try? await clock.sleep(for: .milliseconds(10))) != nil { emit(0) }
    }
    let system = system(
      1, reduce: { if $1 != 0 { $0 = $1 } }, ticks,
      .react(to: { $0 == 1 ? "page" : nil }) { (_: String) in
        requests.add(1)
        try? await clock.sleep(for: .milliseconds(100))
        return 2
      },
      .react(to: { $0 == 2 ? true : nil }) { (_: Bool) in 1 })
    clock.advance(by: .seconds(60), running: executor)
    #expect(requests.all.count < 100)
    #expect(trips.all.count == 1)
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `A loop that alternates between two queries is stopped`() {
    let requests = Log<String>()
    _ = system(
      "first", reduce: { (query: inout String, next: String) in query = next },
      .react(to: { $0 }) { query in
        requests.add(query)
        return query == "first" ? "second" : "first"
      })
    #expect(requests.all.count < 100)
    #expect(trips.all.count == 1)
  }

  @Test func `A loop of a set of queries is stopped`() {
    let requests = Log<Int>()
    _ = system(
      [1, 2, 3], reduce: { (queries: inout [Int], next: [Int]) in queries = next },
      .react(toEach: { $0 }, maxConcurrent: 1) { query in
        requests.add(query)
        return query == 3 ? [] : nil
      },
      .react(to: { $0.isEmpty ? true : nil }) { (_: Bool) in [1, 2, 3] })
    #expect(requests.all.count <= 100)
    #expect(trips.all.map(\.query) == ["1", "2", "3"])
  }

  @Test func `What was refused can be requested again, and counts from zero`() {
    let requests = Log<Int>()
    let system = accident(requests)
    system.retryRefused()
    executor.runUntilIdle()
    #expect(requests.all.count == 64)
    #expect(trips.all.count == 2)
  }

  @Test(arguments: [1, 2, 3, 10])
  func `An equal query is refused exactly at the limit`(limit: Int) {
    let requests = Log<Int>()
    _ = accident(guard: LoopGuard(maximumRepeats: limit), requests)
    #expect(requests.all.count == limit)
  }

  @Test(arguments: [(899, 32), (900, 600)])
  func `Rounds that take long enough do not count`(milliseconds: Int, requested: Int) {
    let requests = Log<Int>()
    let clock = clock
    let system = system(
      true, reduce: { (isOn: inout Bool, event: Bool) in isOn = event },
      .react(to: { $0 ? "page" : nil }) { (_: String) in
        requests.add(1)
        try? await clock.sleep(for: .milliseconds(milliseconds))
        return false
      },
      .react(to: { $0 ? nil : true }) { (_: Bool) in true })
    clock.advance(by: .milliseconds(900 * 600 - 1), running: executor)
    #expect(requests.all.count == requested)
    system.stop()
    executor.runUntilIdle()
  }

  // MARK: Memory

  @Test func `States are compared by value, by their parts and by identity`() {
    final class Object: Sendable {}
    struct Plain: Sendable {
      var number = 1
      var list: [String] = []
      var run: @Sendable () -> Void = {}
    }
    enum Choice: Sendable { case none, other, run(@Sendable () -> Void), number(Plain) }
    let object = Object()
    let same: [(any Sendable, any Sendable)] = [
      (1, 1), ([1], [1]), (Plain(), Plain()), (object, object), (Choice.none, Choice.none),
      (Choice.number(Plain()), Choice.number(Plain())),
      (Plain?.none as any Sendable, Plain?.none as any Sendable),
    ]
    let different: [(any Sendable, any Sendable)] = [
      (1, 2), ([1], [1, 2]), (Plain(), Plain(number: 2)), (Plain(), Plain(list: ["a"])), (object, Object()),
      (Choice.none, Choice.other), (Choice.none, Choice.number(Plain())),
      (Choice.number(Plain()), Choice.number(Plain(number: 2))), ([Plain()], [Plain(), Plain()]),
    ]
    for (first, second) in same { #expect(StateComparison.areEqual(first, second)) }
    for (first, second) in different { #expect(!StateComparison.areEqual(first, second)) }
  }
}
