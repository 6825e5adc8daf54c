import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// Messages from a line that is opened again when it drops, after 1, 2, 4, … and at most 60 seconds.
struct Reconnect: Sendable, Equatable {
  struct Line: Sendable, Equatable {
    /// Counts drops: without it, the line after a drop would be an equal query, which starts nothing.
    let number: Int
    let delay: Duration
  }

  var isWanted = false
  var isOpen = false
  var drops = 0
  /// The drops since the line was last open.
  var failures = 0
  var messages: [String] = []

  /// The line that should be open.
  var line: Line? {
    isWanted
      ? Line(number: drops, delay: .seconds(failures == 0 ? 0 : min(60, 1 << min(failures - 1, 6)))) : nil
  }

  enum Event: Sendable, Equatable { case appeared, disappeared, opened, received(String), dropped }

  @Sendable static func reduce(_ chat: inout Reconnect, _ event: Event) {
    switch event {
    case .appeared: chat.isWanted = true
    case .disappeared: (chat.isWanted, chat.isOpen) = (false, false)
    case .opened: chat.isOpen = true
    case .received(let message): chat.messages.append(message)
    case .dropped:
      chat.failures = chat.isOpen ? 1 : chat.failures + 1
      chat.isOpen = false
      chat.drops += 1
    }
  }

  /// Each line waits before it opens, so lines that follow one another are no endless loop: they are progress.
  static func line(
    _ clock: some Clock<Duration>,
    open: @escaping @Sendable () async throws -> AsyncThrowingStream<String, any Error>
  ) -> Feedback<Reconnect, Event> {
    .react(
      to: \.line, name: "line", progress: { _, _ in true },
      effect: { line, emit in
        try await clock.sleep(for: line.delay)
        let messages = try await open()
        emit(.opened)
        for try await message in messages { emit(.received(message)) }
        emit(.dropped)
      },
      failure: { _, _ in .dropped })
  }
}

@Suite struct ReconnectTests {
  private struct Offline: Error {}

  @Test func `A line that drops is opened again, as long as it is wanted`() {
    // The service is there from second 3 to 8 and from second 14 on. An open line drops after 5 seconds.
    let chat = TestSystem(
      initialState: Reconnect(), reduce: Reconnect.reduce,
      feedbacks: { clock in
        [
          Reconnect.line(clock) {
            let now = clock.now.offset
            guard (.seconds(3)..<(.seconds(8))).contains(now) || now >= .seconds(14) else { throw Offline() }
            return AsyncThrowingStream {
              try await clock.sleep(for: .seconds(1))
              if clock.now.offset - now >= .seconds(5) { throw Offline() }
              return "\(clock.now.offset)"
            }
          }
        ]
      }, exhaustivity: .off)
    chat.send(.appeared)
    // One second for each character: the line is open, or it is not, after how many drops.
    var line = ""
    for _ in 0..<28 {
      line += chat.state.isOpen ? "█" : "\(chat.state.drops)"
      chat.advance(by: .seconds(1))
    }
    #expect(line == "122█████3445555█████6█████7█")
    #expect(chat.state.messages.count == 13)
    chat.send(.disappeared)
    chat.advance(by: .seconds(3_600))
    chat.expectRunning([:])
    chat.finish()
  }
}
