import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// The programs of the page about the library.
@Suite struct OverviewTests {
  @Test func `The counter`() {
    enum Event: Sendable { case increment, decrement }

    let counter = FeedbackSystem<Int, Event>(
      initialState: 0,
      reduce: { count, event in
        switch event {
        case .increment: count += 1
        case .decrement: count -= 1
        }
      })
    counter.start()
    counter.send(.increment)
    counter.send(.increment)
    counter.send(.decrement)
    #expect(counter.state == 1)
  }

  @Test func `A search begins 300 ms after the last key`() {
    let clock = ManualClock()
    let system = TestSystem(
      initialState: TextSearch(), reduce: TextSearch.reduce,
      feedbacks: [TextSearch.feedback(clock: clock, load: { [$0.uppercased()] })],
      clock: clock, report: TestFailure.record)
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

  @Test func `Typing on cancels the request for the text before`() {
    let clock = ManualClock()
    let system = TestSystem(
      initialState: TextSearch(), reduce: TextSearch.reduce,
      feedbacks: [TextSearch.feedback(clock: clock, load: { ["\($0)-nio"] })],
      clock: clock, exhaustivity: .off, report: TestFailure.record)
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
  var request: String?

  enum Event: Sendable, Equatable {
    case typed(String)
    case loaded([String])
    case failed(String)
  }

  @Sendable static func reduce(_ state: inout TextSearch, _ event: Event) {
    switch event {
    case .typed(let text):
      state.text = text
      state.request = text.isEmpty ? nil : text  // ← should happen
    case .loaded(let rows):
      state.rows = rows
      state.request = nil
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
