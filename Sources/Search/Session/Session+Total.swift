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

extension Session {
  /// How far asking for the total of one generation has come.
  struct TotalRun: Sendable {
    enum Status: Sendable {
      case asked
      case waiting(Wait)
      /// Given up; what is refused for a time may be asked for again then.
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

  /// Set while it is to be asked for at a known time.
  package var totalWait: Wait? {
    guard let run = currentTotalRun, case .waiting(let wait) = run.status else { return nil }
    return wait
  }

  /// Why the total could not be had; nil while it may still come.
  package var totalFailure: PageError? {
    guard let run = currentTotalRun, case .failed(let error, _) = run.status else { return nil }
    return error
  }

  /// When a total that could not be had may be asked for again; nil when nothing says so.
  var totalRefusedUntil: Double? {
    guard let run = currentTotalRun, case .failed(_, let until) = run.status else { return nil }
    return until
  }

  /// Takes the answer in; a late one is dropped.
  mutating func settle(_ reply: TotalReply, for asked: TotalQuery) {
    guard asked == totalQuery else { return }
    totalRun = TotalRun(generation: generation, attempt: asked.attempt, status: .settled)
    if let exchange = reply.exchange {
      advance(to: exchange.arrivedAt)
      log(reply, exchange, for: asked)
      ledger.note(reply, at: exchange.arrivedAt)
    }
    if let total = reply.total { self.total = total }
    // A known total may let several pages be asked at once.
    proceed()
  }

  /// A total that could not be had: asked for again after a wait, or given up, by the rules of pages.
  mutating func fail(_ error: PageError, for asked: TotalQuery, at moment: Moment) {
    guard asked == totalQuery else { return }
    advance(to: moment.now)
    log(error, for: asked)
    ledger.note(error, at: clock)
    var run = TotalRun(generation: generation, attempt: asked.attempt)
    let account = ledger.current
    let decision = rules.retry.decision(
      after: error, attempt: run.attempt, refusals: account.refusals, pace: account.pace,
      chance: moment.chance)
    switch decision {
    case .again(let delay):
      run.attempt += 1
      run.status = delay > 0 ? .waiting(Wait(until: clock + delay, reason: .retry(error))) : .asked
      if error.kind == .rateLimited { ledger.hold(until: clock + delay, from: clock) }
    case .giveUp: run.status = .failed(error, until: error.wait.map { clock + $0 })
    case .tooLong(let wait): run.status = .failed(error.beyondPatience(wait), until: clock + wait)
    }
    totalRun = run
  }

  /// It is asked for when its time has come.
  mutating func wakeTotal(at time: Double) {
    if let wait = totalWait, wait.until <= time { totalRun.status = .asked }
  }
}
