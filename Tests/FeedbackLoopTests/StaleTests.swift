import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct StaleTests {
  @Test func `X1 when an event cancels its siblings, only the first event of the round is reduced`() {
    let react: JournalFeedback = .react(to: { state -> String? in
      switch state {
      case "i": "a"
      case "ia": "b"
      case "iab": "c"
      default: nil
      }
    }) { $0 }
    let journal = Journal("i", react, react, react)
    journal.start()
    #expect(journal.states == ["i", "ia", "iab", "iabc"])
  }

  @Test func `X2 in a burst of 20,000 queries whose effects ignore cancellation, only one event is reduced`()
    async
  {
    struct Burst: Sendable {
      var query = 0
      var answers: [Int] = []
    }
    enum Event: Sendable { case ask(Int), answer(Int) }
    let gate = Gate()
    let system = FeedbackSystem<Burst, Event>(
      initialState: Burst(),
      reduce: { state, event in
        switch event {
        case .ask(let query): state.query = query
        case .answer(let query): state.answers.append(query)
        }
      },
      feedbacks: [
        .react(to: { $0.query == 0 ? nil : $0.query }) { query in
          await gate.wait()
          return .answer(query)
        }
      ])
    system.start()
    for query in 1...20_000 { system.send(.ask(query)) }
    gate.open()
    #expect(await system.wait(while: { $0.answers.isEmpty }) == .settled)
    // Only when every effect has ended is it certain that no other answer follows.
    await system.effectsEnded()
    #expect(system.state.answers == [20_000])
  }

  @Test func `X3 an event queued before its effect was canceled is dropped`() {
    let emits = Log<Emit<String>>()
    let late = DeferredReference<FeedbackSystem<String, String>>()
    let journal = Journal(
      "",
      .react(to: { $0.hasSuffix("x") ? nil : 1 }) { _, emit in
        emits.add(emit)
        await untilCancelled()
      },
      .observe { state in
        // Both are queued while the state settles: first the event that ends the effect, then the event of
        // the effect.
        if state == "a" {
          late.value?.send("x")
          emits.all[0]("stale")
        }
      })
    late.value = journal.system
    journal.start()
    journal.send("a")
    #expect(journal.events == ["a", "x"])
  }

  @Test func `X4 an effect canceled before its task ran does nothing`() {
    let log = EffectLog()
    let journal = Journal(
      "",
      .react(to: { $0.last }) { query in
        log.note("side effect \(query)")
        return nil
      })
    journal.start()
    journal.system.send("a")
    journal.system.send("b")
    journal.executor.runUntilIdle()
    #expect(log.all == ["side effect b"])
  }
}
