import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// The status of a build, polled every ten seconds while its screen is visible.
struct Poll: Sendable, Equatable {
  var isVisible = false
  var status = "?"
  var polls = 0

  enum Event: Sendable, Equatable { case appeared, disappeared, polled(String) }

  @Sendable static func reduce(_ poll: inout Poll, _ event: Event) {
    switch event {
    case .appeared: poll.isVisible = true
    case .disappeared: poll.isVisible = false
    case .polled(let status):
      poll.status = status
      poll.polls += 1
    }
  }

  /// One effect polls as long as it is wanted. A failure is a status and does not end the effect.
  static func polling(
    _ clock: some Clock<Duration>, _ status: @escaping @Sendable () async -> String
  ) -> Feedback<Poll, Event> {
    .whenBecomesTrue(\.isVisible, name: "poll") { emit in
      repeat { emit(.polled(await status())) } while (try? await clock.sleep(for: .seconds(10))) != nil
    }
  }
}

@Suite struct PollTests {
  @Test func `A poll begins at once when the screen appears, and ends when it disappears`() {
    let poll = TestSystem(
      initialState: Poll(), reduce: Poll.reduce,
      feedbacks: { clock in
        [Poll.polling(clock) { "build at \(clock.now.offset)" }]
      }, exhaustivity: .off)
    // Two seconds for each character: from [ to ] the screen is visible.
    let screen = "··[··········]···[···]··"
    var polls = ""
    var count = 0
    for change in screen {
      if change == "[" { poll.send(.appeared) }
      if change == "]" { poll.send(.disappeared) }
      let state = poll.state
      polls += state.polls == count ? "·" : "●"
      count = state.polls
      poll.advance(by: .seconds(2))
    }
    #expect(polls == "··●····●····●····●······")
    #expect(poll.state.status == "build at 34.0 seconds")
    poll.advance(by: .seconds(3_600))
    poll.expectRunning([:])
    poll.finish()
  }
}
