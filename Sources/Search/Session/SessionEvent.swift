/// The events of a session.
package enum SessionEvent: Sendable, Codable {
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

  private enum SearchedCodingKeys: String, CodingKey { case _0 = "query", _1 = "demand" }
  private enum LoadedCodingKeys: String, CodingKey { case _0 = "page", `for` }
  private enum FailedCodingKeys: String, CodingKey { case _0 = "error", `for`, at }
  private enum TotalReceivedCodingKeys: String, CodingKey { case _0 = "reply", `for` }
  private enum TotalFailedCodingKeys: String, CodingKey { case _0 = "error", `for`, at }
  private enum WrittenCodingKeys: String, CodingKey { case _0 = "ordinal", generation }
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

  /// Sends the requests of waiting and failed pages now.
  mutating func retry() {
    guard let load = phase.load, !phase.isLoading else { return }
    if demand == .nothing { demand = .pages(1) }
    if case .failed(_, let error) = phase, error.canRepeat == .afterRestart { return restart() }
    for index in slots.indices { slots[index].state.retry() }
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
    switch slots.first?.state.status {
    case .requested, .answered: phase = .loading(load)
    case .waiting(let wait): phase = .waiting(load, wait)
    case .failed(let error, _): phase = .failed(load, error)
    case nil: finishLoad()
    }
  }
}

/// How much a session should load.
package enum Demand: Sendable, Hashable, Codable {
  case nothing
  /// This many more pages than are loaded now; pages without rows do not count.
  case pages(Int)
  /// Up to this many rows in total.
  case rows(Int)
  case everything

  /// Whether more than one page is wanted, in which case requests are paced.
  package var isBulk: Bool {
    switch self {
    case .nothing: false
    case .pages(let count): count > 1
    case .rows, .everything: true
    }
  }

  /// The remaining demand after a page with rows.
  var afterOnePage: Demand {
    if case .pages(let count) = self { count > 1 ? .pages(count - 1) : .nothing } else { self }
  }

  /// The larger of two demands. Commutative and idempotent, so a key that repeats while a page is loading
  /// does not queue more pages.
  package func merged(with other: Demand) -> Demand {
    switch (self, other) {
    case (.everything, _), (_, .everything): .everything
    case (.nothing, let demand), (let demand, .nothing): demand
    case (.pages(let a), .pages(let b)): .pages(max(a, b))
    case (.rows(let a), .rows(let b)): .rows(max(a, b))
    // A row count comes from a refresh; pages requested during it are beyond those rows (`want`).
    case (.pages(let count), .rows), (.rows, .pages(let count)): .pages(count)
    }
  }
}

extension Session {
  /// The total number of rows to load, as far as known; nil if the length of the list is unknown or only
  /// single pages are wanted.
  package var rowsWanted: Int? {
    switch demand {
    case .nothing, .pages: nil
    case .rows(let count): total.map { min(count, $0.count) } ?? count
    case .everything: total?.count
    }
  }

  /// Loads more. An earlier demand that is not met yet remains, except after a stop, which canceled it. A
  /// wait is not cut short.
  mutating func want(_ requested: Demand) {
    let requested = beyondStaleRows(requested)
    guard requested != .nothing else { return }
    switch phase {
    case .idle where nextPosition != nil:
      demand = requested
      isBulk = requested.isBulk
      phase = .loading(.more)
      proceed()
    case .loading, .waiting:
      merge(requested)
      proceed()
    case .failed:
      merge(requested)
      retry()
    case .stopped(let load):
      demand = requested
      isBulk = requested.isBulk
      phase = .loading(load)
      proceed()
    case .idle, .end: break
    }
  }

  private mutating func merge(_ requested: Demand) {
    demand = demand.merged(with: requested)
    isBulk = isBulk || requested.isBulk
  }

  /// The demand for pages beyond those shown: while stale rows stand in for pages that a refresh has not
  /// reached, those pages come first.
  private func beyondStaleRows(_ requested: Demand) -> Demand {
    guard case .pages(let count) = requested, count > 0, let stale, stale.cause == .refresh else {
      return requested
    }
    return .pages(max(0, stale.pageCount - pageCount) + count)
  }
}

/// The rows of the previous generation, shown until they are replaced.
package struct StaleRows: Sendable {
  package enum Cause: Sendable, Hashable {
    /// Another query: replaced as a whole by its first page.
    case query
    /// The same query: each row is replaced when its page arrives, the rest when the refresh is complete. A
    /// refresh that is stopped or fails leaves them, so that it never shows fewer rows than before.
    case refresh
  }

  package internal(set) var rows: RowStore
  package let cause: Cause
  /// The number of pages that the rows came from.
  let pageCount: Int
  /// The keys of the rows; nil if the rows are from several generations.
  private let known: SeenKeys?

  /// Nil if there are no rows.
  init?(of session: Session, _ cause: Cause) {
    rows = session.rows
    if rows.isEmpty { return nil }
    self.cause = cause
    pageCount = max(rows.blocks.count, session.stale?.pageCount ?? 0)
    known = session.stale == nil ? session.seen : nil
  }

  /// Removes the rows that a reloaded page replaces: those with the same keys and, where rows have no key,
  /// those of the old page at this position. O(rows) at worst; if the order has hardly changed, O(rows of the
  /// page + pages).
  ///
  /// - Parameter keys: The keys of the rows on the new page.
  mutating func giveWay(to keys: [UInt64], at position: Position) {
    let sought = known.map { known in keys.filter(known.contains) } ?? keys
    rows.remove(Set(sought), withoutKeyThrough: position.ordinal)
  }
}

extension Session {
  /// Loads from the first page again, until `rows` rows are loaded, but no more pages than before. An earlier
  /// demand that is not met yet remains.
  mutating func refresh(rows wanted: Int) {
    guard hasQuery else { return }
    let unmet = phase.isStopped ? .nothing : demand
    let old = StaleRows(of: self, .refresh)
    startGeneration(.rows(max(wanted, 1)))
    stale = old
    phase = .loading(old == nil ? .first : .refresh)
    if unmet == .nothing { proceed() } else { want(unmet) }
  }

  /// The number of rows that the current refresh covers; nil if there is none, or if it also loads rows
  /// beyond the previous ones.
  package var refreshedRowsWanted: Int? {
    guard stale?.cause == .refresh, phase.isLoading || phase.isWaiting, case .rows(let count) = demand else {
      return nil
    }
    return count
  }

  /// Handles an expired position (rule 18): starts at the first page again and skips as many rows as were
  /// received, whether they were kept or not. Rows without a key cannot be distinguished and are loaded
  /// again.
  mutating func restart() {
    guard let load = phase.load else { return }
    guard fresh.isKeyed else { return refresh(rows: fresh.count) }
    generation += 1
    slots = []
    nextPosition = rules.first
    var progress = PagingProgress(known: max(progress.received, progress.known))
    progress.lastSentAt = self.progress.lastSentAt
    self.progress = progress
    phase = .loading(load)
    proceed()
  }
}
