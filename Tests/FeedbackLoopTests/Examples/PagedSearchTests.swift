import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

@Suite struct PagedSearchTests {
  private typealias Request = PagedSearch.Request
  private typealias System = TestSystem<PagedSearch, PagedSearch.Event>

  private let requests = Log<PagedSearch.Request>()

  /// Answers 100 ms after a request, with three pages of two rows. Each page begins with the last row of
  /// the previous one.
  private static let threePages: @Sendable (PagedSearch.Request) -> PagedSearch.Page = { request in
    PagedSearch.Page(rows: [request.page, request.page + 1], isLast: request.page == 3)
  }

  private func system(
    _ answer: @escaping @Sendable (PagedSearch.Request) throws(PagedSearch.Failure) -> PagedSearch.Page =
      threePages
  ) -> TestSystem<PagedSearch, PagedSearch.Event> {
    let requests = requests
    return TestSystem(
      initialState: PagedSearch(), reduce: PagedSearch.reduce,
      feedbacks: { clock in
        [
          PagedSearch.pages(clock: clock) { request throws(PagedSearch.Failure) in
            requests.add(request)
            try? await clock.sleep(for: .milliseconds(100))
            return try answer(request)
          }
        ]
      }, onTrip: { _ in .tripped }, exhaustivity: .off)
  }

  /// Sends an event and lets one second pass.
  private func step(_ system: TestSystem<PagedSearch, PagedSearch.Event>, _ event: PagedSearch.Event) {
    system.send(event)
    system.advance(by: .seconds(1))
    system.skipReceived()
  }

  @Test func `A new text clears the list and loads page 1, and near the end the next page is appended`() {
    let system = system()
    step(system, .typed("swift"))
    #expect(system.state.rows == [1, 2])
    step(system, .scrolledNearEnd)
    #expect(system.state.rows == [1, 2, 3])
    system.send(.typed("c"))
    #expect(system.state.rows == [])
    system.finish()
  }

  @Test func `B1 only an empty first page means that there are no results`() {
    let system = system { _ in PagedSearch.Page(rows: []) }
    #expect(!system.state.hasNoResults)
    system.send(.typed("x"))
    #expect(!system.state.hasNoResults)
    system.advance(by: .seconds(1))
    system.skipReceived()
    #expect(system.state.hasNoResults)
    system.finish()
  }

  @Test func `B2 B15 R1 typing while a page loads never shows rows of the old text and requests page 1`() {
    let system = system()
    step(system, .typed("swift"))
    system.send(.scrolledNearEnd)
    system.advance(by: .milliseconds(50))
    step(system, .typed("c++"))
    #expect(requests.all.map(\.page) == [1, 2, 1])
    #expect(requests.all.map(\.text) == ["swift", "swift", "c++"])
    #expect(system.state.rows == [1, 2])
    system.finish()
  }

  @Test func `B3 empty pages do not cause endless requests`() {
    let system = system { _ in PagedSearch.Page(rows: []) }
    step(system, .typed("x"))
    for _ in 0..<10 { step(system, .scrolledNearEnd) }
    #expect(requests.all.count == 1)
    system.finish()
  }

  @Test func `B3 a trigger that is true in every state is stopped by a guard with a limit of depth`() {
    // The bug itself: the end of an empty list is always near, so every state requests the next page.
    let loads = Log<Int>()
    let trips = Log<LoopGuard.Trip>()
    let executor = ManualExecutor()
    let system = FeedbackSystem<Int, Int>(
      initialState: 1, reduce: { page, answered in page = answered + 1 },
      feedbacks: [
        .react(to: { Optional($0) }, name: "page") { page in
          loads.add(page)
          return page
        }
      ],
      guard: LoopGuard(maximumDepth: 64),
      onTrip: {
        trips.add($0)
        return nil
      },
      executor: executor)
    system.start()
    executor.runUntilIdle()
    #expect(loads.all.count <= 64)
    #expect(trips.all.map(\.feedback) == ["page"])
  }

  @Test func `B4 R2 the last page ends the list, and an error does not`() {
    let system = system { request throws(PagedSearch.Failure) in
      if request.page == 2, request.attempt == 1 { throw PagedSearch.Failure(message: "offline") }
      return Self.threePages(request)
    }
    step(system, .typed("swift"))
    step(system, .scrolledNearEnd)
    #expect(system.state.phase == .failed(.more, "offline"))
    #expect(system.state.rows == [1, 2])
    step(system, .retried)
    step(system, .scrolledNearEnd)
    #expect(system.state.phase == .end)
    step(system, .scrolledNearEnd)
    #expect(requests.all.map(\.page) == [1, 2, 2, 3])
    system.finish()
  }

  @Test func `B5 canceling a refresh clears its indicator, keeps the rows and loads nothing by itself`() {
    let system = system()
    step(system, .typed("swift"))
    system.send(.refreshed)
    #expect(system.state.isRefreshing)
    system.send(.cancelled)
    #expect(!system.state.isRefreshing && !system.state.isLoading)
    step(system, .scrolledNearEnd)
    #expect(system.state.rows == [1, 2])
    #expect(requests.all.count == 1)
    system.finish()
  }

  @Test
  func `B6 B7 B8 an error keeps its message, a retry clears it, and the retry is another attempt`() {
    let system = system { _ throws(PagedSearch.Failure) in throw PagedSearch.Failure(message: "status 422") }
    step(system, .typed("swift"))
    #expect(system.state.phase == .failed(.first, "status 422"))
    step(system, .scrolledNearEnd)
    #expect(requests.all.map(\.attempt) == [1])
    system.send(.retried)
    #expect(system.state.phase == .loading(.first))
    system.advance(by: .seconds(1))
    system.skipReceived()
    #expect(system.state.phase == .failed(.first, "status 422"))
    #expect(requests.all.map(\.attempt) == [1, 2])
    system.finish()
  }

  @Test func `B9 an empty text shows nothing and requests nothing`() {
    let system = system()
    step(system, .typed("s"))
    step(system, .typed(""))
    for event in [PagedSearch.Event.scrolledNearEnd, .refreshed, .retried] { step(system, event) }
    #expect(system.state.rows == [])
    #expect(!system.state.hasNoResults)
    #expect(requests.all.count == 1)
    system.finish()
  }

  @Test func `B12 a text is requested 300 ms after its last key`() {
    let system = system()
    for text in ["s", "sw", "swi", "swif", "swift"] {
      system.send(.typed(text))
      system.advance(by: .milliseconds(200))
    }
    #expect(requests.all == [])
    system.advance(by: .milliseconds(100))
    #expect(requests.all.map(\.text) == ["swift"])
    system.skipEffects()
    system.finish()
  }

  @Test func `B13 R10 a row that arrives twice is shown once`() {
    let system = system()
    step(system, .typed("swift"))
    for _ in 0..<3 { step(system, .scrolledNearEnd) }
    #expect(system.state.rows == [1, 2, 3, 4])
    system.finish()
  }

  @Test func `No page loads while another one does`() {
    let system = system()
    step(system, .typed("swift"))
    for _ in 0..<5 { system.send(.scrolledNearEnd) }
    system.expectRunning(["page": Request(text: "swift", page: 2, generation: 1, attempt: 1)])
    system.advance(by: .seconds(1))
    #expect(requests.all.map(\.page) == [1, 2])
    system.finish()
  }

  /// For any user events and any timing of the answers, no row is lost or doubled, no request is made that
  /// the user did not cause, and loading always ends.
  @Test(arguments: 0..<200)
  func `With user events and answers in any order, rows and requests are correct`(seed: UInt64) {
    var random = SplitMix(state: seed)
    let system = system { request throws(PagedSearch.Failure) in
      guard (request.page + request.generation + request.attempt) % 4 > 0 else {
        throw PagedSearch.Failure(message: "failure")
      }
      return Self.threePages(request)
    }
    let count = 40
    for _ in 0..<count {
      let events: [PagedSearch.Event] = [
        .typed("a"), .typed("b"), .typed(""), .scrolledNearEnd, .scrolledNearEnd, .retried, .refreshed,
        .cancelled,
      ]
      system.send(events[Int(random.next() % UInt64(events.count))])
      system.advance(by: .milliseconds(Int(random.next() % 400)))
      system.skipReceived()
      let rows = system.state.rows
      #expect(rows == Array(1...max(1, rows.count)).prefix(rows.count).map { $0 })
    }
    #expect(requests.all.count <= count)
    system.advance(by: .seconds(1))
    system.skipReceived()
    #expect(!system.state.isLoading)
    system.expectRunning([:])
    system.finish()
  }
}

/// A generator of pseudo-random numbers with a seed (SplitMix64).
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
