package import HTTPValues

/// A separate request for the total.
package struct TotalQuery: Sendable, Hashable {
  package var query: Query
  package var generation: Int
  /// 0 for the first attempt.
  package var attempt = 0

  package init(query: Query, generation: Int, attempt: Int = 0) {
    self.query = query
    self.generation = generation
    self.attempt = attempt
  }
}

/// The reply to a request for the total.
package struct TotalReply: Sendable, Hashable {
  /// Nil if there is no number at the location that the source declares.
  package var total: Total?
  /// Nil if no request was sent.
  package var exchange: Exchange?
  package var budget: RateBudget?
  package var bucket: RateBucket?

  package init(
    _ total: Total?, exchange: Exchange? = nil, budget: RateBudget? = nil, bucket: RateBucket? = nil
  ) {
    self.total = total
    self.exchange = exchange
    self.budget = budget
    self.bucket = bucket
  }
}

extension Session {
  /// The state of the request for the total of one generation.
  struct TotalRun: Sendable {
    enum Status: Sendable {
      case requested
      case waiting(Wait)
      /// Given up; if refused for a limited time, the request may be repeated after it.
      case failed(PageError, until: Double?)
      case settled
    }

    var generation: Int
    var attempt = 0
    var status = Status.requested
  }

  /// For the current generation; nil if no total is requested. The total is requested once, along with the
  /// first page, if the rules say that it is shown.
  private var currentTotalRun: TotalRun? {
    guard rules.requestsTotal, hasQuery, generation > 0 else { return nil }
    return totalRun.generation == generation ? totalRun : TotalRun(generation: generation)
  }

  /// The request for the total that should be sent now, if any.
  package var totalQuery: TotalQuery? {
    guard let run = currentTotalRun, case .requested = run.status else { return nil }
    return TotalQuery(query: query, generation: generation, attempt: run.attempt)
  }

  /// The wait before the next request for the total, if any.
  package var totalWait: Wait? {
    guard let run = currentTotalRun, case .waiting(let wait) = run.status else { return nil }
    return wait
  }

  /// Why the request for the total failed; nil while it may still succeed.
  package var totalFailure: PageError? {
    guard let run = currentTotalRun, case .failed(let error, _) = run.status else { return nil }
    return error
  }

  /// When a failed request for the total may be repeated; nil if the service names no time.
  var totalRefusedUntil: Double? {
    guard let run = currentTotalRun, case .failed(_, let until) = run.status else { return nil }
    return until
  }

  /// Handles a reply; a late one is dropped.
  mutating func settle(_ reply: TotalReply, for requested: TotalQuery) {
    guard requested == totalQuery else { return }
    totalRun = TotalRun(generation: generation, attempt: requested.attempt, status: .settled)
    if let exchange = reply.exchange {
      advance(to: exchange.arrivedAt)
      log(reply, exchange, for: requested)
      ledger.note(reply, at: exchange.arrivedAt)
    }
    if let total = reply.total { self.total = total }
    // A known total may allow several concurrent page requests.
    proceed()
  }

  /// Handles a failed request for the total: schedules a retry, or gives up, by the same rules as for pages.
  mutating func fail(_ error: PageError, for requested: TotalQuery, at moment: Moment) {
    guard requested == totalQuery else { return }
    advance(to: moment.now)
    log(error, for: requested)
    ledger.note(error, at: clock)
    var run = TotalRun(generation: generation, attempt: requested.attempt)
    let account = ledger.current
    let decision = rules.retry.decision(
      after: error, attempt: run.attempt, refusals: account.refusals, pace: account.pace,
      jitter: moment.jitter)
    switch decision {
    case .again(let delay):
      run.attempt += 1
      run.status = delay > 0 ? .waiting(Wait(until: clock + delay, reason: .retry(error))) : .requested
      if error.kind == .rateLimited { ledger.hold(until: clock + delay, from: clock) }
    case .giveUp: run.status = .failed(error, until: error.wait.map { clock + $0 })
    case .tooLong(let wait): run.status = .failed(error.beyondWaitLimit(wait), until: clock + wait)
    }
    totalRun = run
  }

  /// Requests the total when its wait is over.
  mutating func wakeTotal(at time: Double) {
    if let wait = totalWait, wait.until <= time { totalRun.status = .requested }
  }
}
