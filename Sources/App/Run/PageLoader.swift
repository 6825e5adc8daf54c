import FeedbackLoop
import HTTPTransport
import HTTPValues
import Search

/// Fulfills page requests: sends them to the source's service and reads the responses. All decisions are made
/// by `Source`: `request(for:in:)` and `page(for:…)`.
struct PageLoader: Sendable {
  let source: Source
  let transport: Transport
  /// The time limit for a whole exchange, unless the source has its own; nil for the transport's default.
  var timeout: Duration?
  let credentials: CredentialProvider
  /// When the run began, in seconds since 1970.
  var startedAt = 0.0
  /// The limits that options of the command line set, in place of the settings.
  var limitOptions: Set<LimitOption> = []
  /// Whether exchanges have a transcript, for a log that shows it.
  var keepsTranscripts = false

  func page(for request: PageRequest, makeContent: RowMapper) async -> Result<Page, PageError> {
    await renewing { (context, refused) async throws(PageError) in
      let message = try source.request(for: request, in: context)
      let (page, exchange, redactor) = try await answer(to: message, isPage: true, after: refused) {
        (response) throws(PageError) in
        try source.page(from: response, for: request, in: context, makeContent: makeContent)
      }
      var redacted = redactor.redacted(page)
      redacted.exchange = exchange
      return redacted
    }
  }

  /// The total of a query, if the source has a separate request for it.
  func total(for requested: TotalQuery) async -> Result<TotalResponse, PageError> {
    await renewing { (context, refused) async throws(PageError) in
      guard let message = try source.totalRequest(for: requested.query, in: context) else {
        return TotalResponse(nil)
      }
      var (total, exchange, _) = try await answer(to: message, after: refused) {
        (response) throws(PageError) in
        try source.total(answering: requested.query, in: response, context)
      }
      total.exchange = exchange
      return total
    }
  }

  /// The detail of the first row, if the source declares a detail request; else nil.
  func detail(of rows: DocumentRows, query: Query) async -> Result<DocumentRows?, PageError> {
    await renewing { (context, refused) async throws(PageError) in
      guard let message = try source.detailRequest(for: rows, of: query, in: context) else { return nil }
      return try await answer(to: message, after: refused) { (response) throws(PageError) in
        try source.detailRow(in: response, of: query, in: context)
      }.0
    }
  }

  /// A token may be used up by other requests repeatedly, but not without an end.
  private static let maxRejections = 10

  /// Performs the work with the run's context, and again with other credentials if the service rejects
  /// these and there are others. The work is passed the number of rejected requests, to be counted with its
  /// own.
  private func renewing<Value>(
    _ work: (RunContext, _ refused: Int) async throws(PageError) -> Value
  ) async -> Result<Value, PageError> {
    var (refused, rejections) = (0, 0)
    credentials.use(by: 1)
    defer { credentials.use(by: -1) }
    do throws(PageError) {
      var context = try await credentials.context.get()
      while true {
        context.startedAt = startedAt
        do throws(PageError) {
          let value = try await work(context, refused)
          credentials.accept(context)
          return .success(value)
        } catch {
          guard rejections < Self.maxRejections, error.status == 401,
            let renewed = try await renewedContext(after: context, error)
          else { throw error }
          context = renewed
          rejections += 1
          refused = error.exchange?.requests ?? refused + 1
        }
      }
    } catch {
      var error = error
      if error.status == 401, let remedy = credentials.remedy { error.remedy = remedy }
      return .failure(error)
    }
  }

  /// A context with other credentials than the rejected ones; nil if there are none.
  private func renewedContext(
    after refused: RunContext, _ rejection: PageError
  ) async throws(PageError) -> RunContext? {
    do { return try await credentials.renewed(after: refused) } catch {
      var error = error
      error.exchange = rejection.exchange
      throw error
    }
  }

  /// Sends a request and reads its response. The exchange, and the texts of errors, contain no credentials.
  private func answer<Value>(
    to message: HTTPRequest, isPage: Bool = false, after refused: Int,
    _ read: (HTTPResponse) throws(PageError) -> Value
  ) async throws(PageError) -> (Value, Exchange, Redactor) {
    let redactor = credentials.redactor(with: message.credentials)
    var exchange = Exchange(message, nil)
    var received: HTTPResponse?
    func noted(_ requests: Int) -> Exchange {
      exchange.address = redactor.redacted(exchange.address)
      exchange.requests = requests + refused
      if keepsTranscripts { exchange.transcript = Transcript(message, received, redactor.redacted) }
      return exchange
    }
    do throws(PageError) {
      let response = try await response(to: message, isPage: isPage)
      (exchange, received) = (Exchange(message, response), response)
      return (try read(response), noted(exchange.requests), redactor)
    } catch {
      var error = redactor.redacted(error)
      error.exchange = noted(error.exchange?.requests ?? exchange.requests)
      throw error
    }
  }

  private func response(to message: HTTPRequest, isPage: Bool) async throws(PageError) -> HTTPResponse {
    do {
      return try await transport.response(to: message, within: source.endpoint.timeout ?? timeout)
    } catch {
      var failure = PageError(
        error, isSafe: message.isSafe, of: source.id, isPage: isPage, placesPageSize: source.placesPageSize)
      failure.exchange = Exchange(requests: error.requests)
      if let commandLineRemedy = failure.commandLineRemedy, let remedy = failure.remedy {
        failure.remedy = "\(limitRemedy(for: error.kind) ?? remedy). Then start riffle again"
        failure.commandLineRemedy = commandLineRemedy
      }
      throw failure
    }
  }

  /// How a limit that is no setting is changed for the next session: where it was set; nil for a setting.
  private func limitRemedy(for kind: TransportError.Kind) -> String? {
    switch kind {
    case .deadline, .deadlineBeforeHead:
      if source.endpoint.timeout != nil { return "set a longer request.timeout in source \(source.id)" }
      return limitOptions.contains(.timeout) ? "use a longer --timeout" : nil
    case .bodyTooLarge: return limitOptions.contains(.pageSize) ? "use a smaller --page-size" : nil
    default: return nil
    }
  }
}

/// A limit of requests that an option of the command line can set.
enum LimitOption: Sendable, Hashable { case maxWait, timeout, pageSize }

// MARK: - Feedbacks

/// What a session requests from the network and the clock.
struct SessionWork: Sendable {
  let pages: [PageRequest]
  let total: TotalQuery?
  /// See `Session.alarm`.
  let alarm: Double?
}

extension LoopGuard {
  /// Stops a session that requests page after page without a new row, and spreads bursts of requests.
  static func session(by clock: some Clock<Duration>) -> LoopGuard {
    LoopGuard(maximumDepth: 64, startRate: StartRate(perSecond: 10, burst: 20), clock: clock)
  }
}

extension Feedback where State == SessionWork, Event == SessionEvent {
  /// Carries out what a session requests. A page with rows counts as progress; the session itself ends a list whose
  /// pages contain no new rows.
  ///
  /// - Parameters:
  ///   - loader: Requests the total of a query if the pages do not report it.
  ///   - load: Requests a page.
  static func session(
    total loader: PageLoader, _ dependencies: Dependencies,
    load: @escaping @Sendable (PageRequest) async -> Result<Page, PageError>
  ) -> [Self] {
    let retryTiming = dependencies.retryTiming
    return [
      .react(toEach: \.pages, name: "pages", progress: { event, _ in event.isProgress }) { request in
        switch await load(request) {
        case .success(let page): .loaded(page, for: request)
        case .failure(let error): .failed(error, for: request, at: retryTiming())
        }
      },
      .react(to: \.total, name: "total", progress: { _, _ in true }) { requested in
        switch await loader.total(for: requested) {
        case .success(let response): .totalReceived(response, for: requested)
        case .failure(let error): .totalFailed(error, for: requested, at: retryTiming())
        }
      },
      .timer("alarm", at: \.alarm, dependencies) { .reached($0) },
    ]
  }
}

extension Feedback {
  /// Sends an event at a time of the run's clock, with the time that it then is.
  static func timer(
    _ name: String, at time: @escaping @Sendable (State) -> Double?, _ dependencies: Dependencies,
    event: @escaping @Sendable (Double) -> Event
  ) -> Self {
    let (clock, now) = (dependencies.clock, dependencies.now)
    return .react(to: time, name: name, progress: { _, _ in true }) { time in
      do { try await clock.sleep(for: .seconds(max(0, time - now()))) } catch { return nil }
      return event(max(time, now()))
    }
  }
}

extension SessionEvent {
  /// Whether the page has rows or a new cursor, is unchanged, or belongs to one of several lists. Each of those may end
  /// with an empty page. The session itself limits pages without rows, and attempts.
  fileprivate var isProgress: Bool {
    switch self {
    case .loaded(_, let request) where request.list != nil: return true
    case .failed(_, let request, _) where request.list != nil: return true
    default: break
    }
    guard case .loaded(let page, _) = self else { return false }
    if case .next(_, let evidence) = page.continuation, evidence.survivesAnEmptyPage { return true }
    return page.received > 0 || page.isNotModified
  }
}
