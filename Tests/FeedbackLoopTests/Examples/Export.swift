import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// An export loads all pages, each as a consequence of the one before.
struct Export: Sendable, Equatable {
  var rows = 0
  var page: Int? = 1
  var problem: String?

  enum Event: Sendable, Equatable { case loaded(rows: Int, isLast: Bool), stopped(String) }

  @Sendable static func reduce(_ export: inout Export, _ event: Event) {
    switch event {
    case .loaded(let rows, let isLast):
      export.rows += rows
      export.page = isLast ? nil : export.page.map { $0 + 1 }
    case .stopped(let problem):
      export.page = nil
      export.problem = problem
    }
  }

  /// A page with rows is progress, an empty one is not.
  static func pages(_ load: @escaping @Sendable (Int) async -> Event) -> Feedback<Export, Event> {
    .react(to: \.page, name: "page", progress: { event, _ in event != .loaded(rows: 0, isLast: false) }) {
      await load($0)
    }
  }

  static func system(_ load: @escaping @Sendable (Int) async -> Event) -> FeedbackSystem<Export, Event> {
    FeedbackSystem(
      initialState: Export(), reduce: reduce, feedbacks: [pages(load)],
      guard: LoopGuard(maximumDepth: 8, startRate: LoopGuard.StartRate(perSecond: 1_000, burst: 100)),
      onTrip: { trip in .stopped("\(trip)") })
  }
}

@Suite struct ExportTests {
  @Test func `Pages with rows are loaded to the last one, however many there are`() async {
    let export = Export.system { page in .loaded(rows: 50, isLast: page == 1_000) }
    export.start()
    #expect(await export.wait(while: { $0.page != nil }) == .settled)
    #expect(export.state == Export(rows: 50_000, page: nil))
  }

  @Test func `Endless empty pages are stopped and reported`() async {
    let export = Export.system { page in .loaded(rows: page < 3 ? 50 : 0, isLast: false) }
    export.start()
    #expect(await export.wait(while: { $0.page != nil }) == .settled)
    #expect(export.state.rows == 100)
    #expect(
      export.state.problem
        == "feedback \"page\" was stopped at depth 8, query 11: 8 effects caused one another without progress"
    )
  }

  @Test func `A rate delays pages and loses none`() {
    let export = TestSystem(
      initialState: Export(), reduce: Export.reduce,
      feedbacks: { _ in
        [.react(to: \.page, name: "page") { page in .loaded(rows: 1, isLast: page > 6) }]
      }, guard: LoopGuard(startRate: LoopGuard.StartRate(perSecond: 1, burst: 2)), exhaustivity: .off)
    // The page that is requested, second by second. The first page is not the consequence of another.
    var pages: [Int?] = []
    for _ in 0..<6 {
      pages.append(export.state.page)
      export.advance(by: .seconds(1))
    }
    #expect(pages == [4, 5, 6, 7, nil, nil])
    export.finish()
  }
}
