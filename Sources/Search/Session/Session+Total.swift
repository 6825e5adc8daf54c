/// A total to be asked for apart from the pages.
package struct TotalQuery: Sendable, Hashable {
  package var query: Query
  package var generation: Int
  /// 0 for the first try.
  package var attempt = 0

  package init(query: Query, generation: Int, attempt: Int = 0) {
    self.query = query
    self.generation = generation
    self.attempt = attempt
  }
}

/// What a service answered to it.
package struct TotalReply: Sendable, Hashable {
  /// Nil when there is no number where the source says it is.
  package var total: Total?
  /// Nil when nothing was asked.
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

/// A wait before a total is asked for again, to be carried out by a timer.
package struct TotalWait: Sendable, Hashable {
  package var query: TotalQuery
  package var wait: Wait
}

extension Session {
  /// How far asking for the total of one generation has come.
  struct TotalRun: Sendable {
    enum Status: Sendable {
      case asked
      case waiting(Wait)
      /// Given up; what is refused for a time may be asked for again then, in seconds since 1970.
      case failed(PageError, until: Double?)
      case settled
    }

    var generation: Int
    var attempt = 0
    var status = Status.asked
  }

  /// Of the current generation; nil when none is asked for: it is asked for once, beside the first page, when the rules
  /// say that it is shown.
  private var currentTotalRun: TotalRun? {
    guard rules.asksForTotal, isAsking, generation > 0 else { return nil }
    return totalRun.generation == generation ? totalRun : TotalRun(generation: generation)
  }

  /// Set while the total of the current query is to be asked for.
  package var totalQuery: TotalQuery? {
    guard let run = currentTotalRun, case .asked = run.status else { return nil }
    return TotalQuery(query: query, generation: generation, attempt: run.attempt)
  }

  /// Set while it is waited with: when that is over, `.totalWaited` with its query.
  package var totalWait: TotalWait? {
    guard let run = currentTotalRun, case .waiting(let wait) = run.status else { return nil }
    return TotalWait(
      query: TotalQuery(query: query, generation: generation, attempt: run.attempt), wait: wait)
  }

  /// Why the total could not be had; nil while it may still come.
  package var totalFailure: PageError? {
    guard let run = currentTotalRun, case .failed(let error, _) = run.status else { return nil }
    return error
  }

  /// When a total that could not be had may be asked for again, in seconds since 1970; nil when nothing says so.
  var totalRefusedUntil: Double? {
    guard let run = currentTotalRun, case .failed(_, let until) = run.status else { return nil }
    return until
  }

  /// Takes the answer in; a late one is dropped.
  mutating func settle(_ reply: TotalReply, for asked: TotalQuery) {
    guard asked == totalQuery else { return }
    totalRun = TotalRun(generation: generation, attempt: asked.attempt, status: .settled)
    if let exchange = reply.exchange {
      log(reply, exchange, for: asked)
      ledger.note(reply, at: exchange.arrivedAt)
      clock = max(clock, exchange.arrivedAt)
    }
    if let total = reply.total { self.total = total }
    // A known total may let several pages be asked at once.
    proceed()
  }

  /// A total that could not be had: asked for again after a wait, or given up, by the rules of pages.
  mutating func fail(_ error: PageError, for asked: TotalQuery, at moment: Moment) {
    guard asked == totalQuery else { return }
    clock = max(clock, moment.now)
    log(error, for: asked)
    ledger.note(error, at: moment.now)
    var run = TotalRun(generation: generation, attempt: asked.attempt)
    let decision = rules.retry.decision(
      after: error, attempt: run.attempt, refusals: ledger.current.refusals, chance: moment.chance)
    switch decision {
    case .again(let delay):
      run.attempt += 1
      run.status = .waiting(Wait(until: moment.now + delay, reason: .retry(error)))
      if error.kind == .rateLimited { ledger.hold(until: moment.now + delay) }
    case .giveUp: run.status = .failed(error, until: error.wait.map { moment.now + $0 })
    case .tooLong(let wait):
      run.status = .failed(error.beyondPatience(wait), until: moment.now + wait)
    }
    totalRun = run
  }

  mutating func endWait(of asked: TotalQuery) {
    guard let wait = totalWait, wait.query == asked else { return }
    clock = max(clock, wait.wait.until)
    totalRun.status = .asked
  }
}
