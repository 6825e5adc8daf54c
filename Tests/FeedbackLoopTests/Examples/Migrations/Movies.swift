import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

struct Movies: Sendable, Equatable {
  enum Status: Sendable, Equatable { case loading, loaded, failed(String) }

  var titles: [String] = []
  var page = 0
  var status = Status.loading

  var nextPage: Int? { status == .loading ? page + 1 : nil }

  enum Event: Sendable, Equatable {
    case nearBottom
    case loaded([String])
    case failed(String)
  }

  @Sendable static func reduce(_ state: inout Movies, _ event: Event) {
    switch event {
    case .nearBottom: state.status = .loading
    case .loaded(let titles):
      state.titles += titles
      state.page += 1
      state.status = .loaded
    case .failed(let message): state.status = .failed(message)
    }
  }

  static func paging(
    _ load: @escaping @Sendable (Int) async throws -> [String]
  ) -> Feedback<Movies, Event> {
    .react(
      to: \.nextPage, name: "page",
      effect: { page in .loaded(try await load(page)) },
      failure: { error, _ in .failed("\(error)") })
  }
}

@Suite struct MoviesTests {
  @Test func `The next page is loaded near the bottom`() {
    let movies = TestSystem(
      initialState: Movies(), reduce: Movies.reduce,
      feedbacks: [Movies.paging { page in ["movie \(page)"] }], report: TestFailure.record)
    movies.receive(.loaded(["movie 1"]), from: "page") {
      $0 = Movies(titles: ["movie 1"], page: 1, status: .loaded)
    }
    movies.send(.nearBottom) { $0.status = .loading }
    movies.receive(.loaded(["movie 2"]), from: "page") {
      $0 = Movies(titles: ["movie 1", "movie 2"], page: 2, status: .loaded)
    }
    movies.finish()
  }
}
