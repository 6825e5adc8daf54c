import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A list of packages with a title, which keys control.
private struct Packages: Sendable, Equatable {
  var title = ""
  var rows: [String] = []
  var request: String?
  var isRefreshing = false
  var image: String?

  enum Event: Sendable, Equatable {
    case key(Character)
    case opened(String)
    case loaded([String])
    case refresh
    case refreshed([String])
    case decoded(String)

    var isKey: Bool {
      if case .key = self { true } else { false }
    }
  }

  @Sendable static func reduce(_ packages: inout Packages, _ event: Event) {
    switch event {
    case .key: break
    case .opened(let title):
      packages.title = title
      packages.request = title
    case .loaded(let rows):
      packages.rows = rows
      packages.request = nil
    case .refresh: packages.isRefreshing = true
    case .refreshed(let rows):
      packages.rows = rows
      packages.isRefreshing = false
    case .decoded(let image): packages.image = image
    }
  }

  static func test(_ rows: [String] = []) -> TestSystem<Packages, Event> {
    TestSystem(
      initialState: Packages(), reduce: reduce,
      feedbacks: { clock in
        [
          .react(to: \.request, name: "search") { text in .loaded(["\(text)-nio"]) },
          .whenBecomesTrue(\.isRefreshing, name: "refresh") {
            try? await clock.sleep(for: .seconds(1))
            return .refreshed(rows)
          },
          .whenBecomesTrue({ $0.rows == ["picture"] && $0.image == nil }, name: "decoder") {
            .decoded(await Task.detached { "image" }.value)
          },
        ]
      })
  }
}

/// A function of the program that is under test.
private struct Screen: Sendable {
  func refresh(_ system: FeedbackSystem<Packages, Packages.Event>) async -> Outcome {
    await system.send(.refresh, while: \.isRefreshing)
  }
}

/// The programs of the page about FeedbackLoopTesting.
@Suite struct PageExampleTests {
  @Test func `A clock and an executor are used without a system`() async throws {
    let executor = ManualExecutor()
    let clock = ManualClock()
    let task = Task(executorPreference: executor) {
      try await clock.sleep(for: .seconds(60))
      return "awake"
    }
    clock.advance(by: .seconds(60), running: executor)
    #expect(try await task.value == "awake")
  }

  @Test func `Events have an origin, and observers receive values`() {
    let system = Packages.test()
    let titles = system.select(\.title, .every)
    system.send(.opened("swift")) {
      $0.title = "swift"
      $0.request = "swift"
    }
    #expect(titles.received() == ["", "swift"])
    system.live.send(.key("x"))
    system.receive(.loaded(["swift-nio"]), from: "search") {
      $0.rows = ["swift-nio"]
      $0.request = nil
    }
    system.receive(where: { $0.isKey }, from: .outside)
    system.finish()
  }

  @Test func `A test waits as the program does`() async {
    let rows = ["swift-nio"]
    let system = Packages.test(rows)
    let outcome = await system.send(.refresh, while: \.isRefreshing, advancing: .seconds(1)) {
      $0.isRefreshing = true
    }
    #expect(outcome == .settled)
    system.receive(.refreshed(rows), from: "refresh") {
      $0.rows = rows
      $0.isRefreshing = false
    }
    system.finish()
  }

  @Test func `A function that waits runs on the executor of the test`() async {
    let (system, screen) = (Packages.test(["swift-nio"]), Screen())
    let refresh = Task(executorPreference: system.executor) { [live = system.live] in
      await screen.refresh(live)
    }
    system.advance(by: .seconds(1))
    #expect(await refresh.value == .settled)
    system.receive(.refresh, from: .outside) { $0.isRefreshing = true }
    system.receive(.refreshed(["swift-nio"]), from: "refresh") {
      $0.rows = ["swift-nio"]
      $0.isRefreshing = false
    }
    system.finish()
  }

  @Test func `An event of another thread is waited for`() async {
    let (system, image) = (Packages.test(), "image")
    system.send(.loaded(["picture"])) { $0.rows = ["picture"] }
    await system.receive(.decoded(image), from: "decoder", within: .seconds(10)) { $0.image = image }
    system.finish()
  }
}
