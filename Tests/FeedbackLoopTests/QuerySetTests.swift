import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct QuerySetTests {
  private typealias SetFeedback = Feedback<[String], [String]>

  /// A system whose events are the next set of queries.
  private static func system(_ executor: ManualExecutor, _ feedback: SetFeedback) -> FeedbackSystem<
    [String], [String]
  > {
    FeedbackSystem(
      initialState: [], reduce: { $0 = $1 }, feedbacks: [feedback], guard: .off, executor: executor)
  }

  private static func watched(_ log: EffectLog, maxConcurrent: Int = .max) -> SetFeedback {
    .react(toEach: { $0 }, maxConcurrent: maxConcurrent) { query, _ in await log.untilCancelled(query) }
  }

  private let executor = ManualExecutor()
  private let log = EffectLog()

  @Test func `S1 an empty set starts nothing`() {
    let system = Self.system(executor, Self.watched(log))
    system.start()
    executor.runUntilIdle()
    #expect(log.all == [])
  }

  @Test func `S2 a query that stays keeps running and is started only once`() {
    let system = Self.system(executor, Self.watched(log))
    system.start()
    for set in [["a", "b"], ["b"], ["b", "c"]] {
      system.send(set)
      executor.runUntilIdle()
    }
    #expect(log.all == ["start a", "start b", "cancel a", "start c"])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `S3 queries that leave are canceled and new ones start, in array order`() {
    let system = Self.system(executor, Self.watched(log))
    system.start()
    for set in [["c", "a", "b"], ["z", "b", "y", "y"]] {
      system.send(set)
      executor.runUntilIdle()
    }
    #expect(
      log.all == ["start c", "start a", "start b", "cancel c", "cancel a", "start z", "start y"])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `S5 a query that leaves and comes back starts a new lifetime`() {
    let emits = Log<Emit<[String]>>()
    let system = Self.system(
      executor,
      .react(toEach: { $0.filter { $0.count == 1 } }) { _, emit in
        emits.add(emit)
        await untilCancelled()
      })
    system.start()
    for set in [["a"], [], ["a"]] {
      system.send(set)
      executor.runUntilIdle()
    }
    #expect(emits.all.count == 2)
    emits.all[0](["of the first life"])
    #expect(system.state == ["a"])
    emits.all[1](["of the second life"])
    #expect(system.state == ["of the second life"])
    executor.runUntilIdle()
  }

  @Test func `S6 a query whose effect has returned keeps its slot until it leaves`() {
    let log = log
    let system = Self.system(
      executor,
      .react(toEach: { $0 }) { query in
        log.note("run \(query)")
        return nil
      })
    system.start()
    for set in [["a"], ["a", "b"], ["b"], ["a", "b"]] {
      system.send(set)
      executor.runUntilIdle()
    }
    #expect(log.all == ["run a", "run b", "run a"])
  }

  @Test func `S7 an effect that fails does not affect the others`() {
    struct Failure: Error {}
    let log = log
    let system = Self.system(
      executor,
      .react(
        toEach: { $0.filter { $0.count == 1 } },
        effect: { query in
          if query == "a" { throw Failure() }
          await log.untilCancelled(query)
          throw CancellationError()
        },
        failure: { _, query in ["b", "\(query) failed"] }))
    system.start()
    system.send(["a", "b"])
    executor.runUntilIdle()
    #expect(system.state == ["b", "a failed"])
    #expect(log.all == ["start b"])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `S8 no task remains of queries that came and went`() async {
    let system = Self.system(executor, Self.watched(log))
    system.start()
    for set in [["a", "b", "c"], ["b"], ["d"], []] {
      system.send(set)
      executor.runUntilIdle()
    }
    #expect(await system.runningEffects() == [])
    #expect(log.all.filter { $0.hasPrefix("cancel") }.count == 4)
  }

  @Test
  func `At most maxConcurrent effects run, and when one returns or leaves, the next in the array starts`() {
    let gates = ["a": Gate(), "b": Gate(), "c": Gate(), "d": Gate(), "e": Gate()]
    let log = log
    let system = Self.system(
      executor,
      .react(toEach: { $0 }, maxConcurrent: 2) { query in
        log.note("start \(query)")
        await gates[query]?.wait()
        return nil
      })
    system.start()
    system.send(["a", "b", "c", "d", "e"])
    executor.runUntilIdle()
    #expect(log.all == ["start a", "start b"])
    gates["b"]?.open()
    executor.runUntilIdle()
    #expect(log.all == ["start a", "start b", "start c"])
    system.send(["a", "e", "d"])
    executor.runUntilIdle()
    #expect(log.all == ["start a", "start b", "start c", "start e"])
    gates["a"]?.open()
    executor.runUntilIdle()
    #expect(log.all == ["start a", "start b", "start c", "start e", "start d"])
    for gate in gates.values { gate.open() }
    executor.runUntilIdle()
  }

  @Test func `A maxConcurrent below 1 is treated as 1`() {
    let system = Self.system(executor, Self.watched(log, maxConcurrent: 0))
    system.start()
    system.send(["a", "b"])
    executor.runUntilIdle()
    #expect(log.all == ["start a"])
    system.stop()
    executor.runUntilIdle()
  }
}
