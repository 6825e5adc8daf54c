import FeedbackLoop
import FeedbackLoopTesting
import Locking

/// A debounced search, the system that the harness tests run.
struct Search: Sendable, Equatable {
  var text = ""
  var rows: [String] = []
  var isLoading = false

  enum Event: Sendable, Equatable {
    case typed(String)
    case loaded([String], for: String)
    case cleared
    case touched
  }

  @Sendable static func reduce(_ state: inout Search, _ event: Event) {
    switch event {
    case .typed(let text):
      state.text = text
      state.isLoading = !text.isEmpty
    case .loaded(let rows, let text) where text == state.text:
      state.rows = rows
      state.isLoading = false
    case .loaded: break
    case .cleared: state = Search()
    case .touched: break
    }
  }

  /// Answers every text in upper case, 100 ms after a debounce of 300 ms.
  static func feedback(_ clock: ManualClock) -> Feedback<Search, Event> {
    .react(
      to: { $0.isLoading ? $0.text : nil }, debounce: .milliseconds(300), clock: clock, name: "search"
    ) { text in
      try? await clock.sleep(for: .milliseconds(100))
      return .loaded([text.uppercased()], for: text)
    }
  }
}

/// Collects the failures that a harness reports, by message.
final class Report: Sendable {
  private let failures = Lock<[TestFailure]>([])

  var all: [TestFailure] { failures.withLock { $0 } }
  var messages: [String] { all.map(\.message) }

  func callAsFunction(_ failure: TestFailure) {
    failures.withLock { $0.append(failure) }
  }
}

/// A search under test whose failures are collected in `report`.
struct SearchTest {
  let report = Report()
  let system: TestSystem<Search, Search.Event>

  init(
    _ initialState: Search = Search(), exhaustivity: Exhaustivity = .on,
    _ feedbacks: (ManualClock) -> [Feedback<Search, Search.Event>] = { [Search.feedback($0)] }
  ) {
    let clock = ManualClock()
    system = TestSystem(
      initialState: initialState, reduce: Search.reduce, feedbacks: feedbacks(clock), clock: clock,
      exhaustivity: exhaustivity, report: { [report] in report($0) })
  }
}
