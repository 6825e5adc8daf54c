import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct ConcurrencyTests {
  @Test func `C1 starting from a hundred tasks gives one run`() async {
    let starts = Log<Int>()
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [
        .react(to: { _ in Optional(1) }) { query in
          starts.add(query)
          return 1
        }
      ])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { system.start() } }
    }
    #expect(await system.wait(while: { $0 == 0 }) == .settled)
    await system.effectsEnded()
    #expect(starts.all == [1])
    #expect(system.state == 1)
  }

  @Test func `C2 four senders give the exact sum`() async {
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
    system.start()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { for _ in 0..<10_000 { system.send(1) } } }
    }
    #expect(await system.wait(while: { $0 < 40_000 }) == .settled)
    #expect(system.state == 40_000)
  }

  /// Everything at once, for ThreadSanitizer.
  @Test func `C3 sending, subscribing, waiting, starting effects and stopping may happen at the same time`()
    async
  {
    for _ in 0..<20 {
      let system = FeedbackSystem<Int, Int>(
        initialState: 0, reduce: { $0 += $1 },
        feedbacks: [
          .react(to: { $0 % 3 == 0 ? $0 : nil }) { _ in 1 },
          .react(toEach: { [$0 % 5, $0 % 7] }, maxConcurrent: 1) { _, emit in emit(1) },
          .bind { states, _ in for await _ in states {} },
        ],
        guard: .off)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { for _ in 0..<50 { system.send(1) } }
          group.addTask { for await state in system.states() where state > 100 { break } }
          group.addTask { for await value in system.select({ $0 / 10 }, .every) where value > 10 { break } }
          group.addTask { _ = await system.wait(while: { $0 < 100 }) }
        }
        group.addTask { system.start() }
        group.addTask {
          _ = await system.wait(while: { $0 < 200 })
          system.stop()
        }
      }
      await system.effectsEnded()
      #expect(system.state >= 200)
    }
  }

  @Test func `C4 an effect may read the state, subscribe, send and wait`() async {
    let late = DeferredReference<FeedbackSystem<Int, Int>>()
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [
        .react(to: { $0 == 1 ? 1 : nil }) { _ in
          guard let system = late.value, system.state == 1 else { return nil }
          for await state in system.states() where state == 1 { break }
          guard await system.wait(while: { $0 != 1 }) == .settled else { return nil }
          return 10
        }
      ])
    late.value = system
    system.start()
    #expect(await system.send(1, while: { $0 < 11 }) == .settled)
  }
}
