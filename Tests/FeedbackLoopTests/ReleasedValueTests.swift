import FeedbackLoop
import Testing

/// Values that a reducer removes from the state, which are released while it runs.
@Suite struct ReleasedValueTests {
  private enum Event: Sendable { case remove, released, other }

  /// Sends when it is released.
  private final class Resource: Sendable {
    let system: DeferredReference<FeedbackSystem<Screen, Event>>

    init(_ system: DeferredReference<FeedbackSystem<Screen, Event>>) { self.system = system }

    deinit { system.value?.send(.released) }
  }

  private struct Screen: Sendable {
    var resource: Resource?
    var events: [Event] = []
  }

  private let reports = Log<Diagnostic>()

  private func makeSystem() -> FeedbackSystem<Screen, Event> {
    let reports = reports
    let late = DeferredReference<FeedbackSystem<Screen, Event>>()
    let system = FeedbackSystem<Screen, Event>(
      initialState: Screen(resource: Resource(late)),
      reduce: { screen, event in
        if case .remove = event { screen.resource = nil }
        screen.events.append(event)
      }, diagnostics: { reports.add($0) })
    late.value = system
    system.start()
    return system
  }

  @Test func `An event sent by a value that a reducer removes is processed after that event, and reported`() {
    let system = makeSystem()
    system.send(.remove)
    #expect(system.state.resource == nil)
    #expect(system.state.events == [.remove, .released])
    #expect(reports.all == [.sentByReducer])
    system.send(.other)
    #expect(system.state.events == [.remove, .released, .other])
    system.stop()
  }

  @Test func `A reducer that sends to its own system is reported, and that event comes next`() {
    let reports = reports
    let late = DeferredReference<FeedbackSystem<[Event], Event>>()
    let system = FeedbackSystem<[Event], Event>(
      initialState: [],
      reduce: { events, event in
        if case .remove = event { late.value?.send(.other) }
        events.append(event)
      }, diagnostics: { reports.add($0) })
    late.value = system
    system.start()
    system.send(.remove)
    #expect(system.state == [.remove, .other])
    #expect(reports.all == [.sentByReducer])
    system.stop()
  }

  @Test func `A value that sends when a reducer removes it does not stop other threads`() async {
    for _ in 0..<20 {
      let system = makeSystem()
      await withTaskGroup(of: Void.self) { group in
        for sender in 0..<4 {
          group.addTask {
            for _ in 0..<50 {
              system.send(sender == 0 ? .remove : .other)
              _ = system.state
            }
          }
        }
      }
      #expect(await system.wait(while: { $0.events.count < 201 }) == .settled)
      #expect(system.state.events.count { $0 == .released } == 1)
      system.stop()
    }
  }
}
