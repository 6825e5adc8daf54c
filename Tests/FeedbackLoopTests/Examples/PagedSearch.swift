import FeedbackLoop
import FeedbackLoopTesting

/// A search as you type that loads the next page near the end of its list.
///
/// The phase describes everything in progress. What is requested, and whether anything is loading, follow
/// from it.
struct PagedSearch: Sendable, Equatable {
  enum Load: Sendable, Hashable { case first, more, refresh }

  enum Phase: Sendable, Equatable {
    case idle
    case loading(Load)
    case failed(Load, String)
    /// The user canceled: nothing loads until it is requested.
    case stopped(Load)
    /// The server has no more pages.
    case end
  }

  struct Request: Sendable, Hashable {
    let text: String
    let page: Int
    /// Incremented by each new text and each refresh.
    let generation: Int
    /// Incremented by each retry.
    let attempt: Int
  }

  struct Page: Sendable, Equatable {
    var rows: [Int]
    var isLast = false
  }

  private(set) var text = ""
  private(set) var rows: [Int] = []
  private(set) var phase = Phase.idle
  private(set) var isGrowing = false
  private var nextPage = 1
  private var generation = 0
  private var attempt = 1

  var request: Request? {
    guard case .loading(let load) = phase else { return nil }
    return Request(text: text, page: load == .more ? nextPage : 1, generation: generation, attempt: attempt)
  }

  var isLoading: Bool { request != nil }
  var isRefreshing: Bool { phase == .loading(.refresh) }
  var hasNoResults: Bool { phase == .end && rows.isEmpty }

  enum Event: Sendable, Equatable {
    case typed(String)
    case scrolledNearEnd
    case retried
    case refreshed
    case cancelled
    case loaded(Page, for: Request)
    case failed(String, for: Request)
    case tripped
  }
}

extension PagedSearch {
  @Sendable static func reduce(_ state: inout PagedSearch, _ event: Event) {
    switch event {
    case .typed(let text): state.search(text)
    case .scrolledNearEnd: if state.phase == .idle, !state.text.isEmpty { state.begin(.more) }
    case .retried: state.retry()
    case .refreshed: if !state.text.isEmpty { state.begin(.refresh) }
    case .cancelled, .tripped: if case .loading(let load) = state.phase { state.phase = .stopped(load) }
    case .loaded(let page, let request): if request == state.request { state.take(page) }
    case .failed(let message, let request):
      if request == state.request, case .loading(let load) = state.phase {
        state.phase = .failed(load, message)
      }
    }
  }

  private mutating func search(_ text: String) {
    guard text != self.text else { return }
    self.text = text
    rows = []
    nextPage = 1
    phase = .idle
    if text.isEmpty { generation += 1 } else { begin(.first) }
  }

  private mutating func begin(_ load: Load) {
    if load != .more { generation += 1 }
    attempt = 1
    phase = .loading(load)
  }

  private mutating func retry() {
    switch phase {
    case .failed(let load, _), .stopped(let load):
      attempt += 1
      phase = .loading(load)
    case .idle, .loading, .end: break
    }
  }

  private mutating func take(_ page: Page) {
    if phase != .loading(.more) {
      rows = []
      nextPage = 1
    }
    let known = Set(rows)
    let new = page.rows.filter { !known.contains($0) }
    rows += new
    isGrowing = !new.isEmpty
    nextPage += 1
    phase = page.isLast || page.rows.isEmpty ? .end : .idle
  }
}

extension PagedSearch {
  struct Failure: Error {
    let message: String
  }

  /// Loads the requested page, the first one after a debounce of 300 ms.
  static func pages(
    clock: ManualClock, _ load: @escaping @Sendable (Request) async throws(Failure) -> Page
  ) -> Feedback<PagedSearch, Event> {
    .react(
      to: \.request, name: "page", progress: { _, state in state.isGrowing },
      effect: { request in
        if request.page == 1, request.attempt == 1 { try await clock.sleep(for: .milliseconds(300)) }
        return .loaded(try await load(request), for: request)
      },
      failure: { error, request in .failed((error as? Failure)?.message ?? "\(error)", for: request) })
  }
}
