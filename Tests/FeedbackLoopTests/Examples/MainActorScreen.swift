import FeedbackLoop
import Observation
import Testing

/// A number that a background thread and a screen change.
struct Ticket: Sendable, Equatable {
  var number = 0
  var isPrinting = false

  enum Event: Sendable, Equatable { case drawn, printed }

  @Sendable static func reduce(_ ticket: inout Ticket, _ event: Event) {
    switch event {
    case .drawn:
      ticket.number += 1
      ticket.isPrinting = true
    case .printed: ticket.isPrinting = false
    }
  }
}

/// A screen without a framework: it draws what it has observed.
@MainActor
final class TicketScreen {
  let store: FeedbackStore<Ticket, Ticket.Event>
  private(set) var drawn: [String] = []

  init(_ system: FeedbackSystem<Ticket, Ticket.Event>) {
    store = FeedbackStore(system)
    draw()
  }

  func draw() {
    withObservationTracking {
      drawn.append("\(store.state.number)\(store.state.isPrinting ? " printing" : "")")
    } onChange: {
      Task { @MainActor in self.draw() }
    }
  }

  /// When `send` returns, `state` is the result.
  func pressed() -> Int {
    store.send(.drawn)
    return store.state.number
  }
}

@MainActor @Suite struct MainActorScreenTests {
  @Test(.timeLimit(.minutes(5))) func `A screen shows what it sent and what happens elsewhere`() async {
    let system = FeedbackSystem(
      initialState: Ticket(), reduce: Ticket.reduce,
      feedbacks: [.whenBecomesTrue(\.isPrinting, name: "printer") { .printed }])
    system.start()
    let screen = TicketScreen(system)
    #expect(screen.pressed() == 1)
    while screen.drawn.last != "1", !Task.isCancelled { await Task.yield() }
    #expect(screen.drawn.first == "0" && screen.drawn.last == "1")
    system.stop()
  }
}
