import FeedbackLoop
import FeedbackLoopTesting
import FoundationEssentials
import Testing

@Suite struct EventLogTests {
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

  /// A session of two questions, one second apart, and the number of effects that ran.
  private static func session() -> (log: EventLog<Event>, state: Screen, runs: Int) {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let entries = Log<EventLog<Event>.Entry>()
    let runs = Log<String>()
    let system = FeedbackSystem<Screen, Event>(
      initialState: Screen(), reduce: reduce,
      feedbacks: [
        .react(to: \.query, name: "ask") { query in
          runs.add(query)
          return .answer(query.uppercased())
        }
      ],
      executor: executor, recorder: EventLog.recorder(clock: clock) { entries.add($0) })
    system.start()
    for query in ["a", "b"] {
      clock.advance(by: .seconds(1), running: executor)
      system.send(.ask(query))
      executor.runUntilIdle()
    }
    return (EventLog(entries: entries.all), system.state, runs.all.count)
  }

  @Test func `A recorded entry contains sequence, time, event and origin`() {
    let entries = Self.session().log.entries
    #expect(entries.map(\.sequence) == [1, 2, 3, 4])
    #expect(entries.map(\.time) == [.seconds(1), .seconds(1), .seconds(2), .seconds(2)])
    #expect(entries.map(\.event) == [.ask("a"), .answer("A"), .ask("b"), .answer("B")])
    #expect(entries.map(\.origin.feedback) == [nil, "ask", nil, "ask"])
    #expect(entries.map(\.origin.depth) == [0, 1, 0, 1])
  }

  @Test func `Replaying restores the state and runs no effect`() throws {
    let session = Self.session()
    #expect(try session.log.replay(from: Screen(), reduce: Self.reduce) == session.state)
    #expect(session.runs == 2)
  }

  @Test func `Replaying through an event restores the state after it`() throws {
    let log = Self.session().log
    let states = try (0...4).map { try log.replay(from: Screen(), through: $0, reduce: Self.reduce) }
    #expect(states.map(\.query) == [nil, "a", nil, "b", nil])
    #expect(states.map(\.answers.count) == [0, 0, 1, 1, 2])
  }

  @Test func `A log survives encoding as JSON`() throws {
    let log = Self.session().log
    let lines = try log.entries.map { try JSONEncoder().encode($0) }
    let entries = try lines.map { try JSONDecoder().decode(EventLog<Event>.Entry.self, from: $0) }
    #expect(EventLog(entries: entries) == log)
  }

  @Test func `A log with a gap is refused with the position of the gap`() {
    var log = Self.session().log
    log.entries.remove(at: 1)
    let gap = #expect(throws: EventLog<Event>.Gap.self) {
      try log.replay(from: Screen(), reduce: Self.reduce)
    }
    #expect(
      gap?.description
        == "the event log continues with event 3 instead of event 2. Replay through 1, or record from the "
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
