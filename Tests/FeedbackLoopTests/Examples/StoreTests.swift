import FeedbackLoop
import FeedbackLoopTesting
import Testing

/// A store of several components, each shown by its own view, which selects its part.
private struct Store: Sendable {
  /// A component that is expensive to compare has a number that changes with it, updated by its only
  /// setter.
  struct Component: Sendable {
    private(set) var identity = 0
    var rows: [String] = [] {
      didSet { identity += 1 }
    }
  }

  var title = "t"
  var list = Component()
  var loads = 0

  enum Event: Sendable { case title(String), row(String), loaded, cancelled }

  @Sendable static func reduce(_ store: inout Store, _ event: Event) {
    switch event {
    case .title(let title): store.title = title
    case .row(let row): store.list.rows.append(row)
    case .loaded: store.loads += 1
    case .cancelled: store.loads = -1
    }
  }
}

@Suite struct StoreTests {
  private static func system(_ feedbacks: Feedback<Store, Store.Event>...) -> FeedbackSystem<
    Store, Store.Event
  > {
    let system = FeedbackSystem(initialState: Store(), reduce: Store.reduce, feedbacks: feedbacks)
    system.start()
    return system
  }

  private static func all<S: AsyncSequence>(_ sequence: S) async -> [S.Element] where S.Failure == Never {
    var elements: [S.Element] = []
    for await element in sequence { elements.append(element) }
    return elements
  }

  @Test func `A view is notified only when its part changes`() async {
    let system = Self.system()
    let titles = system.select(\.title, .every)
    let counts = system.select(\.list.rows.count, .every)
    for event in [Store.Event.row("a"), .title("u"), .row("b"), .title("u")] { system.send(event) }
    system.stop()
    #expect(await Self.all(titles) == ["t", "u"])
    #expect(await Self.all(counts) == [0, 1, 2])
  }

  @Test func `I1 the identity of a component changes automatically and defines its equality`() async {
    let system = Self.system()
    let lists = system.select(\.list, .every, by: { $0.identity == $1.identity })
    for event in [Store.Event.row("a"), .title("u"), .row("b")] { system.send(event) }
    system.stop()
    #expect(await Self.all(lists).map(\.rows) == [[], ["a"], ["a", "b"]])
  }

  @Test func `I2 repeats are dropped after the projection, not before`() async {
    let system = Self.system()
    // The states differ each time, but the selected parts do not.
    let initials = system.select({ $0.title.first }, .every)
    for title in ["ta", "tb", "u", "ub", "t"] { system.send(.title(title)) }
    system.stop()
    #expect(await Self.all(initials) == ["t", "u", "t"])
  }

  @Test func `I5 events may be sent from two threads`() async {
    let system = Self.system()
    await withTaskGroup(of: Void.self) { group in
      for name in ["a", "b"] {
        group.addTask { for _ in 0..<1_000 { system.send(.row(name)) } }
      }
    }
    #expect(await system.wait(while: { $0.list.rows.count < 2_000 }) == .settled)
  }

  @Test func `I6 an effect that the state no longer requests is canceled`() async {
    let started = Gate()
    let cancelled = EffectLog()
    let system = Self.system(
      .react(to: { $0.loads == 0 ? true : nil }) { _, _ in
        started.open()
        await cancelled.untilCancelled("load")
      })
    await started.wait()
    system.send(.cancelled)
    await system.effectsEnded()
    #expect(cancelled.all == ["start load", "cancel load"])
  }

  @Test func `A selector is not called after its subscriber has ended`() async {
    let asked = Log<String>()
    let system = Self.system()
    do {
      let titles = system.select { store in
        asked.add(store.title)
        return store.title
      }
      for await _ in titles { break }
    }
    system.send(.title("u"))
    #expect(asked.all == ["t"])
  }
}
