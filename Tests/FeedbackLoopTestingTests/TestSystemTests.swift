import FeedbackLoop
import FeedbackLoopTesting
import Locking
import Testing

@Suite struct TestSystemTests {
  @Test func `A test that asserts everything passes`() {
    let test = SearchTest()
    let system = test.system
    system.send(.typed("s")) {
      $0.text = "s"
      $0.isLoading = true
    }
    system.advance(by: .milliseconds(200))
    system.send(.typed("sw")) { $0.text = "sw" }
    system.expectRunning(["search": "sw"])
    system.advance(by: .milliseconds(400))
    system.receive(.loaded(["SW"], for: "sw")) {
      $0.rows = ["SW"]
      $0.isLoading = false
    }
    system.expectRunning([:])
    system.send(.touched)
    system.finish()
    #expect(test.report.messages == [])
    #expect(system.state == Search(text: "sw", rows: ["SW"]))
  }

  @Test func `T1 a change that is not asserted fails with the difference`() {
    let test = SearchTest { _ in [] }
    test.system.send(.typed("s"))
    test.system.finish()
    #expect(
      test.report.messages == [
        """
        send(.typed("s")): the state changed, and no change was expected (− expected, + actual)
            Search(
          −   text: "",
          +   text: "s",
              rows: [],
          −   isLoading: false
          +   isLoading: true
            )
        """
      ])
  }

  @Test func `T2 a change that differs from the assertion fails with the difference`() {
    let test = SearchTest { _ in [] }
    test.system.send(.typed("s")) {
      $0.text = "S"
      $0.isLoading = true
    }
    test.system.finish()
    #expect(
      test.report.messages == [
        """
        send(.typed("s")): the state is not as expected (− expected, + actual)
            Search(
          −   text: "S",
          +   text: "s",
              rows: [],
              isLoading: true
            )
        """
      ])
  }

  @Test func `T3 an expectation that changes nothing fails`() {
    let test = SearchTest()
    test.system.send(.touched) { $0.isLoading = false }
    test.system.finish()
    #expect(
      test.report.messages == [
        "send(.touched): the expectation changes nothing. Omit it if the event changes nothing"
      ])
  }

  @Test func `T4 receiving when nothing was received fails and reports what is running`() {
    let test = SearchTest(Search(text: "s", isLoading: true))
    test.system.receive(.loaded(["S"], for: "s"))
    #expect(
      test.report.messages == [
        "receive(.loaded([\"S\"], for: \"s\")): no such event was received. Running: search: s"
      ])
    test.system.skipEffects()
    test.system.finish()
  }

  @Test func `T5 receiving a different event fails with the difference`() {
    let test = SearchTest(Search(text: "s", isLoading: true))
    test.system.advance(by: .seconds(1))
    test.system.receive(.loaded(["T"], for: "s"))
    test.system.finish()
    #expect(
      test.report.messages == [
        """
        receive(.loaded(["T"], for: "s")): received another event (− expected, + received)
          − .loaded(["T"], for: "s")
          + .loaded(["S"], for: "s")
        """
      ])
  }

  @Test func `T6 a received event's change fails if it is asserted differently or not at all`() {
    for change in [nil, { (state: inout Search) in state.rows = ["S"] }] {
      let test = SearchTest(Search(text: "s", isLoading: true))
      test.system.advance(by: .seconds(1))
      test.system.receive(.loaded(["S"], for: "s"), change)
      test.system.finish()
      #expect(test.report.messages.count == 1)
      #expect(test.report.messages[0].contains("  +   isLoading: false"))
    }
  }

  @Test func `T7 sending before everything was received fails and lists the events`() {
    let test = SearchTest(Search(text: "s", isLoading: true))
    test.system.advance(by: .seconds(1))
    test.system.send(.touched)
    test.system.finish()
    #expect(
      test.report.messages == [
        "send(.touched): these events must be received first:\n  + .loaded([\"S\"], for: \"s\")"
      ])
  }

  @Test func `T8 finishing before everything was received fails and lists the events`() {
    let test = SearchTest(Search(text: "s", isLoading: true))
    test.system.advance(by: .seconds(1))
    test.system.finish()
    #expect(
      test.report.messages == [
        "finish(): these events were not received:\n  + .loaded([\"S\"], for: \"s\")"
      ])
  }

  @Test func `T9 an effect still running at finish is reported with its feedback and query`() {
    let test = SearchTest(Search(text: "swift", isLoading: true))
    test.system.finish()
    #expect(test.report.messages == ["finish(): these effects are still running: search: swift"])
  }

  @Test func `T9 a binding may run at finish, but an effect that ignores its cancellation may not`() {
    let test = SearchTest { clock in
      [
        .bind(name: "screen") { states, _ in for await _ in states {} },
        .react(to: { _ in Optional(1) }, name: "stubborn") { _ in
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          return nil
        },
      ]
    }
    test.system.skipEffects()
    test.system.finish()
    #expect(
      test.report.messages == [
        "finish(): these effects are still running although they were canceled: stubborn: 1"
      ])
  }

  @Test func `T10 effects other than the expected ones fail with the difference`() {
    let test = SearchTest(Search(text: "swift", isLoading: true))
    test.system.expectRunning(["search": "swallow"])
    test.system.expectRunning(["search": "swift"])
    test.system.skipEffects()
    test.system.finish()
    #expect(
      test.report.messages == [
        """
        expectRunning: other effects are running (− expected, + running)
          − search: swallow
          + search: swift
        """
      ])
  }

  @Test func `T11 an event emitted after its effect has returned fails`() {
    let emits = Lock<[Emit<Search.Event>]>([])
    let test = SearchTest { _ in
      [.react(to: { _ in Optional(1) }, name: "callback") { _, emit in emits.withLock { $0.append(emit) } }]
    }
    emits.withLock { $0 }[0](.touched)
    test.system.skipEffects()
    test.system.finish()
    #expect(test.report.messages.count == 1)
    #expect(test.report.messages[0].contains("feedback \"callback\" emitted an event after its effect"))
  }

  @Test func `T11 a feedback that drives itself fails, once`() {
    let test = SearchTest { _ in
      [
        .react(to: { $0.text.count < 1_100 ? $0.text.count : nil }, name: "grow") {
          .typed(String(repeating: "a", count: $0 + 1))
        }
      ]
    }
    test.system.skipReceived()
    test.system.finish()
    #expect(test.report.messages.count == 1)
    #expect(
      test.report.messages[0].hasPrefix("feedback \"grow\" has started 1000 effects, each caused by the last")
    )
  }

  @Test func `T11 an effect that the guard stops fails, unless the trip becomes an event`() {
    let grow = Feedback<Search, Search.Event>.react(to: { Optional($0.text) }, name: "grow") {
      .typed($0 + "a")
    }
    for isEvent in [false, true] {
      let touched: @Sendable (LoopGuard.Trip) -> Search.Event? = { _ in .touched }
      let report = Report()
      let system = TestSystem(
        initialState: Search(), reduce: Search.reduce, feedbacks: [grow], guard: LoopGuard(maximumDepth: 2),
        onTrip: isEvent ? touched : nil, report: { report($0) })
      system.receive(.typed("a")) {
        $0.text = "a"
        $0.isLoading = true
      }
      system.receive(.typed("aa")) { $0.text = "aa" }
      if isEvent { system.receive(.touched) }
      system.finish()
      #expect(
        report.messages.map { $0.prefix(43) }
          == (isEvent ? [] : ["feedback \"grow\" was stopped at depth 2, que"]))
    }
  }

  @Test func `T12 effects that never settle fail`() {
    let report = Report()
    let system = TestSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [.react(to: { Optional($0) }, name: "endless", progress: { _, _ in true }) { _ in 1 }],
      exhaustivity: .off, maximumJobs: 100, report: { report($0) })
    #expect(report.messages.count == 1)
    #expect(
      report.messages[0].hasPrefix("effects have not settled after 100 steps: endless: "),
      "\(report.messages[0])")
    system.finish()
  }

  @Test func `T12 effects that another thread makes ready are not endless`() {
    let emits = Lock<[Emit<Int>]>([])
    let gate = Lock<CheckedContinuation<Void, Never>?>(nil)
    let report = Report()
    let system = TestSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [
        .react(to: { _ in Optional(1) }, name: "callback") { _, emit in emits.withLock { $0.append(emit) } },
        .react(to: { _ in Optional(1) }, name: "waiting") { _ in
          await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
          return 1
        },
      ],
      report: { failure in
        report(failure)
        // As another thread might, this makes an effect ready after all effects had become idle.
        gate.withLock { $0.take() }?.resume()
      })
    emits.withLock { $0 }[0](1)
    system.send(0)
    #expect(report.messages.count == 1)
    #expect(report.messages[0].hasPrefix("feedback \"callback\" emitted an event after its effect"))
    system.advance(by: .zero)
    system.receive(1) { $0 = 1 }
    system.skipEffects()
    system.finish()
    #expect(report.messages.count == 1)
  }

  @Test func `T12 effects that settle with the last of the jobs allowed are not endless`() {
    let report = Report()
    let system = TestSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [.react(to: { $0 < 10 ? $0 : nil }, name: "ten", progress: { _, _ in true }) { _ in 1 }],
      exhaustivity: .off, maximumJobs: 10, report: { report($0) })
    #expect(system.live.state == 10)
    system.finish()
    #expect(report.messages == [])
  }

  @Test func `T13 an event must come from the feedback that is expected to send it`() {
    func makeSystem(_ report: Report, _ exhaustivity: Exhaustivity = .on) -> TestSystem<[String], String> {
      TestSystem(
        initialState: [], reduce: { $0.append($1) },
        feedbacks: [
          .react(to: { $0 == ["go"] ? 1 : nil }, name: "page") { _ in "row" },
          .react(to: { $0.contains("row") ? 1 : nil }, name: "search") { _ in "row" },
        ],
        exhaustivity: exhaustivity, report: { report($0) })
    }
    let report = Report()
    let system = makeSystem(report)
    system.send("go") { $0 = ["go"] }
    system.receive("row", from: "page") { $0.append("row") }
    system.receive("row", from: "page")
    system.live.send("user")
    system.receive(where: { $0 == "user" }, from: "search")
    system.skipEffects()
    system.finish()
    #expect(
      report.messages == [
        """
        receive("row", from: "page"): the event came from feedback "search"
        """,
        """
        receive(where:, from: "search"): the event came from outside
        """,
      ])

    let lax = Report()
    let second = makeSystem(lax, .off)
    second.send("go")
    second.receive("row", from: "search") { $0 = ["go", "row", "row"] }
    second.live.send("user")
    second.receive(where: { $0.hasPrefix("u") }, from: .outside) {
      $0 = ["go", "row", "row", "user"]
    }
    second.receive("row", from: .outside)
    second.finish()
    #expect(
      lax.messages == [
        "receive(\"row\", from: .outside): no such event was received. Running: nothing"
      ])
  }

  @Test func `A test that never finishes fails`() {
    let report = Report()
    do {
      let system = TestSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 }, report: { report($0) })
      system.send(1) { $0 = 1 }
    }
    #expect(
      report.messages == ["finish() was never called, so what was left at the end of the test is unknown"])
  }

  @Test func `A failure has the source location of the expectation`() {
    let test = SearchTest()
    let line = #line + 1
    test.system.send(.touched) { _ in }
    test.system.finish()
    #expect(test.report.all.map(\.line) == [line])
    #expect(test.report.all.map(\.fileID) == [#fileID])
    #expect(test.report.all.map(\.filePath) == [#filePath])
    #expect(test.report.all[0].description.hasPrefix("\(#fileID):\(line): send(.touched): "))
  }

  @Test func `T16 an effect that has answered while its query is still requested fails at the end`() {
    struct Refresh: Sendable, Equatable { var isRequested = false }
    func report(_ exhaustivity: Exhaustivity, skips: Bool = false) -> [String] {
      let report = Report()
      let system = TestSystem<Refresh, Bool>(
        initialState: Refresh(),
        reduce: { refresh, isRequest in if isRequest { refresh.isRequested = true } },
        feedbacks: [.react(to: { $0.isRequested ? "news" : nil }, name: "load") { (_: String) in false }],
        exhaustivity: exhaustivity, report: { report($0) })
      system.send(true) { $0.isRequested = true }
      system.receive(false)
      // It does nothing: the request is equal to the one before.
      system.send(true)
      if skips { system.skipEffects() }
      system.finish()
      return report.messages
    }
    #expect(
      report(.on) == [
        """
        finish(): answered and still requested, so that an equal request would do nothing; clear the request in the \
        reducer, or call skipEffects() if it is meant to stay: load: news
        """
      ])
    #expect(report(.on, skips: true) == [])
    #expect(report(.off) == [])
  }

  @Test func `Skipping something that does not exist fails`() {
    let test = SearchTest()
    test.system.skipReceived()
    test.system.skipEffects()
    test.system.finish()
    #expect(
      test.report.messages == [
        "skipReceived(): there is no event to skip", "skipEffects(): no effect is running or requested",
      ])
  }

  @Test func `A long event is named by its beginning, and differs line by line`() {
    let report = Report()
    let system = TestSystem<Int, [String]>(
      initialState: 0, reduce: { $0 += $1.count }, exhaustivity: .on, report: { report($0) })
    let lines = (1...40).map { "line \($0)" }
    system.send(lines)
    system.live.send(lines)
    system.receive(lines + ["line 41"])
    system.finish()
    #expect(
      report.messages == [
        """
        send(["line 1", "line 2", "line 3", "line 4", "line 5", "line 6", "li…): the state changed, and no change was \
        expected (− expected, + actual)
          − 0
          + 40
        """,
        """
        receive(["line 1", "line 2", "line 3", "line 4", "line 5", "line 6", "li…): received another event (− expected, \
        + received)
            …
              "line 38",
              "line 39",
          −   "line 40",
          −   "line 41"
          +   "line 40"
            ]
        """,
      ])
  }

  @Test func `Sending after the end fails`() {
    let test = SearchTest()
    test.system.finish()
    test.system.send(.touched)
    #expect(test.report.messages == ["send(.touched): the system has stopped and takes no events"])
  }

  @Test func `Without exhaustivity, a test asserts only what it wants to`() {
    let test = SearchTest(exhaustivity: .off)
    let system = test.system
    system.send(.typed("s")) { $0.text = "s" }
    system.advance(by: .seconds(1))
    system.send(.typed("sw"))
    system.advance(by: .seconds(1))
    system.receive(where: { if case .loaded = $0 { true } else { false } }) { $0.rows = ["SW"] }
    system.send(.typed("swi"))
    system.finish()
    #expect(test.report.messages == [])
  }

  @Test func `Without exhaustivity, the assertions that are made must still hold`() {
    let test = SearchTest(exhaustivity: .off)
    test.system.send(.typed("s")) { $0.text = "t" }
    test.system.receive(.cleared)
    test.system.finish()
    #expect(test.report.messages.count == 2)
    #expect(test.report.messages[0].contains("  −   text: \"t\""))
    #expect(test.report.messages[1] == "receive(.cleared): no such event was received. Running: search: s")
  }
}
