import FeedbackLoop
import FeedbackLoopTesting
import FoundationEssentials
import Testing

@Suite struct ReplayTests {
  private struct Screen: Sendable, Equatable {
    var query: String?
    var answers: [String] = []
  }

  private enum Event: Sendable, Codable, Equatable { case ask(String), answer(String) }

  @Sendable private static func reduce(_ state: inout Screen, _ event: Event) {
    switch event {
    case .ask(let query): state.query = query
    case .answer(let answer):
      state.query = nil
      state.answers.append(answer)
    }
  }

  /// A session of two questions, and the number of effects that ran.
  private static func session() -> (events: [ReducedEvent<Event>], state: Screen, runs: Int) {
    let executor = ManualExecutor()
    let events = Log<ReducedEvent<Event>>()
    let runs = Log<String>()
    let system = FeedbackSystem<Screen, Event>(
      initialState: Screen(), reduce: reduce,
      feedbacks: [
        .react(to: \.query, name: "ask") { query in
          runs.add(query)
          return .answer(query.uppercased())
        }
      ],
      executor: executor, recorder: { reduced, _ in events.add(reduced) })
    system.start()
    for query in ["a", "b"] {
      system.send(.ask(query))
      executor.runUntilIdle()
    }
    return (events.all, system.state, runs.all.count)
  }

  @Test func `A recorded event has a sequence number and an origin`() {
    let events = Self.session().events
    #expect(events.map(\.sequence) == [1, 2, 3, 4])
    #expect(events.map(\.event) == [.ask("a"), .answer("A"), .ask("b"), .answer("B")])
    #expect(events.map(\.origin.feedback) == [nil, "ask", nil, "ask"])
    #expect(events.map(\.origin.depth) == [0, 1, 0, 1])
  }

  @Test func `Replaying restores the state and runs no effect`() throws {
    let session = Self.session()
    #expect(try ReducedEvent.replay(session.events, from: Screen(), reduce: Self.reduce) == session.state)
    #expect(session.runs == 2)
  }

  @Test func `Replaying through an event restores the state after it`() throws {
    let events = Self.session().events
    let states = try (0...4).map {
      try ReducedEvent.replay(events, from: Screen(), through: $0, reduce: Self.reduce)
    }
    #expect(states.map(\.query) == [nil, "a", nil, "b", nil])
    #expect(states.map(\.answers.count) == [0, 0, 1, 1, 2])
  }

  @Test func `A recording survives encoding as JSON`() throws {
    let events = Self.session().events
    let lines = try events.map { try JSONEncoder().encode($0) }
    #expect(try lines.map { try JSONDecoder().decode(ReducedEvent<Event>.self, from: $0) } == events)
  }

  @Test func `A recording with a gap is refused with the position of the gap`() {
    var events = Self.session().events
    events.remove(at: 1)
    let gap = #expect(throws: ReducedEvent<Event>.Gap.self) {
      try ReducedEvent.replay(events, from: Screen(), reduce: Self.reduce)
    }
    #expect(
      gap?.description
        == "the recording continues with event 3 instead of event 2. Replay through 1, or record from the "
        + "start of the system")
  }

  @Test func `F8 a stubbed system records events without running effects`() {
    let events = Log<Event>()
    let system = FeedbackSystem<Screen, Event>(
      initialState: Screen(), reduce: Self.reduce, recorder: { reduced, _ in events.add(reduced.event) })
    system.start()
    system.send(.ask("a"))
    #expect(events.all == [.ask("a")])
    #expect(system.state == Screen(query: "a"))
  }
}
