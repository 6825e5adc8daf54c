import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct WaitingTests {
  @Test func `T14 an event from a detached task is waited for`() async {
    let report = Report()
    let system = TestSystem<[String], String>(
      initialState: [], reduce: { $0.append($1) },
      feedbacks: [
        .react(to: { $0 == ["go"] ? 1 : nil }, name: "detached") { _ in await Task.detached { "done" }.value }
      ],
      report: { report($0) })
    system.send("go") { $0 = ["go"] }
    await system.receive("done", from: "detached", within: .seconds(60)) { $0.append("done") }
    system.expectRunning([:])
    system.finish()
    #expect(report.messages == [])
  }

  @Test func `T14 all events of an actor with its own executor are waited for`() async {
    @globalActor actor Elsewhere {
      static let shared = Elsewhere()
    }
    let report = Report()
    let system = TestSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [
        .react(to: { $0 > 0 ? 1 : nil }, name: "burst") { _, emit in
          await Task { @Elsewhere in
            for number in 2...100 { emit(number) }
          }.value
        }
      ],
      report: { report($0) })
    system.send(1) { $0 = 1 }
    for number in 2...3 {
      await system.receive(where: { $0 == number }, within: .seconds(60)) { $0 += number }
    }
    system.exhaustivity = .off
    await system.receive(100, within: .seconds(60))
    #expect(system.state == 5_050)
    system.finish()
    #expect(report.messages == [])
  }

  @Test func `T14 an event that does not come within the limit fails, and so does another one`() async {
    let test = SearchTest(Search(text: "s", isLoading: true))
    await test.system.receive(.cleared, within: .milliseconds(1))
    test.system.advance(by: .seconds(1))
    await test.system.receive(.cleared, within: .seconds(60))
    test.system.finish()
    #expect(
      test.report.messages == [
        "receive(.cleared): no such event was received within 0.001 seconds. Running: search: s",
        """
        receive(.cleared): received another event (− expected, + received)
          − .cleared
          + .loaded(["S"], for: "s")
        """,
      ])
  }

  @Test func `T14 canceling the task of a test ends the wait`() async {
    let waiting = Task {
      let test = SearchTest()
      await test.system.receive(.cleared, within: .seconds(3_600))
      test.system.finish()
      return test.report.messages
    }
    waiting.cancel()
    #expect(
      await waiting.value == [
        "receive(.cleared): no such event was received within 3600.0 seconds. Running: nothing"
      ])
  }

  @Test func `T15 waiting for a state runs effects and advances the clock only as far as needed`() async {
    let test = SearchTest()
    let outcome = await test.system.send(.typed("s"), while: \.isLoading, advancing: .seconds(10)) {
      $0.text = "s"
      $0.isLoading = true
    }
    #expect(outcome == .settled)
    #expect(test.system.clock.now.offset == .milliseconds(400))
    test.system.receive(.loaded(["S"], for: "s"), from: "search") {
      $0.rows = ["S"]
      $0.isLoading = false
    }
    #expect(await test.system.wait(while: \.isLoading) == .settled)
    test.system.finish()
    #expect(await test.system.send(.touched, while: \.isLoading) == .stopped)
    #expect(await test.system.wait(while: \.isLoading) == .stopped)
    #expect(test.report.messages == [])
  }

  @Test func `T15 a wait that only the test could end fails instead of hanging`() async {
    let test = SearchTest()
    let outcome = await test.system.send(
      .typed("s"), while: \.isLoading, onCancel: .cleared, advancing: .milliseconds(100)
    ) {
      $0.text = "s"
      $0.isLoading = true
    }
    #expect(outcome == .cancelled)
    #expect(test.system.clock.now.offset == .milliseconds(100))
    test.system.receive(.cleared, from: .outside) { $0 = Search() }
    #expect(await test.system.wait(while: { $0.text.isEmpty }) == .cancelled)
    test.system.finish()
    #expect(
      test.report.messages == [
        """
        send(.typed("s"), while:): the condition still holds, and nothing ends it. Running: search: s. Tasks that \
        sleep on the clock: 1
        """,
        """
        wait(while:): the condition still holds, and nothing ends it. Running: nothing. Tasks that sleep on the \
        clock: 0
        """,
      ])
  }

  @Test func `T15 waiting for a state asserts the change of the event`() async {
    let test = SearchTest { _ in [] }
    _ = await test.system.send(.typed("s"), while: { $0.text.isEmpty }) { $0.text = "s" }
    test.system.finish()
    #expect(test.report.messages.count == 1)
    #expect(test.report.messages[0].contains("  +   isLoading: true"))
  }

  @Test func `T15 a state that another thread brings about is waited for`() async {
    let report = Report()
    let system = TestSystem<[String], String>(
      initialState: [], reduce: { $0.append($1) },
      feedbacks: [
        .react(to: { $0 == ["go"] ? 1 : nil }, name: "detached") { _ in await Task.detached { "done" }.value }
      ],
      report: { report($0) })
    let outcome = await system.send("go", while: { $0.count < 2 }, within: .seconds(60)) { $0 = ["go"] }
    #expect(outcome == .settled)
    system.receive("done", from: "detached") { $0.append("done") }
    system.finish()
    #expect(report.messages == [])
  }

  @Test func `T15 canceling the task of a test cancels the wait as in the live system`() async {
    let waiting = Task {
      let test = SearchTest { _ in [] }
      withUnsafeCurrentTask { $0?.cancel() }
      let outcome = await test.system.send(.typed("s"), while: \.isLoading, onCancel: .cleared)
      test.system.finish()
      return (outcome, test.system.state, test.report.messages)
    }
    let (outcome, state, messages) = await waiting.value
    // A task that was canceled before sends neither event.
    #expect(outcome == .cancelled)
    #expect(state == Search())
    #expect(messages == [])
  }

  @Test func `T15 a function that takes the live system runs as a task on the executor of the test`() async {
    @Sendable func clear(_ system: FeedbackSystem<Search, Search.Event>) async -> Outcome {
      await system.send(.typed("s"), while: \.isLoading, onCancel: .cleared)
    }
    let test = SearchTest()
    let clearing = Task(executorPreference: test.system.executor) { [live = test.system.live] in
      await clear(live)
    }
    test.system.advance(by: .milliseconds(10))
    test.system.receive(.typed("s"), from: .outside) {
      $0.text = "s"
      $0.isLoading = true
    }
    test.system.expectRunning(["search": "s"])
    clearing.cancel()
    test.system.receive(.cleared, from: .outside) { $0 = Search() }
    test.system.finish()
    #expect(await clearing.value == .cancelled)
    #expect(test.report.messages == [])
  }

  @Test func `T16 states, selections and pulses are those of the live system`() async {
    struct Page: Equatable, Sendable {
      var title = ""
      var hits = 0
      @Pulse var notice: String?
    }
    let report = Report()
    let system = TestSystem<Page, String>(
      initialState: Page(),
      reduce: { page, event in
        switch event {
        case "hit": page.hits += 1
        case "notice": page.notice = "again"
        default: page.title = event
        }
      },
      exhaustivity: .off, report: { report($0) })
    let states = system.states(.every)
    let latest = system.states()
    let titles = system.select(\.title, .every)
    let initials = system.select(\.title, by: { $0.first == $1.first })
    let notices = system.pulses(\.$notice)
    #expect(latest.received() == [Page()])
    for event in ["hit", "notice", "notice", "swift", "hit", "swim"] { system.send(event) }
    #expect(states.received().map(\.hits) == [0, 1, 1, 1, 1, 2, 2])
    #expect(latest.received().last?.title == "swim")
    #expect(await titles.next() == "")
    #expect(titles.received() == ["swift", "swim"])
    #expect(initials.received() == ["", "swift"])
    #expect(notices.received() == ["again", "again"])
    #expect(notices.received() == [])
    system.finish()
    #expect(await titles.next() == nil)
    for await title in titles { Issue.record("\(title) came after the end") }
    #expect(report.messages == [])
  }

  @Test func `T16 a value that only the test could bring about fails instead of hanging`() async {
    let test = SearchTest()
    let line = #line + 1
    let texts = test.system.select(\.text)
    var seen: [String] = []
    for await text in texts { seen.append(text) }
    #expect(seen == [""])
    let problem =
      "next(): there is no other value, and none comes until the test sends an event or advances the clock"
    #expect(test.report.messages == [problem])
    #expect(test.report.all.map(\.line) == [line])
    test.system.finish()
  }

  @Test func `T16 a value from another thread is waited for`() async {
    let report = Report()
    let system = TestSystem<[String], String>(
      initialState: [], reduce: { $0.append($1) },
      feedbacks: [
        .react(to: { $0 == ["go"] ? 1 : nil }, name: "detached") { _ in await Task.detached { "done" }.value }
      ],
      report: { report($0) })
    let last = system.select(\.last, .every)
    system.send("go") { $0 = ["go"] }
    #expect(await last.next() == .some(nil))
    #expect(await last.next() == "go")
    #expect(await last.next(within: .seconds(60)) == "done")
    system.receive("done") { $0.append("done") }
    system.finish()
    #expect(report.messages == [])
  }
}
