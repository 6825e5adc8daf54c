import FeedbackLoop
import FeedbackLoopTesting
import Locking
import Testing

@Suite struct DeterminismTests {
  private actor Counter {
    private var count = 0

    func next() -> Int {
      count += 1
      return count
    }
  }

  /// Everything that makes concurrent code unpredictable: sleeps, task groups, cancellation and hops to an
  /// actor.
  private static func run() -> [String] {
    let clock = ManualClock()
    let counter = Counter()
    let events = Lock<[String]>([])
    let system = TestSystem<[String], String>(
      initialState: [], reduce: { $0.append($1) },
      feedbacks: [
        .react(
          toEach: { ["a", "b", "c"].dropLast($0.count / 5) }, maxConcurrent: 2, name: "set",
          progress: { _, _ in true }
        ) {
          query, emit in
          for round in 1...3 {
            try? await clock.sleep(for: .milliseconds(query == "a" ? 30 : 20))
            emit("\(query)\(round) by \(await counter.next())")
          }
        },
        .react(to: { Optional($0.count / 4) }, debounce: .milliseconds(10), clock: clock, name: "group") {
          query, emit in
          await withTaskGroup(of: Int.self) { group in
            for child in 1...4 {
              group.addTask {
                try? await clock.sleep(for: .milliseconds(5 * child))
                return await counter.next()
              }
            }
            for await number in group { emit("group \(query) \(number)") }
          }
        },
      ],
      guard: .off, clock: clock, exhaustivity: .off, report: { Issue.record("\($0)") })
    for step in 1...10 {
      system.advance(by: .milliseconds(17))
      system.send("user \(step)")
      events.withLock { $0 = system.state }
    }
    system.finish()
    return system.state
  }

  @Test func `200 of 200 runs with sleeps, task groups, cancellation and actor hops are identical`() {
    let first = Self.run()
    #expect(first.count > 20)
    for _ in 1..<200 { #expect(Self.run() == first) }
  }
}
