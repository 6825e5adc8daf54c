import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct EffectTests {
  private let executor = ManualExecutor()
  private let clock = ManualClock()

  @Test func `F1 an effect runs once per start`() {
    let runs = EffectLog()
    let journal = Journal(
      "",
      .react(to: { $0.last }) { query in
        runs.note("\(query)")
        return nil
      })
    journal.start()
    journal.send("a", "a", "b", "a")
    #expect(runs.all == ["a", "b", "a"])
  }

  @Test func `F3 a timer starts, ticks, stops and restarts cleanly`() {
    let clock = clock
    let system = FeedbackSystem<String, String>(
      initialState: "off ", reduce: { $0 += $1 },
      feedbacks: [
        .react(
          to: { $0.hasSuffix("off ") ? nil : true }, name: "timer",
          progress: { event, _ in event == "tick " },
          effect: { _, emit in
            while (try? await clock.sleep(for: .seconds(1))) != nil { emit("tick ") }
          })
      ],
      executor: executor)
    system.start()
    clock.advance(by: .seconds(5), running: executor)
    #expect(system.state == "off ")
    system.send("on ")
    clock.advance(by: .milliseconds(2_500), running: executor)
    #expect(system.state == "off on tick tick ")
    system.send("off ")
    clock.advance(by: .seconds(5), running: executor)
    #expect(system.state == "off on tick tick off ")
    #expect(clock.sleepers == 0)
    system.send("on ")
    clock.advance(by: .milliseconds(1_000), running: executor)
    #expect(system.state == "off on tick tick off on tick ")
    system.stop()
    executor.runUntilIdle()
    #expect(clock.sleepers == 0)
  }

  /// The queries delivered when these texts are typed, 100 ms apart, into a search with a debounce of 300
  /// ms.
  private func searches(for texts: [String?]) -> [String] {
    let log = EffectLog()
    let system = FeedbackSystem<String?, String?>(
      initialState: nil, reduce: { $0 = $1 },
      feedbacks: [
        .react(to: { $0 }, debounce: .milliseconds(300), clock: clock, name: "search") { text in
          log.note(text)
          return .some(nil)
        }
      ],
      executor: executor)
    system.start()
    for text in texts {
      system.send(text)
      clock.advance(by: .milliseconds(100), running: executor)
    }
    clock.advance(by: .seconds(1), running: executor)
    return log.all
  }

  @Test func `F4 a debounce delivers only the last query`() {
    #expect(searches(for: ["s", "sw", "swi", "swif", "swift"]) == ["swift"])
  }

  @Test func `F4 a query that stays long enough is delivered even if a later one follows`() {
    #expect(searches(for: ["s", "s", "s", "sw"]) == ["s", "sw"])
  }

  @Test func `F4 nil cancels a debounce at once`() {
    #expect(searches(for: ["s", "sw", nil]) == [])
    #expect(clock.sleepers == 0)
  }

  @Test func `F5 canceling twice, after completion or before the start leaves no running effect`() async {
    let journal = Journal(
      "",
      .react(to: { $0.last == "-" ? nil : $0.last }) { query, _ in
        if query == "w" { await untilCancelled() }
      },
      .react(toEach: { $0.last == "-" ? [] : Array($0.suffix(2)) }) { query, _ in
        if query == "w" { await untilCancelled() }
      })
    journal.start()
    // Canceled while running, and again; after completion; before the task could run.
    journal.send("w", "-", "-", "a", "-")
    journal.system.send("b")
    journal.system.send("-")
    journal.executor.runUntilIdle()
    #expect(await journal.system.runningEffects() == [])
  }

  @Test func `F5 an effect that is canceled while its children run ends with them`() async {
    let clock = clock
    let journal = Journal(
      "",
      .react(to: { $0.isEmpty ? 1 : nil }) { _, emit in
        await withTaskGroup(of: Void.self) { group in
          for child in 1...3 {
            group.addTask {
              if (try? await clock.sleep(for: .seconds(child))) != nil { emit("child \(child) ") }
            }
          }
        }
      })
    journal.start()
    #expect(clock.sleepers == 3)
    clock.advance(by: .seconds(1), running: journal.executor)
    #expect(journal.events == ["child 1 "])
    #expect(await journal.system.runningEffects() == [])
    #expect(clock.sleepers == 0)
  }

  @Test func `F5 canceling from many threads at once leaves no running effect`() async {
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [
        .react(to: { $0.isMultiple(of: 2) ? $0 : nil }) { _, _ in await untilCancelled() },
        .react(toEach: { Array(($0 % 7)..<7) }) { _, _ in await untilCancelled() },
      ])
    system.start()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<100 { system.send(1) } } }
    }
    system.stop()
    await system.effectsEnded()
  }

  private struct Request: Sendable, Equatable {
    var attempt = 1
  }

  private struct Download: Sendable {
    var request: Request?
    var answers = 0
  }

  private enum DownloadEvent: Sendable { case begin, failed(Request), answered, cancel }

  /// A request whose first two attempts fail. Attempt n waits n - 1 seconds first.
  private func download(_ sent: Log<Int>) -> FeedbackSystem<Download, DownloadEvent> {
    let clock = clock
    return FeedbackSystem(
      initialState: Download(),
      reduce: { state, event in
        switch event {
        case .begin: state.request = Request()
        case .failed(let request): state.request = Request(attempt: request.attempt + 1)
        case .answered:
          state.request = nil
          state.answers += 1
        case .cancel: state.request = nil
        }
      },
      feedbacks: [
        .react(
          to: \.request,
          effect: { request in
            try await clock.sleep(for: .seconds(request.attempt - 1))
            sent.add(request.attempt)
            return request.attempt < 3 ? .failed(request) : .answered
          },
          failure: { _, request in .failed(request) })
      ],
      executor: executor)
  }

  @Test func `F7 a request with a higher attempt starts a new effect`() {
    let sent = Log<Int>()
    let system = download(sent)
    system.start()
    system.send(.begin)
    clock.advance(by: .milliseconds(2_900), running: executor)
    #expect(sent.all == [1, 2])
    clock.advance(by: .milliseconds(100), running: executor)
    #expect(sent.all == [1, 2, 3])
    #expect(system.state.answers == 1)
  }

  @Test func `F7 canceling during the back-off sends no further request`() {
    let sent = Log<Int>()
    let system = download(sent)
    system.start()
    system.send(.begin)
    clock.advance(by: .milliseconds(500), running: executor)
    system.send(.cancel)
    clock.advance(by: .seconds(10), running: executor)
    #expect(sent.all == [1])
    #expect(clock.sleepers == 0)
  }
}
