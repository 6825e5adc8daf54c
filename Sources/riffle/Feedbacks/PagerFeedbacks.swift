import FeedbackLoop
import Pager
import Search

extension PagerState: SessionState {}

extension PagerEvent: SessionCarrier {
  var sessionEvent: SessionEvent? { if case .session(let event) = self { event } else { nil } }
}

extension Feedback where State == PagerState, Event == PagerEvent {
  /// Debounces typing: the last edit is told of its rest, each earlier one is cancelled by the next.
  static func rest(by clock: any Clock<Duration>) -> Self {
    .react(to: \.rest, name: "rest") { request in
      do { try await clock.sleep(for: request.delay) } catch { return nil }
      return .rested(edit: request.edit)
    }
  }

  /// Chooses and sorts rows for the list, and looks for rows, in the background.
  static var orders: [Self] {
    [order("order") { $0.orderRequest }, order("search") { $0.searchRequest }]
  }

  private static func order(
    _ name: String, _ request: @escaping @Sendable (PagerState) -> RowOrderRequest?
  ) -> Self {
    .react(to: request, name: name, progress: { _, _ in true }) { (request: RowOrderRequest, emit) in
      await request.fulfil { emit($0) }
    }
  }

  /// Reads the row of the detail popup.
  static func details(by reader: DetailReader) -> Self {
    .react(to: \.readingRequest, name: "detail", progress: { _, _ in true }) { request in
      .read(await reader.content(of: request.row, request.part), for: request.identity)
    }
  }

  /// Does each errand once.
  static func errands(by runner: ErrandRunner) -> Self {
    .react(toEach: \.errands, name: "errands", progress: { _, _ in true }) { errand in
      .errandEnded(id: errand.id, await runner.outcome(of: errand))
    }
  }

  /// Tells the queries of former sessions, once.
  static func history(in file: HistoryFile) -> Self {
    .bind(name: "history") { _, emit in emit(.historyRead(file.queries())) }
  }

  /// Has the screen drawn anew; called with every state.
  static func screen(_ awaken: @escaping @Sendable () -> Void) -> Self {
    .observe(name: "screen") { _ in awaken() }
  }
}
