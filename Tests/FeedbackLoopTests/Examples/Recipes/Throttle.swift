import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A slider whose position is sent to a lamp: the first change at once, the latest one after each pause of a second.
struct Throttle: Sendable, Equatable {
  var position = 0
  var sent = 0
  var isPausing = false

  /// What should be sent now.
  var request: Int? { !isPausing && position != sent ? position : nil }

  enum Event: Sendable, Equatable { case moved(Int), sent(Int), pauseEnded }

  @Sendable static func reduce(_ slider: inout Throttle, _ event: Event) {
    switch event {
    case .moved(let position): slider.position = position
    case .sent(let position):
      slider.sent = position
      slider.isPausing = true
    case .pauseEnded: slider.isPausing = false
    }
  }

  static func sending(
    _ clock: some Clock<Duration>, _ send: @escaping @Sendable (Int) async -> Void
  ) -> [Feedback<Throttle, Event>] {
    [
      .react(to: \.request, name: "send") { position in
        await send(position)
        return .sent(position)
      },
      .whenBecomesTrue(\.isPausing, name: "pause") {
        try? await clock.sleep(for: .seconds(1))
        return .pauseEnded
      },
    ]
  }
}

@Suite struct ThrottleTests {
  @Test func `The first position is sent at once, and then the latest one each second`() {
    let clock = ManualClock()
    let slider = TestSystem(
      initialState: Throttle(), reduce: Throttle.reduce, feedbacks: Throttle.sending(clock) { _ in },
      clock: clock, exhaustivity: .off, report: TestFailure.record)
    // A quarter of a second for each character.
    let moves = "12345········6·7··"
    var sends = ""
    var last = 0
    for move in moves {
      if let position = move.wholeNumberValue { slider.send(.moved(position)) }
      let sent = slider.live.state.sent
      sends += sent == last ? "·" : "\(sent)"
      last = sent
      slider.advance(by: .milliseconds(250))
    }
    #expect(sends == "1···4···5····6···7")
    slider.skipEffects()
    slider.finish()
  }
}
