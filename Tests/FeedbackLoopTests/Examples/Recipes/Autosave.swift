import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A text that is saved two seconds after the last change.
struct Autosave: Sendable, Equatable {
  var text = ""
  var saved = ""
  var failure: String?

  /// What should be saved.
  var draft: String? { text == saved ? nil : text }

  enum Event: Sendable, Equatable { case typed(Character), saved(String), failed(String) }

  @Sendable static func reduce(_ document: inout Autosave, _ event: Event) {
    switch event {
    case .typed(let character):
      document.text.append(character)
      document.failure = nil
    case .saved(let text): document.saved = text
    case .failed(let message): document.failure = message
    }
  }

  static func saving(
    _ clock: some Clock<Duration>, _ save: @escaping @Sendable (String) async throws -> Void
  ) -> Feedback<Autosave, Event> {
    .react(
      to: \.draft, debounce: .seconds(2), clock: clock, name: "save",
      effect: { text in
        try await save(text)
        return .saved(text)
      },
      failure: { error, _ in .failed("\(error)") })
  }
}

@Suite struct AutosaveTests {
  @Test func `A text is saved when nothing was typed for two seconds`() {
    let clock = ManualClock()
    let document = TestSystem(
      initialState: Autosave(), reduce: Autosave.reduce,
      feedbacks: [Autosave.saving(clock) { _ in }],
      clock: clock, exhaustivity: .off, report: TestFailure.record)
    // One second for each character; a star where something is not saved.
    let keys = "abc····d··"
    var unsaved = ""
    for key in keys {
      unsaved += document.live.state.draft == nil ? "·" : "*"
      if key != "·" { document.send(.typed(key)) }
      document.advance(by: .seconds(1))
    }
    #expect(unsaved == "·***····*·")
    #expect(document.live.state.saved == "abcd")
    document.finish()
  }
}
