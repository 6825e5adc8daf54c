import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A ball goes back and forth between a human, who throws on request, and a machine, which throws back
/// after a second.
private enum PlayCatch {
  enum Ball: Sendable, Equatable { case withHuman, withMachine }
  enum Event: Sendable, Equatable { case thrownToMachine, thrownToHuman }

  @Sendable static func reduce(_ ball: inout Ball, _ event: Event) {
    switch event {
    case .thrownToMachine: ball = .withMachine
    case .thrownToHuman: ball = .withHuman
    }
  }

  /// A throw is a tick of a timer and therefore progress: the game may continue forever.
  static func player(
    _ name: String, _ ball: Ball, throws event: Event, _ clock: ManualClock
  ) -> Feedback<Ball, Event> {
    .whenBecomesTrue({ $0 == ball }, name: name, progress: { _, _ in true }) {
      try? await clock.sleep(for: .seconds(1))
      return event
    }
  }

  static func machine(_ clock: ManualClock) -> Feedback<Ball, Event> {
    player("machine", .withMachine, throws: .thrownToHuman, clock)
  }

  static func automaticHuman(_ clock: ManualClock) -> Feedback<Ball, Event> {
    player("human", .withHuman, throws: .thrownToMachine, clock)
  }
}

@Suite struct PlayCatchTests {
  @Test func `The machine throws back after one second`() {
    let game = TestSystem<PlayCatch.Ball, PlayCatch.Event>(
      initialState: .withHuman, reduce: PlayCatch.reduce,
      feedbacks: { clock in
        [PlayCatch.machine(clock)]
      })
    game.advance(by: .seconds(10))
    game.send(.thrownToMachine) { $0 = .withMachine }
    game.expectRunning(["machine": true])
    game.advance(by: .milliseconds(999))
    game.advance(by: .milliseconds(1))
    game.receive(.thrownToHuman) { $0 = .withHuman }
    game.finish()
  }

  @Test func `A ball that is taken away in time is not thrown`() {
    let game = TestSystem<PlayCatch.Ball, PlayCatch.Event>(
      initialState: .withMachine, reduce: PlayCatch.reduce,
      feedbacks: { clock in
        [PlayCatch.machine(clock)]
      })
    game.advance(by: .milliseconds(999))
    game.send(.thrownToHuman) { $0 = .withHuman }
    game.advance(by: .seconds(10))
    game.finish()
  }

  @Test func `F3 a game of two timers continues without end and without a trip`() {
    let game = TestSystem<PlayCatch.Ball, PlayCatch.Event>(
      initialState: .withHuman, reduce: PlayCatch.reduce,
      feedbacks: { clock in
        [PlayCatch.machine(clock), PlayCatch.automaticHuman(clock)]
      })
    for _ in 0..<200 {
      game.advance(by: .seconds(1))
      game.receive(.thrownToMachine) { $0 = .withMachine }
      game.advance(by: .seconds(1))
      game.receive(.thrownToHuman) { $0 = .withHuman }
    }
    game.skipEffects()
    game.finish()
  }
}
