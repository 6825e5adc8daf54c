import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct OrderTests {
  @Test func `O1 the initial state is delivered first and starts its effects`() {
    let seen = Log<String>()
    let journal = Journal(
      "i",
      .observe { seen.add($0) },
      .react(to: { $0 == "i" ? "i" : nil }) { _ in "a" })
    journal.system.send("x")
    #expect(seen.all == [])
    journal.start()
    #expect(seen.all == ["i", "ix"])
    #expect(journal.states == ["i", "ix"])
  }

  @Test func `O1 an effect of the initial state delivers its event`() {
    let journal = Journal("i", .react(to: { $0 == "i" ? "i" : nil }) { _ in "a" })
    journal.start()
    #expect(journal.states == ["i", "ia"])
  }

  @Test func `O2 events are reduced in arrival order, and each state reaches all feedbacks before the next`()
  {
    let seen = Log<String>()
    let journal = Journal("", .observe { seen.add("1:\($0)") }, .observe { seen.add("2:\($0)") })
    journal.start()
    journal.send("a", "b", "c")
    #expect(journal.events == ["a", "b", "c"])
    #expect(seen.all == ["1:", "2:", "1:a", "2:a", "1:ab", "2:ab", "1:abc", "2:abc"])
  }

  @Test func `O2 observers see a state before waiters do`() async {
    let seen = Log<String>()
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
    system.start()
    let values = system.select { state in
      seen.add("observer \(state)")
      return state
    }
    // On this executor, the waiter is attached when the call returns.
    let waiter = Task(executorPreference: EagerExecutor()) {
      await system.wait { state in
        seen.add("waiter \(state)")
        return state == 0
      }
    }
    system.send(1)
    #expect(await waiter.value == .settled)
    #expect(seen.all == ["observer 0", "waiter 0", "observer 1", "waiter 1"])
    _ = values
  }

  @Test func `O3 a send from an observer, a query or a recorder is queued, never nested`() {
    let seen = Log<String>()
    let late = DeferredReference<FeedbackSystem<String, String>>()
    let system = FeedbackSystem<String, String>(
      initialState: "", reduce: { $0 += $1 },
      feedbacks: [
        .observe { state in
          seen.add("enter \(state)")
          if state == "1r" { late.value?.send("o") }
          seen.add("leave \(state)")
        },
        .react(to: { state -> Int? in
          if state == "1" { late.value?.send("q") }
          return nil
        }) { _ in nil },
      ],
      recorder: { reduced, _ in if reduced.event == "1" { late.value?.send("r") } })
    late.value = system
    system.start()
    system.send("1")
    #expect(
      seen.all == [
        "enter ", "leave ", "enter 1", "leave 1", "enter 1r", "leave 1r", "enter 1rq", "leave 1rq",
        "enter 1rqo", "leave 1rqo",
      ])
    #expect(system.state == "1rqo")
  }

  @Test func `O4 three plain feedbacks on the same states give a, a, a, b, b, b`() {
    let late = DeferredReference<FeedbackSystem<String, String>>()
    let answer: JournalFeedback = .observe { state in
      switch state {
      case "i": late.value?.send("a")
      case "ia": late.value?.send("b")
      default: break
      }
    }
    let journal = Journal("i", answer, answer, answer)
    late.value = journal.system
    journal.start()
    #expect(journal.events == ["a", "a", "a", "b", "b", "b"])
  }

  @Test func `O5 chained reacts start in declaration order`() {
    let starts = EffectLog()
    let journal = Journal(
      "",
      .react(to: { $0 == "" ? 1 : nil }) { _ in
        starts.note("first")
        return "a"
      },
      .react(to: { $0 == "a" ? 2 : nil }) { _ in
        starts.note("second")
        return "b"
      },
      .react(to: { $0 == "ab" ? 3 : nil }) { _ in
        starts.note("third")
        return "c"
      })
    journal.start()
    #expect(starts.all == ["first", "second", "third"])
    #expect(journal.states == ["", "a", "ab", "abc"])
  }

  @Test func `O5 effects requested by one state start in declaration order`() {
    let starts = EffectLog()
    let journal = Journal(
      "",
      .react(to: { _ in Optional(1) }) { _ in
        starts.note("first")
        return nil
      },
      .react(toEach: { _ in [2, 3] }) { query in
        starts.note("set \(query)")
        return nil
      },
      .react(to: { _ in Optional(4) }) { _ in
        starts.note("last")
        return nil
      })
    journal.start()
    #expect(starts.all == ["first", "set 2", "set 3", "last"])
  }

  @Test func `O6 an event sent while another thread ends its drain is not stranded`() async {
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
    system.start()
    for round in 1...2_000 {
      async let one: Void = system.send(1)
      async let other: Void = system.send(1)
      _ = await (one, other)
      // Nothing drains the queue any more, so an event that is not in the state now would be lost until the
      // next one.
      #expect(system.state == 2 * round)
      if system.state != 2 * round { break }
    }
  }

  @Test func `O6 events posted while a subscriber attaches are processed`() async {
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
    system.start()
    async let sender: Void = {
      for _ in 0..<1_000 { system.send(1) }
    }()
    for _ in 0..<100 { _ = system.states() }
    await sender
    // A sender that has worked enough for the others leaves the rest to a task.
    #expect(await system.wait(while: { $0 < 1_000 }) == .settled)
    #expect(system.state == 1_000)
  }

  @Test(arguments: 0..<8)
  func `O7 a subscriber sees every state once and in order, despite concurrent senders`(_: Int) async {
    let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 })
    system.start()
    async let senders: Void = withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { for _ in 0..<500 { system.send(1) } } }
    }
    let states = system.states(.every)
    var seen: [Int] = []
    for await state in states {
      seen.append(state)
      if state == 2_000 { break }
    }
    await senders
    #expect(seen == Array((seen.first ?? 0)...2_000))
  }

  @Test func `O8 the queued events of a completed outside source are still delivered`() {
    let source = AsyncStream<String> { continuation in
      for event in ["a", "b", "c"] { continuation.yield(event) }
      continuation.finish()
    }
    let journal = Journal("", .bind(source))
    journal.start()
    #expect(journal.states == ["", "a", "ab", "abc"])
    #expect(journal.origins.allSatisfy { $0.depth == 0 })
  }

  @Test func `O9 recorded pairs of state and event are in step`() async {
    let log = Log<(reduced: ReducedEvent<Int>, state: [Int])>()
    let system = FeedbackSystem<[Int], Int>(
      initialState: [], reduce: { $0.append($1) }, recorder: { log.add(($0, $1)) })
    system.start()
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 { group.addTask { for n in 0..<100 { system.send(sender * 100 + n) } } }
    }
    // A sender that has worked enough for the others leaves the rest to a task.
    #expect(await system.wait(while: { $0.count < 400 }) == .settled)
    #expect(log.all.map(\.reduced.sequence) == Array(1...400))
    for (index, (reduced, state)) in log.all.enumerated() {
      #expect(state.count == index + 1 && state.last == reduced.event)
    }
  }
}
