package import HTTPTransport
import HTTPValues
package import Search

/// Fulfills page requests: sends them to the source's service and reads the replies. All decisions are made
/// by `Source+Request` and `Source+Page`.
package struct PageLoader: Sendable {
  private let source: Source
  private let transport: Transport
  private let timeout: Duration?
  private let preparation: Preparation

  /// Provides what all requests of a run share (credentials, page size). The closures are called often, so
  /// their results should be cached.
  package struct Preparation: Sendable {
    package var context: @Sendable () async -> Result<RunContext, PageError>
    /// A new context after the service has rejected the credentials of this one (401); nil if there is none.
    package var renewed: @Sendable (RunContext) async -> RunContext?
    /// Called when the service has accepted the credentials of a context.
    package var accepted: @Sendable (RunContext) -> Void

    package init(
      context: @escaping @Sendable () async -> Result<RunContext, PageError>,
      renewed: @escaping @Sendable (RunContext) async -> RunContext? = { _ in nil },
      accepted: @escaping @Sendable (RunContext) -> Void = { _ in }
    ) {
      self.context = context
      self.renewed = renewed
      self.accepted = accepted
    }
  }

  /// - Parameter timeout: The time limit for a whole exchange; nil for the transport's default.
  package init(
    source: Source, transport: Transport, timeout: Duration? = nil, preparation: Preparation
  ) {
    self.source = source
    self.transport = transport
    self.timeout = source.endpoint.timeout ?? timeout
    self.preparation = preparation
  }

  package func page(
    for request: PageRequest, makeContent: RowMapper
  ) async -> Result<Page, PageError> {
    await renewing { (run) async throws(PageError) in
      try await page(for: request, in: run, makeContent: makeContent)
    } counting: { page, refused in
      page.exchange.requests += refused
    }
  }

  /// Performs the work with the run's context, and once more with other credentials if the service rejects
  /// these and there are others.
  ///
  /// - Parameter count: Adds the number of rejected requests to a result.
  private func renewing<Value>(
    _ work: (RunContext) async throws(PageError) -> Value,
    counting count: (_ value: inout Value, _ refused: Int) -> Void = { _, _ in }
  ) async -> Result<Value, PageError> {
    do throws(PageError) {
      var run = try await preparation.context().get()
      var value: Value
      do throws(PageError) {
        value = try await work(run)
      } catch {
        guard error.status == 401, let renewed = await preparation.renewed(run) else { throw error }
        run = renewed
        let refused = error.exchange?.requests ?? 1
        do throws(PageError) {
          value = try await work(renewed)
        } catch {
          var error = error
          error.exchange?.requests += refused
          throw error
        }
        count(&value, refused)
      }
      preparation.accepted(run)
      return .success(value)
    } catch {
      return .failure(error)
    }
  }

  private func page(
    for request: PageRequest, in run: RunContext, makeContent: RowMapper
  ) async throws(PageError) -> Page {
    let message = try source.request(for: request, in: run)
    let (page, exchange, redaction) = try await answer(to: message, in: run) { (reply) throws(PageError) in
      try source.page(from: reply, for: request, in: run, makeContent: makeContent)
    }
    var redacted = redaction.applied(to: page)
    redacted.exchange = exchange
    return redacted
  }

  /// Sends a request and reads its reply. The exchange, and the texts of errors, contain no credentials.
  private func answer<Value>(
    to message: HTTPRequest, in run: RunContext, _ read: (HTTPReply) throws(PageError) -> Value
  ) async throws(PageError) -> (Value, Exchange, Redaction) {
    let redaction = Redaction(credentials: run.credentials, placed: message.credentials)
    var reply: HTTPReply?
    do throws(PageError) {
      let whole = try await self.reply(to: message)
      reply = whole
      return (try read(whole), exchange(message, whole, redaction), redaction)
    } catch {
      var error = redaction.applied(to: error)
      let requests = error.exchange?.requests
      error.exchange = exchange(message, reply, redaction)
      if let requests { error.exchange?.requests = requests }
      throw error
    }
  }

  private func exchange(
    _ message: HTTPRequest, _ reply: HTTPReply?, _ redaction: Redaction
  ) -> Exchange {
    var exchange = Exchange(message, reply)
    exchange.address = redaction.applied(to: exchange.address)
    return exchange
  }

  /// The total of a query, if the source has a separate request for it.
  package func total(for requested: TotalQuery) async -> Result<TotalReply, PageError> {
    await renewing { (run) async throws(PageError) in
      guard let message = try source.totalRequest(for: requested.query, in: run) else {
        return TotalReply(nil)
      }
      var (total, exchange, _) = try await answer(to: message, in: run) { (reply) throws(PageError) in
        try source.total(answering: requested.query, in: reply, run)
      }
      total.exchange = exchange
      return total
    } counting: { total, refused in
      total.exchange?.requests += refused
    }
  }

  /// The detail of the first row, if the source declares a detail request; else nil.
  package func detail(of rows: DocumentRows, query: Query) async -> Result<DocumentRows?, PageError> {
    await renewing { (run) async throws(PageError) in
      guard let message = try source.detailRequest(for: rows, of: query, in: run) else { return nil }
      return try await answer(to: message, in: run) { (reply) throws(PageError) in
        try source.detailRow(in: reply, of: query, in: run)
      }.0
    }
  }

  private func reply(to message: HTTPRequest) async throws(PageError) -> HTTPReply {
    do throws(TransportFailure) {
      return try await transport.reply(to: message, within: timeout)
    } catch {
      var failure = PageError(error, isSafe: message.isSafe)
      failure.exchange = Exchange(requests: error.requests)
      throw failure
    }
  }
}

/// Removes the credentials of a run from what is reported of a reply, because a service may repeat one in a
/// message or in a link. Rows are left unchanged.
struct Redaction {
  let credentials: Credentials
  /// The credentials as sent: empty for a request to another origin, whose reply may still repeat them.
  let placed: [PlacedCredential]

  private var isNeeded: Bool { !placed.isEmpty || !credentials.isEmpty }

  func applied(to error: PageError) -> PageError {
    guard isNeeded else { return error }
    var error = error
    error.message = applied(to: error.message)
    error.serviceMessage = error.serviceMessage.map(applied)
    error.remedy = error.remedy.map(applied)
    return error
  }

  func applied(to page: Page) -> Page {
    guard isNeeded else { return page }
    var page = page
    page.notes = page.notes.map(applied)
    if case .next(let next, _) = page.continuation { page.keptNext = kept(next) }
    if case .end(.refusedNext(let why)) = page.continuation {
      page.continuation = .end(.refusedNext(applied(to: why)))
    }
    return page
  }

  /// The position to store instead of one that contains a secret, without the parameters that do; the request
  /// adds the source's own again. Nil if there is none.
  private func kept(_ position: Position) -> Position? {
    guard repeatsSecret(position.json) else { return position }
    guard case .link(var url) = position.value else { return nil }
    for item in url.queryItems where repeatsSecret(item.value ?? "") {
      url.removeQueryItems(named: item.name)
    }
    var position = position
    position.value = .link(url)
    return repeatsSecret(position.json) ? nil : position
  }

  private func repeatsSecret(_ text: String) -> Bool { applied(to: text) != text }

  func applied(to text: String) -> String {
    placed.reduce(credentials.redacted(in: text)) { $1.redacted(in: $0) }
  }
}
