import FeedbackLoop
import Testing

@Suite struct PulseTests {
  private struct Screen: Sendable {
    @Pulse var notice: String?
    var other = 0

    init(notice: Pulse<String?> = Pulse(wrappedValue: nil)) {
      _notice = notice
    }
  }

  private enum Event: Sendable { case notice(String?), other }

  private static func system(_ initialState: Screen = Screen()) -> FeedbackSystem<Screen, Event> {
    let system = FeedbackSystem<Screen, Event>(
      initialState: initialState,
      reduce: { state, event in
        switch event {
        case .notice(let notice): state.notice = notice
        case .other: state.other += 1
        }
      })
    system.start()
    return system
  }

  private static func all(_ pulses: AsyncStream<String?>) async -> [String?] {
    var values: [String?] = []
    for await value in pulses { values.append(value) }
    return values
  }

  @Test func `L2 a pulse fires for every assignment, including equal ones, and for no unrelated change`()
    async
  {
    let system = Self.system()
    let notices = system.pulses(\.$notice)
    for event in [Event.notice("a"), .other, .notice("a"), .other, .notice(nil), .notice("b")] {
      system.send(event)
    }
    system.stop()
    #expect(await Self.all(notices) == ["a", "a", nil, "b"])
  }

  @Test func `L2 a pulse survives conflation`() async {
    let system = Self.system()
    let notices = system.pulses(\.$notice, .latest)
    system.send(.notice("a"))
    for _ in 0..<10 { system.send(.other) }
    system.stop()
    #expect(await Self.all(notices) == ["a"])
  }

  @Test func `L2 a pulse survives the overflow of its counter`() async {
    let system = Self.system(Screen(notice: Pulse(wrappedValue: "old", assignments: .max)))
    let notices = system.pulses(\.$notice)
    system.send(.notice("new"))
    system.stop()
    #expect(await Self.all(notices) == ["new"])
  }

  @Test func `L2 a late subscriber does not get earlier assignments`() async {
    let system = Self.system()
    system.send(.notice("old"))
    let notices = system.pulses(\.$notice)
    system.send(.other)
    system.stop()
    #expect(await Self.all(notices) == [])
  }

  @Test func `L2 a pulse can be a query that runs an effect for each assignment`() {
    var state = Screen()
    let runs = EffectLog()
    let executor = EagerExecutor()
    state.notice = "a"
    let system = FeedbackSystem<Screen, Event>(
      initialState: state,
      reduce: { state, event in
        if case .notice(let notice) = event { state.notice = notice } else { state.other += 1 }
      },
      feedbacks: [
        .react(to: { $0.notice == nil ? nil : $0.$notice }) { notice in
          runs.note(notice.wrappedValue ?? "")
          return nil
        }
      ],
      executor: executor)
    system.start()
    for event in [Event.notice("a"), .other, .notice(nil), .notice("b")] { system.send(event) }
    #expect(runs.all == ["a", "a", "b"])
  }
}
