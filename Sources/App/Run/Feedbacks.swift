import FeedbackLoop
import Pager
import Search

/// A state that holds a session: what the interactive and one-shot modes need from the network and the clock.
protocol SessionState: Sendable {
  var pageRequests: [PageRequest] { get }
  /// See `Session.alarm`.
  var alarm: Double? { get }
  var totalQuery: TotalQuery? { get }
}

/// An event that can carry an event of a session.
protocol SessionEventConvertible: Sendable {
  static func session(_ event: SessionEvent) -> Self
  var sessionEvent: SessionEvent? { get }
}

extension Feedback where State: SessionState, Event: SessionEventConvertible {
  /// Fulfills page requests. A page with rows counts as progress; the session itself ends a list whose pages
  /// contain no new rows.
  static func pages(
    from loader: PageLoader, makeContent: @escaping RowMapper, moment: @escaping @Sendable () -> Moment
  ) -> Self {
    .react(
      toEach: \.pageRequests, name: "pages",
      progress: { event, _ in event.sessionEvent?.isProgress ?? false }
    ) { request in
      switch await loader.page(for: request, makeContent: makeContent) {
      case .success(let page): .session(.loaded(page, for: request))
      case .failure(let error): .session(.failed(error, for: request, at: moment()))
      }
    }
  }

  /// Requests the total of a query if the pages do not report it.
  static func total(from loader: PageLoader, moment: @escaping @Sendable () -> Moment) -> Self {
    .react(to: \.totalQuery, name: "total", progress: { _, _ in true }) { requested in
      switch await loader.total(for: requested) {
      case .success(let reply): .session(.totalReceived(reply, for: requested))
      case .failure(let error): .session(.totalFailed(error, for: requested, at: moment()))
      }
    }
  }

  /// Sends an event to the session at the time of its alarm.
  ///
  /// - Parameter now: The time of the run's clock, which advances with `clock`.
  static func alarm(by clock: any Clock<Duration>, now: @escaping @Sendable () -> Double) -> Self {
    .react(to: \.alarm, name: "alarm", progress: { _, _ in true }) { time in
      do { try await clock.sleep(for: .seconds(max(0, time - now()))) } catch { return nil }
      return .session(.reached(max(time, now())))
    }
  }
}

extension SessionEvent {
  /// Whether the page has rows or a new cursor. The session itself limits pages without rows.
  fileprivate var isProgress: Bool {
    guard case .loaded(let page, _) = self else { return false }
    if case .next(_, let evidence) = page.continuation, evidence.survivesAnEmptyPage { return true }
    return page.received > 0
  }
}

extension PagerState: SessionState {}

extension PagerEvent: SessionEventConvertible {
  var sessionEvent: SessionEvent? { if case .session(let event) = self { event } else { nil } }
}

extension Feedback where State == PagerState, Event == PagerEvent {
  /// Debounces typing: an event follows the last edit; each edit cancels the one before it.
  static func debounce(by clock: any Clock<Duration>) -> Self {
    .react(to: \.debounce, name: "rest") { request in
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
      await request.run { emit(.ordered($0)) }
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
