/// The events of a session.
package enum SessionEvent: Sendable {
  /// A query to load from its first page.
  case searched(Query, Demand)
  /// More rows or pages are wanted.
  case wanted(Demand)
  /// Load from page 1 again, until `rows` rows are loaded, but at most as many pages as before.
  case refreshed(rows: Int)
  /// The user stopped a load or a wait.
  case stopped
  /// The user retried a failed, waiting, or stopped load.
  case retried
  case loaded(Page, for: PageRequest)
  case failed(PageError, for: PageRequest, at: Moment)
  /// The run's clock has reached this time: the time of `alarm`, or a later one.
  case reached(Double)
  /// The total, from a separate request.
  case totalReceived(TotalReply, for: TotalQuery)
  case totalFailed(PageError, for: TotalQuery, at: Moment)
  /// The page with this ordinal has been written (one-shot mode).
  case written(Int, generation: Int)
}

extension Session {
  package mutating func reduce(_ event: SessionEvent) {
    switch event {
    case .searched(let query, let demand): search(query, demand)
    case .wanted(let demand): want(demand)
    case .refreshed(let rows): refresh(rows: rows)
    case .stopped: stop()
    case .retried: retry()
    case .loaded(let page, let request): accept(page, for: request)
    case .failed(let error, let request, let moment): fail(error, for: request, at: moment)
    case .reached(let time): advance(to: time)
    case .totalReceived(let reply, let requested): settle(reply, for: requested)
    case .totalFailed(let error, let requested, let moment): fail(error, for: requested, at: moment)
    case .written(let ordinal, let generation): release(ordinal, of: generation)
    }
  }

  private mutating func search(_ query: Query, _ demand: Demand) {
    let old = StaleRows(of: self, .query)
    startGeneration(demand)
    self.query = query
    total = nil
    guard hasQuery else {
      stale = nil
      nextPosition = nil
      phase = .idle
      return
    }
    stale = old
    phase = .loading(.first)
    proceed()
  }

  mutating func startGeneration(_ demand: Demand) {
    generation += 1
    self.demand = demand
    isBulk = demand.isBulk
    fresh = RowStore()
    slots = []
    nextPosition = rules.resumePoint?.next ?? rules.first
    seen = SeenKeys()
    seen.insert(rules.resumePoint?.keys ?? [])
    progress = PagingProgress(
      received: rules.resumePoint?.received ?? 0, skipped: rules.resumePoint?.skipped ?? 0)
    duplicates = 0
    notes = []
    unmetDemand = .nothing
  }

  private mutating func stop() {
    guard let load = phase.load, !phase.isStopped else { return }
    if let head = slots.first { nextPosition = head.position }
    slots = []
    phase = .stopped(load)
  }

  /// Sends the request now. A waiting request keeps its attempt number; after giving up, it is a new attempt.
  mutating func retry() {
    guard let load = phase.load, !phase.isLoading else { return }
    if demand == .nothing { demand = .pages(1) }
    if case .failed(_, let error) = phase, error.canRepeat == .afterRestart { return restart() }
    for index in slots.indices {
      switch slots[index].status {
      case .failed:
        slots[index].attempt += 1
        slots[index].status = .requested
      case .waiting: slots[index].status = .requested
      case .requested, .arrived: break
      }
    }
    phase = .loading(load)
    proceed()
  }

  private mutating func release(_ ordinal: Int, of generation: Int) {
    guard rules.awaitsWriting, generation == self.generation, ordinal == fresh.releasedBlocks else { return }
    fresh.releaseFirst()
    proceed()
  }

  /// The slot that a request belongs to; nil if its reply is late and must be dropped.
  func slot(for request: PageRequest) -> Int? { slots.firstIndex { self.request(for: $0) == request } }

  /// Requests the next wanted pages, and updates the phase.
  mutating func proceed() {
    fillWindow()
    settlePhase()
  }

  /// Derives the phase from the first page in flight.
  mutating func settlePhase() {
    guard let load = phase.load, !phase.isStopped else { return }
    switch slots.first?.status {
    case .requested, .arrived: phase = .loading(load)
    case .waiting(let wait): phase = .waiting(load, wait)
    case .failed(let error, _): phase = .failed(load, error)
    case nil: finishLoad()
    }
  }
}
