import FeedbackLoop
import FeedbackLoopTesting
import Testing

@Suite struct SelectTests {
  private struct Screen: Sendable {
    var title: String? = "a"
    var other = 0
  }

  private enum Event: Sendable { case title(String?), other }

  private static func system() -> FeedbackSystem<Screen, Event> {
    let system = FeedbackSystem<Screen, Event>(
      initialState: Screen(),
      reduce: { state, event in
        switch event {
        case .title(let title): state.title = title
        case .other: state.other += 1
        }
      })
    system.start()
    return system
  }

  /// Every element of the sequence until the system stops.
  private static func all<S: AsyncSequence>(_ sequence: S) async -> [S.Element] where S.Failure == Never {
    var elements: [S.Element] = []
    for await element in sequence { elements.append(element) }
    return elements
  }

  @Test func `L1 the first value is delivered, and then only changes, including nil`() async {
    let system = Self.system()
    let titles = system.select(\.title, .every)
    for event in [Event.other, .title("a"), .title("b"), .other, .title(nil), .title(nil), .title("b")] {
      system.send(event)
    }
    system.stop()
    #expect(await Self.all(titles) == ["a", "b", nil, "b"])
  }

  @Test func `L1 repeats are dropped compared with the last value that this subscriber received`() async {
    let system = Self.system()
    var titles = system.select(\.title).makeAsyncIterator()
    #expect(await titles.next() == "a")
    // "b" appears and disappears before the subscriber looks, so it must not see "a" twice.
    system.send(.title("b"))
    system.send(.title("a"))
    system.send(.title("c"))
    #expect(await titles.next() == "c")
    system.send(.title("d"))
    system.send(.title("c"))
    system.stop()
    #expect(await titles.next() == nil)
  }

  @Test func `L1 subscribers are independent of each other`() async {
    let system = Self.system()
    let early = system.select(\.title, .every)
    system.send(.title("b"))
    let late = system.select(\.title, .every)
    system.send(.title("c"))
    system.stop()
    #expect(await Self.all(early) == ["a", "b", "c"])
    #expect(await Self.all(late) == ["b", "c"])
  }

  @Test func `L1 equality can be customized`() async {
    let system = Self.system()
    let lengths = system.select(\.title, .every, by: { $0?.count == $1?.count })
    for title in ["b", "cc", "dd", nil, "e"] { system.send(.title(title)) }
    system.stop()
    #expect(await Self.all(lengths) == ["a", "cc", nil, "e"])
  }

  @Test func `L3 latest ends with the last state`() async {
    let system = Self.system()
    let states = system.states()
    for _ in 0..<100 { system.send(.other) }
    system.stop()
    #expect(await Self.all(states).map(\.other) == [100])
  }

  @Test func `L3 every delivers each state`() async {
    let system = Self.system()
    let states = system.states(.every)
    for _ in 0..<100 { system.send(.other) }
    system.stop()
    #expect(await Self.all(states).map(\.other) == Array(0...100))
  }

  @Test func `F8 a late subscriber gets only the current state`() async {
    let system = Self.system()
    for _ in 0..<10 { system.send(.other) }
    let states = system.states(.every)
    system.stop()
    #expect(await Self.all(states).map(\.other) == [10])
  }
}
