import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

struct Repositories: Sendable, Equatable {
  var user = ""
  var names: [String] = []
  var request: String?

  var isLoading: Bool { request != nil }

  enum Event: Sendable, Equatable {
    case opened(user: String)
    case loaded([String])
  }

  @Sendable static func reduce(_ state: inout Repositories, _ event: Event) {
    switch event {
    case .opened(let user):
      state.user = user
      state.request = user
    case .loaded(let names):
      state.names = names
      state.request = nil
    }
  }

  static func loading(
    _ load: @escaping @Sendable (String) async -> [String]
  ) -> Feedback<Repositories, Event> {
    .react(to: \.request, name: "repositories") { user in .loaded(await load(user)) }
  }
}

@Suite struct RepositoriesTests {
  @Test func `A screen gets the names when they change`() {
    let store = TestSystem(
      initialState: Repositories(), reduce: Repositories.reduce,
      feedbacks: [Repositories.loading { user in ["\(user)/riffle"] }], report: TestFailure.record)
    let names = store.select(\.names, .every)
    store.send(.opened(user: "ann")) {
      $0.user = "ann"
      $0.request = "ann"
    }
    store.receive(.loaded(["ann/riffle"]), from: "repositories") {
      $0.names = ["ann/riffle"]
      $0.request = nil
    }
    #expect(names.received() == [[], ["ann/riffle"]])
    store.finish()
  }
}
