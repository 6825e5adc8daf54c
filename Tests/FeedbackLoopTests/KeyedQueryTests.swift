import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct KeyedQueryTests {
  private struct Download: Identifiable, Hashable, Sendable, CustomStringConvertible {
    let id: String
    var priority: Int
    var description: String { "\(id)\(priority)" }

    /// `a1` is the download `a` with priority 1.
    init(_ text: String) {
      id = String(text.prefix(1))
      priority = Int(text.dropFirst()) ?? 0
    }
  }

  private let executor = ManualExecutor()
  private let log = EffectLog()

  private func system(maxConcurrent: Int = .max) -> FeedbackSystem<[Download], [Download]> {
    let log = log
    let system = FeedbackSystem<[Download], [Download]>(
      initialState: [], reduce: { $0 = $1 },
      feedbacks: [
        .react(toEach: { $0 }, maxConcurrent: maxConcurrent) { initial, updates, _ in
          log.note("start \(initial)")
          for await update in updates { log.note("update \(update)") }
          log.note(Task.isCancelled ? "cancel \(initial)" : "end \(initial)")
        }
      ],
      executor: executor)
    system.start()
    return system
  }

  private func run(_ system: FeedbackSystem<[Download], [Download]>, _ lists: [String]...) {
    for list in lists {
      system.send(list.map { Download($0) })
      executor.runUntilIdle()
    }
  }

  @Test func `S4 a changed value is pushed to the running effect, an equal one is not`() {
    let system = system()
    run(system, ["a1", "b1"], ["a2", "b1"], ["b1", "a2"], ["a3", "b2"])
    #expect(log.all == ["start a1", "start b1", "update a2", "update a3", "update b2"])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `S4 an identity that leaves is canceled and starts a new lifetime when it comes back`() {
    let system = system()
    run(system, ["a1", "b1"], ["b1"], ["a2", "b1"], ["a3", "b1"])
    #expect(log.all == ["start a1", "start b1", "cancel a1", "start a2", "update a3"])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `S4 an identity that waits for a slot starts with its latest value`() {
    let system = system(maxConcurrent: 1)
    run(system, ["a1", "b1"], ["a1", "b2"], ["b2"], ["b3"])
    #expect(log.all == ["start a1", "cancel a1", "start b2", "update b3"])
    system.stop()
    executor.runUntilIdle()
  }

  /// The reader of the updates is a separate task, which nothing cancels.
  @Test(arguments: [
    ("leaves", ["start a1", "update a2", "end a1"]), ("stops", ["start a1", "update a2", "end a1"]),
    ("returns", ["start a1", "end a1"]),
  ])
  func `S4 updates end when the identity leaves, the effect returns or the system stops`(
    end: String, picture: [String]
  ) {
    let (log, executor) = (log, executor)
    let system = FeedbackSystem<[Download], [Download]>(
      initialState: [], reduce: { $0 = $1 },
      feedbacks: [
        .react(toEach: { $0 }) { initial, updates, _ in
          log.note("start \(initial)")
          let reader = Task(executorPreference: executor) {
            for await update in updates { log.note("update \(update)") }
            log.note("end \(initial)")
          }
          if end != "returns" { await reader.value }
        }
      ],
      executor: executor)
    system.start()
    run(system, ["a1"], ["a2"])
    if end == "leaves" { run(system, []) }
    if end == "stops" { system.stop() }
    executor.runUntilIdle()
    #expect(log.all == picture)
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `S4 of several equal identities, the first is used`() {
    let system = system()
    run(system, ["a1", "a2"], ["a3", "a4", "a3"])
    #expect(log.all == ["start a1", "update a3"])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `D1 updates end when the system stops`() {
    let system = system()
    run(system, ["a1"])
    system.stop()
    executor.runUntilIdle()
    #expect(log.all == ["start a1", "cancel a1"])
  }

  @Test func `S4 a value that changes in the state that starts its effect is passed once`() {
    let system = system(maxConcurrent: 1)
    run(system, ["a1", "b1"], ["b2"])
    #expect(log.all == ["start a1", "cancel a1", "start b2"])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `S4 an effect sees its cancellation when its updates end`() {
    let log = log
    let system = FeedbackSystem<[Download], [Download]>(
      initialState: [], reduce: { $0 = $1 },
      feedbacks: [
        .react(toEach: { $0 }) { _, updates, _ in
          for await _ in updates {}
          log.note("canceled: \(Task.isCancelled)")
        }
      ],
      executor: EagerExecutor())
    system.start()
    system.send([Download("a1")])
    system.send([])
    #expect(log.all == ["canceled: true"])
  }

  @Test func `S4 of several values that were not read, the effect receives the newest`() {
    let system = system()
    system.send([Download("a1")])
    for priority in 2...100 { system.send([Download("a\(priority)")]) }
    executor.runUntilIdle()
    #expect(log.all == ["start a1", "update a100"])
    system.stop()
    executor.runUntilIdle()
  }
}
