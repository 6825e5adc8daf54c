import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A list that loads the next page when the user reaches its end.
struct PagedList: Sendable, Equatable {
  enum Phase: Sendable, Equatable { case loading, ready, failed(String), end }

  var rows: [String] = []
  var page = 1
  var phase = Phase.loading

  /// The page that should be loaded now.
  var request: Int? { phase == .loading ? page : nil }

  enum Event: Sendable, Equatable { case reachedEnd, retried, loaded([String]), failed(String) }

  @Sendable static func reduce(_ list: inout PagedList, _ event: Event) {
    switch (event, list.phase) {
    case (.reachedEnd, .ready), (.retried, .failed): list.phase = .loading
    case (.reachedEnd, _), (.retried, _): break
    case (.loaded(let rows), _):
      list.rows += rows
      list.page += 1
      // An empty page is the end. Without this, an empty page would request the next one, endlessly.
      list.phase = rows.isEmpty ? .end : .ready
    case (.failed(let message), _): list.phase = .failed(message)
    }
  }

  static func pages(_ load: @escaping @Sendable (Int) async throws -> [String]) -> Feedback<PagedList, Event>
  {
    .react(
      to: \.request, name: "page",
      effect: { page in .loaded(try await load(page)) },
      failure: { error, _ in .failed("\(error)") })
  }

  var screen: String {
    switch phase {
    case .loading: rows.joined(separator: " ") + " …"
    case .ready: rows.joined(separator: " ")
    case .failed(let message): rows.joined(separator: " ") + " [\(message). Retry?]"
    case .end: rows.joined(separator: " ") + " ■"
    }
  }
}

@Suite struct PagedListTests {
  private struct Offline: Error, CustomStringConvertible { let description = "Offline" }

  @Test func `A list loads a page when its end is reached, and can retry a page that failed`() {
    let list = TestSystem(
      initialState: PagedList(), reduce: PagedList.reduce,
      feedbacks: { clock in
        [
          PagedList.pages { page in
            try await clock.sleep(for: .seconds(1))
            if page == 2, clock.now.offset < .seconds(3) { throw Offline() }
            return [1: ["ape", "bee"], 2: ["cat"]][page] ?? []
          }
        ]
      }, exhaustivity: .off)
    var screens = [list.state.screen]
    for event in [nil, PagedList.Event.reachedEnd, .retried, .reachedEnd] {
      if let event {
        list.send(event)
        screens.append(list.state.screen)
      }
      list.advance(by: .seconds(1))
      screens.append(list.state.screen)
    }
    #expect(
      screens.joined(separator: "\n") == """
         …
        ape bee
        ape bee …
        ape bee [Offline. Retry?]
        ape bee …
        ape bee cat
        ape bee cat …
        ape bee cat ■
        """)
    list.send(.reachedEnd)
    list.advance(by: .seconds(3_600))
    list.expectRunning([:])
    list.finish()
  }
}
