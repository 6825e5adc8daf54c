import HTTPTransport
import HTTPValues
import Search

/// Fulfills page requests: sends them to the source's service and reads the replies. All decisions are made
/// by `Source`: `request(for:in:)` and `page(for:…)`.
struct PageLoader: Sendable {
  private let source: Source
  private let transport: Transport
  private let timeout: Duration?
  private let credentials: CredentialProvider

  /// - Parameter timeout: The time limit for a whole exchange; nil for the transport's default.
  init(source: Source, transport: Transport, timeout: Duration? = nil, credentials: CredentialProvider) {
    self.source = source
    self.transport = transport
    self.timeout = source.endpoint.timeout ?? timeout
    self.credentials = credentials
  }

  func page(
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
    var refused = 0
    do throws(PageError) {
      var run = try await credentials.value.get()
      while true {
        do throws(PageError) {
          var value = try await work(run)
          count(&value, refused)
          credentials.accept(run)
          return .success(value)
        } catch {
          guard refused == 0, error.status == 401, let renewed = await credentials.renewed(after: run) else {
            throw error
          }
          run = renewed
          refused = error.exchange?.requests ?? 1
        }
      }
    } catch {
      var error = error
      error.exchange?.requests += refused
      return .failure(error)
    }
  }

  private func page(
    for request: PageRequest, in run: RunContext, makeContent: RowMapper
  ) async throws(PageError) -> Page {
    let message = try source.request(for: request, in: run)
    let (page, exchange, redactor) = try await answer(to: message) { (reply) throws(PageError) in
      try source.page(from: reply, for: request, in: run, makeContent: makeContent)
    }
    var redacted = redactor.redacted(page)
    redacted.exchange = exchange
    return redacted
  }

  /// Sends a request and reads its reply. The exchange, and the texts of errors, contain no credentials.
  private func answer<Value>(
    to message: HTTPRequest, _ read: (HTTPReply) throws(PageError) -> Value
  ) async throws(PageError) -> (Value, Exchange, Redactor) {
    let redactor = credentials.redactor(with: message.credentials)
    var exchange = Exchange(message, nil)
    do throws(PageError) {
      let reply = try await reply(to: message)
      exchange = Exchange(message, reply)
      exchange.address = redactor.redacted(exchange.address)
      return (try read(reply), exchange, redactor)
    } catch {
      var error = redactor.redacted(error)
      exchange.address = redactor.redacted(exchange.address)
      exchange.requests = error.exchange?.requests ?? exchange.requests
      error.exchange = exchange
      throw error
    }
  }

  /// The total of a query, if the source has a separate request for it.
  func total(for requested: TotalQuery) async -> Result<TotalReply, PageError> {
    await renewing { (run) async throws(PageError) in
      guard let message = try source.totalRequest(for: requested.query, in: run) else {
        return TotalReply(nil)
      }
      var (total, exchange, _) = try await answer(to: message) { (reply) throws(PageError) in
        try source.total(answering: requested.query, in: reply, run)
      }
      total.exchange = exchange
      return total
    } counting: { total, refused in
      total.exchange?.requests += refused
    }
  }

  /// The detail of the first row, if the source declares a detail request; else nil.
  func detail(of rows: DocumentRows, query: Query) async -> Result<DocumentRows?, PageError> {
    await renewing { (run) async throws(PageError) in
      guard let message = try source.detailRequest(for: rows, of: query, in: run) else { return nil }
      return try await answer(to: message) { (reply) throws(PageError) in
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
