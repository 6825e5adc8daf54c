import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct StopTests {
  @Test func `D1 stop drops queued events and cancels every effect`() {
    let log = EffectLog()
    let late = DeferredReference<FeedbackSystem<String, String>>()
    let journal = Journal(
      "",
      .react(to: { _ in Optional(1) }) { query, _ in await log.untilCancelled(query) },
      .react(toEach: { _ in [2, 3] }) { query, _ in await log.untilCancelled(query) },
      .observe { state in
        guard state == "a" else { return }
        late.value?.send("queued before")
        late.value?.stop()
        late.value?.send("queued after")
      })
    late.value = journal.system
    journal.start()
    journal.send("a")
    #expect(journal.events == ["a"])
    #expect(log.all == ["start 1", "start 2", "start 3", "cancel 1", "cancel 2", "cancel 3"])
  }

  @Test func `D1 stop cancels effects in the order they started, regardless of their number`() {
    let log = EffectLog()
    let journal = Journal(
      "", .react(toEach: { _ in Array(1...40) }) { query, _ in await log.untilCancelled(query) })
    journal.start()
    journal.stop()
    #expect(log.all == (1...40).map { "start \($0)" } + (1...40).map { "cancel \($0)" })
  }

  @Test func `D1 stop ends every sequence and resumes every waiter`() async {
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
    system.start()
    let states = system.states(.every)
    let values = system.select({ $0 })
    async let outcome = system.send(1, while: { _ in true })
    _ = await system.wait(while: { $0 == 0 })
    system.stop()
    #expect(await outcome == .stopped)
    var seen: [Int] = []
    for await state in states { seen.append(state) }
    #expect(seen == [0, 1])
    for await value in values { #expect(value == 1) }
  }

  @Test func `D1 stopping a system that was never started ends its sequences and waiters`() async {
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
    let states = system.states()
    system.send(1)
    system.stop()
    system.start()
    for await _ in states { Issue.record("a stopped system has no states") }
    #expect(await system.wait(while: { _ in false }) == .stopped)
    #expect(system.state == 0)
  }

  @Test func `D2 stop may be repeated, and called inside an effect and an observer`() async {
    let late = DeferredReference<FeedbackSystem<String, String>>()
    let journal = Journal(
      "",
      .react(to: { $0 == "a" ? 1 : nil }) { _, emit in
        late.value?.stop()
        late.value?.stop()
        emit("never")
      },
      .observe { if $0 == "a" { late.value?.send("b") } },
      .observe { if $0 == "ab" { late.value?.stop() } })
    late.value = journal.system
    journal.start()
    journal.send("a")
    journal.stop()
    #expect(journal.events == ["a", "b"])
    #expect(await journal.system.stopped(within: .seconds(60)) == [])
  }

  @Test func `D3 releasing a system cancels its effects and leaks nothing`() {
    let log = EffectLog()
    let executor = ManualExecutor()
    weak var released: FeedbackSystem<String, String>?
    do {
      let system = FeedbackSystem<String, String>(
        initialState: "", reduce: { $0 += $1 },
        feedbacks: [.react(to: { _ in Optional(1) }) { query, _ in await log.untilCancelled(query) }],
        executor: executor)
      system.start()
      executor.runUntilIdle()
      released = system
      #expect(released != nil)
    }
    executor.runUntilIdle()
    #expect(released == nil)
    #expect(log.all == ["start 1", "cancel 1"])
  }

  @Test func `D3 nothing held by an effect or a feedback outlives the system`() {
    final class Resource: Sendable {}
    weak var held: Resource?
    let executor = ManualExecutor()
    do {
      let resource = Resource()
      held = resource
      let system = FeedbackSystem<String, String>(
        initialState: "", reduce: { $0 += $1 },
        feedbacks: [
          .react(to: { _ in Optional(1) }) { _, _ in
            await untilCancelled()
            _ = resource
          },
          .bind { states, _ in
            for await _ in states {}
            _ = resource
          },
        ],
        executor: executor)
      system.start()
      executor.runUntilIdle()
      let states = system.states()
      _ = states
    }
    executor.runUntilIdle()
    #expect(held == nil)
  }

  @Test func `D4 a binding without events lives until stop`() {
    let log = EffectLog()
    let journal = Journal(
      "",
      .bind(name: "screen") { states, _ in
        for await state in states { log.note("state \(state)") }
        log.note("end")
      })
    journal.start()
    journal.send("a", "b")
    #expect(log.all == ["state ", "state a", "state ab"])
    journal.stop()
    #expect(log.all == ["state ", "state a", "state ab", "end"])
  }

  @Test func `D4 the states of a binding end at stop, even for a task that nothing cancels`() {
    let log = EffectLog()
    let executor = ManualExecutor()
    let system = FeedbackSystem<String, String>(
      initialState: "", reduce: { $0 += $1 },
      feedbacks: [
        .bind(name: "screen") { states, _ in
          let reader = Task(executorPreference: executor) {
            for await state in states { log.note("state \(state)") }
            log.note("end")
          }
          await reader.value
        }
      ],
      executor: executor)
    system.start()
    executor.runUntilIdle()
    system.stop()
    executor.runUntilIdle()
    #expect(log.all == ["state ", "end"])
  }

  @Test func `D4 a binding may receive every state, and its events are consequences of them`() {
    let journal = Journal(
      "",
      .bind(delivery: .every, name: "echo") { states, emit in
        for await state in states where state.hasSuffix("?") { emit("!") }
      })
    journal.start()
    journal.system.send("a?")
    journal.system.send("b?")
    journal.executor.runUntilIdle()
    #expect(journal.events == ["a?", "b?", "!", "!"])
    #expect(journal.origins.map(\.feedback) == [nil, nil, "echo", "echo"])
    #expect(journal.origins.map(\.depth) == [0, 0, 1, 2])
    journal.stop()
  }

  @Test func `D5 nothing is delivered after stop`() async {
    let log = EffectLog()
    let emits = Log<Emit<String>>()
    let journal = Journal(
      "",
      .react(to: { _ in Optional(1) }) { _, emit in
        emits.add(emit)
        await untilCancelled()
      },
      .observe { log.note($0) })
    journal.start()
    journal.stop()
    journal.send("a")
    emits.all[0]("b")
    #expect(journal.events == [])
    #expect(log.all == [""])
    for await _ in journal.system.states() { Issue.record("a stopped system has no states") }
  }

  @Test func `Effects that have not ended in time are reported in the order in which they started`() async {
    let (first, second, gate) = (Gate(), Gate(), Gate())
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [first, second].enumerated().map { index, started in
        .react(to: { Optional($0) }, name: "stubborn \(index)") { _ in
          started.open()
          await gate.wait()
          return nil
        }
      })
    system.start()
    await first.wait()
    await second.wait()
    let unended = await system.stopped(within: .milliseconds(1))
    #expect(unended.map(\.feedback) == ["stubborn 0", "stubborn 1"])
    gate.open()
    #expect(await system.stopped(within: .seconds(60)) == [])
  }

  @Test func `An effect that ignores cancellation is reported when it has not ended in time`() async {
    let started = Gate()
    let gate = Gate()
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [
        .react(to: { Optional($0) }, name: "stubborn") { _ in
          started.open()
          await gate.wait()
          return nil
        },
        .react(to: { Optional($0) }, name: "obedient") { _, _ in await untilCancelled() },
      ])
    system.start()
    await started.wait()
    let unended = await system.stopped(within: .milliseconds(1))
    #expect(unended.contains { $0.description == "stubborn: 0" })
    gate.open()
    #expect(await system.stopped(within: .seconds(60)) == [])
  }
}
