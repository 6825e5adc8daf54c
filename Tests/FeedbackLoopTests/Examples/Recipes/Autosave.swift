import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A text that is saved two seconds after the last change, and again if that fails.
struct Autosave: Sendable, Equatable {
  struct Draft: Sendable, Equatable {
    let text: String
    /// Counts failures, so that another attempt is another query.
    let attempt: Int

    /// How long to wait before another attempt; at most a minute.
    var delay: Duration { .seconds(min(60, 10 * attempt)) }
  }

  var text = ""
  var saved = ""
  var attempt = 0
  var failure: String?

  /// The draft to save; nil if everything is saved.
  var draft: Draft? { text == saved ? nil : Draft(text: text, attempt: attempt) }

  enum Event: Sendable, Equatable { case typed(Character), saved(String), failed(String) }

  @Sendable static func reduce(_ document: inout Autosave, _ event: Event) {
    switch event {
    case .typed(let character):
      document.text.append(character)
      document.attempt = 0
    case .saved(let text):
      document.saved = text
      document.attempt = 0
      document.failure = nil
    case .failed(let message):
      document.attempt += 1
      document.failure = message
    }
  }

  /// Each attempt waits, so attempts that follow one another are no endless loop: they are progress.
  static func saving(
    _ clock: some Clock<Duration>, _ save: @escaping @Sendable (String) async throws -> Void
  ) -> Feedback<Autosave, Event> {
    .react(
      to: \.draft, debounce: .seconds(2), clock: clock, name: "save", progress: { _, _ in true },
      effect: { draft in
        try await clock.sleep(for: draft.delay)
        try await save(draft.text)
        return .saved(draft.text)
      },
      failure: { error, _ in .failed("\(error)") })
  }
}

@Suite struct AutosaveTests {
  private struct DiskFull: Error {}

  @Test func `A text is saved when nothing was typed for two seconds`() {
    let document = TestSystem(
      initialState: Autosave(), reduce: Autosave.reduce,
      feedbacks: {
        clock in
        [Autosave.saving(clock) { _ in }]
      }, exhaustivity: .off)
    // One second for each character; a star where something is not saved.
    let keys = "abc····d··"
    var unsaved = ""
    for key in keys {
      unsaved += document.state.draft == nil ? "·" : "*"
      if key != "·" { document.send(.typed(key)) }
      document.advance(by: .seconds(1))
    }
    #expect(unsaved == "·***····*·")
    #expect(document.state.saved == "abcd")
    document.finish()
  }

  @Test func `A text that could not be saved is saved later, and then nothing is left to do`() {
    let document = TestSystem(
      initialState: Autosave(), reduce: Autosave.reduce,
      feedbacks: {
        clock in
        [Autosave.saving(clock) { _ in if clock.now.offset < .seconds(60) { throw DiskFull() } }]
      }, exhaustivity: .off)
    document.send(.typed("a"))
    // Ten seconds for each character: the last attempt that failed.
    var attempts = ""
    for _ in 0..<10 {
      attempts += document.state.draft.map { "\($0.attempt)" } ?? "✓"
      document.advance(by: .seconds(10))
    }
    #expect(attempts == "0122333✓✓✓")
    #expect(document.state == Autosave(text: "a", saved: "a"))
    document.advance(by: .seconds(3_600))
    document.expectRunning([:])
    document.finish()
  }
}
