import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct CompositionTests {
  /// A feature that loads the requested query.
  private struct Search: Sendable, Equatable, Identifiable {
    var id = 0
    var request: String?
    var rows: [String] = []
  }

  private enum SearchEvent: Sendable, Equatable { case typed(String), loaded([String]) }

  private static func reduce(_ search: inout Search, _ event: SearchEvent) {
    switch event {
    case .typed(let text): search.request = text
    case .loaded(let rows):
      search.rows += rows
      search.request = nil
    }
  }

  /// The application around it.
  private struct App: Sendable, Equatable {
    var search = Search()
    var popup: Search?
    var tabs: [Search] = []
    var count = 0
  }

  private enum Event: Sendable, Equatable {
    case search(SearchEvent)
    case popup(SearchEvent)
    case tab(Int, SearchEvent)
    case open(Search?)
    case tabs([Search])
  }

  private static func reduce(_ app: inout App, _ event: Event) {
    app.count += 1
    switch event {
    case .search(let event): reduce(&app.search, event)
    case .popup(let event):
      guard var popup = app.popup else { return }
      reduce(&popup, event)
      app.popup = popup
    case .tab(let id, let event):
      for index in app.tabs.indices where app.tabs[index].id == id { reduce(&app.tabs[index], event) }
    case .open(let search): app.popup = search
    case .tabs(let tabs): app.tabs = tabs
    }
  }

  private let log = EffectLog()
  private let executor = ManualExecutor()

  /// Answers "x" with "X"; anything that begins with "-" never.
  private func load(_ name: String = "load") -> Feedback<Search, SearchEvent> {
    let log = log
    return .react(to: \.request, name: name) { request in
      if request.hasPrefix("-") { await log.untilCancelled(request) }
      return .loaded([request.uppercased()])
    }
  }

  private func system(
    _ feedbacks: [Feedback<App, Event>], guard loopGuard: LoopGuard = .standard,
    onTrip: (@Sendable (LoopGuard.Trip) -> Event?)? = nil,
    recorder: (@Sendable (ReducedEvent<Event>, App) -> Void)? = nil
  ) -> FeedbackSystem<App, Event> {
    let system = FeedbackSystem<App, Event>(
      initialState: App(), reduce: { Self.reduce(&$0, $1) }, feedbacks: feedbacks, guard: loopGuard,
      onTrip: onTrip, executor: executor, recorder: recorder)
    system.start()
    executor.runUntilIdle()
    return system
  }

  private func run(_ system: FeedbackSystem<App, Event>, _ events: Event...) {
    for event in events {
      system.send(event)
      executor.runUntilIdle()
    }
  }

  @Test func `A feedback of a child works in its parent, under its own name`() {
    let origins = Log<EventOrigin>()
    let system = system(
      [load().pullback(state: \.search, event: Event.search)],
      recorder: { reduced, _ in origins.add(reduced.origin) })
    run(system, .search(.typed("a")), .search(.typed("b")))
    #expect(system.state.search.rows == ["A", "B"])
    #expect(origins.all.map(\.feedback) == [nil, "load", nil, "load"])
  }

  @Test func `The states of a child's binding are the child's`() {
    let log = log
    let screen = Feedback<Search, SearchEvent>.bind(name: "screen") { states, emit in
      for await state in states {
        log.note("\(state.request ?? "-") \(state.rows)")
        if state.rows == ["A"], state.request == nil { emit(.typed("b")) }
      }
    }
    let system = system(
      [load(), screen].map { $0.pullback(state: \.search, event: Event.search) })
    run(system, .search(.typed("a")))
    #expect(system.state.search.rows == ["A", "B"])
    #expect(log.all.last == "- [\"A\", \"B\"]")
    system.stop()
    executor.runUntilIdle()
  }

  @Test
  func `An optional child's effects are canceled when it becomes nil, and start again with another child`() {
    let system = system([load().pullback(optional: \.popup, event: Event.popup)])
    run(system, .popup(.typed("a")), .open(Search(request: "-a")), .search(.typed("b")), .open(nil))
    #expect(log.all == ["start -a", "cancel -a"])
    run(system, .open(Search(request: "-a")))
    #expect(log.all == ["start -a", "cancel -a", "start -a"])
    run(system, .open(Search(request: "b")))
    #expect(system.state.popup?.rows == ["B"])
    system.stop()
    executor.runUntilIdle()
  }

  @Test func `Each identified child has an instance of its own`() async {
    let system = system([load().pullback(toEach: \.tabs) { Event.tab($0, $1) }])
    let (one, two) = (Search(id: 1, request: "-1"), Search(id: 2, request: "-2"))
    run(system, .tabs([one, two]), .tabs([two, one]), .tabs([two]))
    #expect(log.all == ["start -1", "start -2", "cancel -1"])
    run(system, .tabs([two, Search(id: 3, request: "c")]))
    #expect(system.state.tabs.last?.rows == ["C"])
    run(system, .tab(2, .typed("b")))
    #expect(system.state.tabs.map(\.rows) == [["B"], ["C"]])
    #expect(log.all == ["start -1", "start -2", "cancel -1", "cancel -2"])
    system.stop()
    executor.runUntilIdle()
    await system.effectsEnded()
  }

  @Test func `Progress is decided with the event and the state of the child`() {
    let trips = Log<LoopGuard.Trip>()
    let endless = { (isProgress: Bool) in
      Feedback<Search, SearchEvent>.react(
        to: { $0.rows.count < 100 ? $0.rows.count : nil }, name: "page",
        progress: { event, search in isProgress && event == .loaded(["x"]) && search.rows.count <= 100 }
      ) { _ in .loaded(["x"]) }
    }
    let rows = { (isProgress: Bool) in
      let nested = endless(isProgress)
        .pullback(state: { (state: [Search]) in state[0] }, event: { (event: SearchEvent) in [event] })
        .pullback(state: { (app: App) in [app.search] }, event: { Event.search($0[0]) })
      let system = system(
        [nested], guard: LoopGuard(maximumDepth: 10),
        onTrip: {
          trips.add($0)
          return nil
        })
      return system.state.search.rows.count
    }
    #expect(rows(true) == 100)
    #expect(trips.all == [])
    #expect(rows(false) == 10)
    #expect(trips.all.map(\.feedback) == ["page"])
  }

  @Test func `A scope has a part of the state, and sends some of the events`() async {
    let system = system([load().pullback(state: \.search, event: Event.search)])
    let scope = system.scoped(state: \.search, event: Event.search)
    let (states, rows) = (scope.states(.every), scope.select(\.rows, .every))
    let names = scope.scoped(state: \.rows.count, event: { SearchEvent.typed($0) })
    names.send("a")
    executor.runUntilIdle()
    system.send(.open(nil))
    #expect(scope.state == Search(rows: ["A"]))
    #expect(names.state == 1)
    #expect(await scope.send(.typed("-"), while: { $0.request == nil }) == .settled)
    #expect(await scope.wait(while: { $0.request == nil }) == .settled)
    system.stop()
    executor.runUntilIdle()
    var seen: [String?] = []
    for await state in states { seen.append(state.request) }
    #expect(seen == [nil, "a", nil, nil, "-"])
    var lists: [[String]] = []
    for await list in rows { lists.append(list) }
    #expect(lists == [[], ["A"]])
  }
}
