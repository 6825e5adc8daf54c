import FeedbackLoop
import Pager
import Search

extension PagerState: SessionState {}

extension PagerEvent: SessionEventConvertible {
  var sessionEvent: SessionEvent? { if case .session(let event) = self { event } else { nil } }
}

extension Feedback where State == PagerState, Event == PagerEvent {
  /// Debounces typing: an event follows the last edit; each edit cancels the one before it.
  static func rest(by clock: any Clock<Duration>) -> Self {
    .react(to: \.rest, name: "rest") { request in
      do { try await clock.sleep(for: request.delay) } catch { return nil }
      return .rested(edit: request.edit)
    }
  }

  /// Filters, sorts and searches the rows of the list in the background.
  static var orders: [Self] {
    [order("order") { $0.orderRequest }, order("search") { $0.searchRequest }]
  }

  private static func order(
    _ name: String, _ request: @escaping @Sendable (PagerState) -> RowOrderRequest?
  ) -> Self {
    .react(to: request, name: name, progress: { _, _ in true }) { (request: RowOrderRequest, emit) in
      await request.run { emit($0) }
    }
  }

  /// Loads the row of the detail popup.
  static func details(by reader: DetailReader) -> Self {
    .react(to: \.readingRequest, name: "detail", progress: { _, _ in true }) { request in
      .read(await reader.content(of: request.row, request.part), for: request.identity)
    }
  }

  /// Performs each effect once.
  static func effects(by runner: EffectRunner) -> Self {
    .react(toEach: \.effects, name: "effects", progress: { _, _ in true }) { effect in
      .effectEnded(id: effect.id, await runner.outcome(of: effect))
    }
  }

  /// Loads the queries of previous sessions, once.
  static func history(in file: HistoryFile) -> Self {
    .bind(name: "history") { _, emit in emit(.historyRead(file.queries())) }
  }

  /// Schedules a redraw; `wakeScreen` is called for every state.
  static func screen(_ wakeScreen: @escaping @Sendable () -> Void) -> Self {
    .observe(name: "screen") { _ in wakeScreen() }
  }
}
