import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// The programs of the page about the library.
@Suite struct OverviewTests {
  @Test func `The search, as a program`() async throws {
    let service: @Sendable (String) async throws -> [String] = { ["\($0)-nio", "\($0)-log"] }
    let search = FeedbackSystem(
      initialState: TextSearch(), reduce: TextSearch.reduce,
      feedbacks: [TextSearch.feedback(load: service)])
    search.start()
    await search.send(.typed("swift"), while: \.isLoading)
    print(search.state.rows)  // ["swift-nio", "swift-log"]
    #expect(search.state == TextSearch(text: "swift", rows: ["swift-nio", "swift-log"]))
  }

  @Test func `A failure is shown until something is typed or loaded, and then no request is left`() {
    struct Offline: Error {}
    let system = TestSystem(
      initialState: TextSearch(), reduce: TextSearch.reduce,
      feedbacks: { clock in
        [
          TextSearch.feedback(clock: clock) { text in
            if clock.now.offset < .seconds(2) { throw Offline() }
            return [text]
          }
        ]
      }, exhaustivity: .off)
    var states: [String] = []
    for text in ["a", "ab", "abc", ""] {
      system.send(.typed(text))
      states.append(text + (system.state.isLoading ? "…" : ""))
      system.advance(by: .seconds(1))
      states.append("\(system.state.rows) \(system.state.failure ?? "-")")
    }
    #expect(
      states == ["a…", "[] Offline()", "ab…", "[] Offline()", "abc…", "[\"abc\"] -", "", "[] -"])
    system.advance(by: .seconds(3_600))
    system.expectRunning([:])
    system.finish()
  }

  @Test func `A search begins 300 ms after the last key`() {
    let system = TestSystem(
      initialState: TextSearch(), reduce: TextSearch.reduce,
      feedbacks: { clock in
        [TextSearch.feedback(clock: clock, load: { [$0.uppercased()] })]
      })
    system.send(.typed("s")) {
      $0.text = "s"
      $0.request = "s"
    }
    system.advance(by: .milliseconds(299))
    system.expectRunning(["search": "s"])
    system.advance(by: .milliseconds(1))
    system.receive(.loaded(["S"]), from: "search") {
      $0.rows = ["S"]
      $0.request = nil
    }
    system.finish()
  }

  @Test func `Typing another letter cancels the request for the previous text`() {
    let system = TestSystem(
      initialState: TextSearch(), reduce: TextSearch.reduce,
      feedbacks: {
        clock in
        [TextSearch.feedback(clock: clock, load: { ["\($0)-nio"] })]
      }, exhaustivity: .off)
    system.send(.typed("s"))
    system.advance(by: .milliseconds(299))
    system.send(.typed("swift"))
    system.advance(by: .milliseconds(300))
    system.receive(.loaded(["swift-nio"]), from: "search") { $0.rows = ["swift-nio"] }
    system.finish()
  }

  @Test func `A reducer is tested without a system`() {
    var search = TextSearch()
    TextSearch.reduce(&search, .typed("swift"))
    #expect(search.request == "swift")
  }
}

struct TextSearch: Sendable, Equatable {
  var text = ""
  var rows: [String] = []
  var failure: String?
  /// The text whose rows should be loaded now.
  var request: String?

  var isLoading: Bool { request != nil }

  enum Event: Sendable, Equatable {
    case typed(String)
    case loaded([String])
    case failed(String)
  }

  @Sendable static func reduce(_ state: inout TextSearch, _ event: Event) {
    switch event {
    case .typed(let text):
      state.text = text
      state.failure = nil
      state.request = text.isEmpty ? nil : text  // ← should happen
      if text.isEmpty { state.rows = [] }
    case .loaded(let rows):
      state.rows = rows
      state.request = nil  // ← answered, so it should not happen any more
    case .failed(let message):
      state.failure = message
      state.request = nil
    }
  }

  static func feedback(
    clock: any Clock<Duration> = ContinuousClock(),
    load: @escaping @Sendable (String) async throws -> [String]
  ) -> Feedback<TextSearch, Event> {
    .react(
      to: \.request, debounce: .milliseconds(300), clock: clock, name: "search",
      effect: { text in .loaded(try await load(text)) },
      failure: { error, _ in .failed("\(error)") })
  }
}
