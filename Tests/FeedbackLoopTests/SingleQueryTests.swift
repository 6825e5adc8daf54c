import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct SingleQueryTests {
  /// A react whose query is the last character of the state, except `-`.
  private static func last(_ log: EffectLog) -> JournalFeedback {
    .react(to: { $0.last == "-" ? nil : $0.last }) { query, _ in await log.untilCancelled(query) }
  }

  @Test func `Q1 nil at the start starts no effect`() {
    let log = EffectLog()
    let journal = Journal("-", Self.last(log))
    journal.start()
    #expect(log.all == [])
  }

  @Test func `Q2 a query after nil starts its effect`() {
    let log = EffectLog()
    let journal = Journal("-", Self.last(log))
    journal.start()
    journal.send("a")
    #expect(log.all == ["start a"])
    journal.stop()
  }

  @Test func `Q3 an equal query does not restart a running effect`() {
    let log = EffectLog()
    let journal = Journal("", Self.last(log))
    journal.start()
    journal.send("a", "a", "a")
    #expect(log.all == ["start a"])
    journal.stop()
  }

  @Test func `Q3 an equal query does not restart an effect that has returned`() {
    let journal = Journal("i", .react(to: { _ in Optional("always") }) { _ in "a" })
    journal.start()
    journal.send("x")
    #expect(journal.states == ["i", "ia", "iax"])
  }

  @Test func `Q4 a changed query cancels the old effect, then starts the new one`() {
    let log = EffectLog()
    let journal = Journal("", Self.last(log))
    journal.start()
    journal.send("a", "b")
    #expect(log.all == ["start a", "cancel a", "start b"])
    journal.stop()
  }

  @Test func `Q4 all cancellations precede all starts, across feedbacks`() {
    let executor = EagerExecutor()
    let log = EffectLog()
    let react = Self.last(log)
    let system = FeedbackSystem<String, String>(
      initialState: "a", reduce: { $0 += $1 }, feedbacks: [react, react, react], executor: executor)
    system.start()
    system.send("b")
    #expect(
      log.all == ["start a", "start a", "start a"] + ["cancel a", "cancel a", "cancel a"]
        + ["start b", "start b", "start b"])
    system.stop()
  }

  @Test func `Q5 nil cancels the effect`() {
    let log = EffectLog()
    let journal = Journal("a", Self.last(log))
    journal.start()
    journal.send("-")
    #expect(log.all == ["start a", "cancel a"])
  }

  @Test func `Q6 a value, then nil, then the same value is a restart`() {
    let log = EffectLog()
    let journal = Journal("a", Self.last(log))
    journal.start()
    journal.send("-", "a")
    #expect(log.all == ["start a", "cancel a", "start a"])
    journal.stop()
  }

  @Test func `Q7 an endless effect is canceled on change`() async {
    let log = EffectLog()
    let started = Gate()
    let system = FeedbackSystem<String, String>(
      initialState: "", reduce: { $0 = $1 },
      feedbacks: [
        .react(to: { $0 == "go" ? true : nil }) { _, _ in
          started.open()
          while !Task.isCancelled { await Task.yield() }
          log.note("cancelled")
        }
      ])
    system.start()
    system.send("go")
    await started.wait()
    system.send("leave")
    await system.effectsEnded()
    #expect(log.all == ["cancelled"])
  }

  @Test func `Q8 an effect runs only on the rising edge of a condition`() {
    let log = EffectLog()
    let journal = Journal("", .whenBecomesTrue({ $0.hasSuffix("t") }) { _ in await log.untilCancelled("") })
    journal.start()
    journal.send("t", "t", "f", "f", "t")
    #expect(log.all == ["start ", "cancel ", "start "])
    journal.stop()
  }

  @Test func `Q8 an effect that returned does not run again while the condition stays true`() {
    let journal = Journal("t", .whenBecomesTrue({ $0.hasPrefix("t") }) { "x" })
    journal.start()
    journal.send("y")
    #expect(journal.states == ["t", "tx", "txy"])
  }
}
