import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A list with a mistake: if a page is empty, nothing changes, so the next moment requests it again.
struct EndlessList: Sendable, Equatable {
  var rows: [Int] = []
  var isLoading = false
  var problem: String?

  enum Event: Sendable, Equatable { case reachedEnd, loaded([Int]), stopped(String) }

  @Sendable static func reduce(_ list: inout EndlessList, _ event: Event) {
    switch event {
    case .reachedEnd: list.isLoading = true
    case .loaded(let rows):
      list.isLoading = false
      list.rows += rows
      list.problem = nil
    case .stopped(let problem): list.problem = problem
    }
  }

  static func feedbacks(_ load: @escaping @Sendable () async -> [Int]) -> [Feedback<EndlessList, Event>] {
    [
      .whenBecomesTrue({ !$0.isLoading && $0.rows.count < 10 }, name: "fill the screen") { .reachedEnd },
      .whenBecomesTrue(\.isLoading, name: "page") { .loaded(await load()) },
    ]
  }
}

/// An export loads all pages, each as a consequence of the one before.
struct Export: Sendable, Equatable {
  var rows = 0
  var page: Int? = 1

  /// The number of rows that were loaded.
  enum Event: Sendable, Equatable { case loaded(Int) }

  @Sendable static func reduce(_ export: inout Export, _ event: Event) {
    switch event {
    case .loaded(0): export.page = nil
    case .loaded(let rows):
      export.rows += rows
      export.page? += 1
    }
  }

  /// A page with rows is progress, so it does not count for the guard.
  static func pages(_ load: @escaping @Sendable (Int) async -> Int) -> Feedback<Export, Event> {
    .react(to: \.page, name: "page", progress: { event, _ in event != .loaded(0) }) {
      .loaded(await load($0))
    }
  }
}

@Suite struct GuardTuningTests {
  @Test func `A loop that repeats itself is stopped, shown, and can be tried again`() {
    let clock = ManualClock()
    let list = TestSystem(
      initialState: EndlessList(), reduce: EndlessList.reduce,
      feedbacks: EndlessList.feedbacks { clock.now.offset < .seconds(1) ? [] : Array(1...10) },
      onTrip: { trip in .stopped("\(trip)") }, clock: clock, exhaustivity: .off, report: TestFailure.record)
    #expect(
      list.live.state.problem == """
        feedback "fill the screen" was stopped at depth 64, query true: \
        the same query was answered 32 times without progress
        """)
    list.advance(by: .seconds(1))
    list.live.retryRefused()
    list.advance(by: .zero)
    #expect(list.live.state == EndlessList(rows: Array(1...10)))
    list.finish()
  }

  @Test func `Progress does not count for a limit of depth`() {
    let export = TestSystem(
      initialState: Export(), reduce: Export.reduce, feedbacks: [Export.pages { $0 > 1_000 ? 0 : 50 }],
      guard: LoopGuard(maximumDepth: 8), exhaustivity: .off, report: TestFailure.record)
    #expect(export.live.state == Export(rows: 50_000, page: nil))
    export.finish()
  }

  @Test func `A rate delays requests and loses none`() {
    let clock = ManualClock()
    let export = TestSystem(
      initialState: Export(), reduce: Export.reduce,
      feedbacks: [.react(to: \.page, name: "page") { page in .loaded(page > 6 ? 0 : 1) }],
      guard: LoopGuard(startRate: LoopGuard.StartRate(perSecond: 1, burst: 2)), clock: clock,
      exhaustivity: .off, report: TestFailure.record)
    // The page that is requested, second by second. The first page is not the consequence of another.
    var pages: [Int?] = []
    for _ in 0..<6 {
      pages.append(export.live.state.page)
      export.advance(by: .seconds(1))
    }
    #expect(pages == [4, 5, 6, 7, nil, nil])
    export.finish()
  }
}
