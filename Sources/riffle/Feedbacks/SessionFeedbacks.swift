import FeedbackLoop
import HTTPTransport
import Search

/// A state that holds a session: what both modes ask of the network and the clock.
protocol SessionState: Sendable {
  var pageRequests: [PageRequest] { get }
  /// See `Session.alarm`.
  var alarm: Double? { get }
  var totalQuery: TotalQuery? { get }
}

protocol SessionCarrier: Sendable {
  static func session(_ event: SessionEvent) -> Self
  var sessionEvent: SessionEvent? { get }
}

extension Feedback where State: SessionState, Event: SessionCarrier {
  /// Fulfils page requests. A page with rows is progress; the session itself ends a list whose rows are
  /// none of them new.
  static func pages(
    from loader: PageLoader, makeContent: @escaping ContentMaker, moment: @escaping @Sendable () -> Moment
  ) -> Self {
    .react(
      toEach: \.pageRequests, name: "pages",
      progress: { event, _ in event.sessionEvent?.isProgress ?? false }
    ) { request in
      switch await loader.page(for: request, makeContent: makeContent) {
      case .success(let page): .session(.loaded(page, for: request))
      case .failure(let error):
        Task.isCancelled ? nil : .session(.failed(error, for: request, at: moment()))
      }
    }
  }

  /// Asks for the total of a query where the pages do not tell it.
  static func total(from loader: PageLoader, moment: @escaping @Sendable () -> Moment) -> Self {
    .react(to: \.totalQuery, name: "total", progress: { _, _ in true }) { asked in
      switch await loader.total(for: asked) {
      case .success(let reply): .session(.totalled(reply, for: asked))
      case .failure(let error):
        Task.isCancelled ? nil : .session(.totalFailed(error, for: asked, at: moment()))
      }
    }
  }

  /// Tells the session when the time of its alarm has come.
  ///
  /// - Parameter now: the time of the run's clock, which goes as `clock` does.
  static func alarm(by clock: any Clock<Duration>, now: @escaping @Sendable () -> Double) -> Self {
    .react(to: \.alarm, name: "alarm", progress: { _, _ in true }) { time in
      do { try await clock.sleep(for: .seconds(max(0, time - now()))) } catch { return nil }
      return .session(.reached(max(time, now())))
    }
  }
}

extension SessionEvent {
  /// A page with rows, or one that carries a cursor on: those without rows the session itself bounds.
  fileprivate var isProgress: Bool {
    guard case .loaded(let page, _) = self else { return false }
    if case .next(_, let evidence) = page.continuation, evidence.survivesAnEmptyPage { return true }
    return page.received > 0
  }
}
