import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct ErrorTests {
  private struct Failure: Error, CustomStringConvertible {
    let description = "failure"
  }

  /// A react that performs the last character of the state: `t` throws an error, `c` throws a cancellation.
  private static let failing: JournalFeedback = .react(
    to: { $0.last.flatMap { "tc1".contains($0) ? $0 : nil } },
    effect: { query in
      switch query {
      case "t": throw Failure()
      case "c": throw CancellationError()
      default: "(ok)"
      }
    },
    failure: { error, query in "(\(error) of \(query))" })

  @Test func `E1 an error becomes an event at the call site`() {
    let journal = Journal("", Self.failing)
    journal.start()
    journal.send("t")
    #expect(journal.events == ["t", "(failure of t)"])
  }

  @Test func `E2 a CancellationError never becomes an event`() {
    let journal = Journal("", Self.failing)
    journal.start()
    journal.send("c")
    #expect(journal.events == ["c"])
  }

  @Test func `E3 an error ends neither the loop nor the feedback`() {
    let journal = Journal("", Self.failing)
    journal.start()
    journal.send("t", "c", "1")
    #expect(journal.events == ["t", "(failure of t)", "c", "1", "(ok)"])
  }

  @Test func `E3 a source that fails ends with the event made from its error`() {
    let source = AsyncThrowingStream<String, any Error> { continuation in
      continuation.yield("a")
      continuation.finish(throwing: Failure())
    }
    let journal = Journal("", .bind(source, failure: { "(\($0))" }))
    journal.start()
    journal.send("b")
    #expect(journal.events == ["a", "(failure)", "b"])
  }

  @Test func `E4 an event emitted after its effect returned is dropped and reported`() {
    let emits = Log<Emit<String>>()
    let diagnostics = Log<Diagnostic>()
    let executor = ManualExecutor()
    let system = FeedbackSystem<String, String>(
      initialState: "", reduce: { $0 += $1 },
      feedbacks: [.react(to: { $0.isEmpty ? 7 : nil }, name: "callback") { _, emit in emits.add(emit) }],
      executor: executor, diagnostics: { diagnostics.add($0) })
    system.start()
    executor.runUntilIdle()
    emits.all[0]("late")
    #expect(system.state == "")
    #expect(diagnostics.all == [.emittedAfterReturn(feedback: "callback", query: "7")])
    system.send("a")
    emits.all[0]("too late to matter")
    #expect(diagnostics.all.count == 1)
  }

  @Test func `A state is read in place, before the start and after it.`() {
    let system = FeedbackSystem<[Int], Int>(initialState: [1], reduce: { $0.append($1) })
    #expect(system.withState { $0.count } == 1)
    system.start()
    system.send(2)
    #expect(system.withState { $0.last } == 2)
  }

  #if DEBUG
    @Test func `What reads a state in place and uses its system is stopped with a message.`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
        system.start()
        _ = system.withState { $0 + system.state }
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("what is passed to withState"))
    }

    @Test func `A reducer that subscribes to its own system is stopped with a message`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let late = DeferredReference<FeedbackSystem<Int, Int>>()
        let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { _, _ in _ = late.value?.states() })
        late.value = system
        system.start()
        system.send(0)
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("A reducer used its own FeedbackSystem."))
    }

    @Test func `A reducer that reads the state of its own system is stopped with a message`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let late = DeferredReference<FeedbackSystem<Int, Int>>()
        let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 = (late.value?.state ?? 0) + $1 })
        late.value = system
        system.start()
        system.send(1)
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("A reducer used its own FeedbackSystem."))
    }
  #endif
}
