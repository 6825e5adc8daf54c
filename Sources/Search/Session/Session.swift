import HTTPValues
package import JSON

/// A query and everything loaded for it, as a value. The pager and one-shot mode both run this session with this
/// `reduce`. The next actions are derived from this value (`requests`, `alarm`).
package struct Session: Sendable {
  package let rules: Rules
  package internal(set) var query: Query
  package internal(set) var generation = 0
  package internal(set) var phase = Phase.idle
  /// Rows of the current generation.
  package internal(set) var fresh = RowStore()
  /// Rows of the previous generation, shown until they are replaced.
  package internal(set) var stale: StaleRows?
  package internal(set) var total: Total?
  /// The known rate limits of the service, retained across queries.
  package internal(set) var ledger = RateLedger()
  package internal(set) var duplicates = 0
  package internal(set) var notes: [String] = []
  /// The latest requests of all generations.
  package internal(set) var log: [LoggedRequest] = []

  /// The list of this session in a run of several lists; nil if it is the only one.
  package internal(set) var list: ListID?
  /// The number of requests to the same origin that other lists of the run have sent or scheduled.
  var otherRequests = 0

  /// The demand that was not met when the list ended.
  package internal(set) var unmetDemand = Demand.nothing

  var demand = Demand.nothing
  /// When the last request for a page was sent, by `clock`; 0 before the first one. Retained across queries.
  var lastSentAt = 0.0
  /// Whether pages of `Rules.largestPage` rows are requested, until the next query.
  var usesLargestPages = false
  /// The first pages of earlier queries, shown again while they are checked.
  var keptQueries = KeptQueries()
  /// Pages requested and not yet merged, in page order.
  var slots: [PendingPage] = []
  /// The first page without a slot; nil before the first search and after the end.
  var nextPosition: Position?
  /// The keys of all rows of the current generation.
  package internal(set) var seen = SeenKeys()
  /// The parts of the list, once it is read in parts.
  package internal(set) var parts: Parts?
  /// The keys of the rows of the current part.
  var partKeys = SeenKeys()
  var progress = PagingProgress()
  /// The pages of the current generation that a refresh may find unchanged.
  var receivedPages = ReceivedPages()
  /// The pages of earlier generations, until the refresh is complete.
  var earlierPages = ReceivedPages()
  /// The separate request for the total of the current generation.
  var totalRequest = RequestState<TotalResponse>()
  /// The latest known time in seconds by the run's clock, which starts at the time of day (seconds since
  /// 1970) and then advances monotonically. All times of a session are by this clock.
  package internal(set) var clock = 0.0

  package init(rules: Rules, query: Query = Query()) {
    self.rules = rules
    self.query = query
  }

  /// A page that is requested and not yet merged.
  struct PendingPage: Sendable {
    let position: Position
    /// The page as it was last loaded, which is used again if the service confirms it.
    var earlier: Page?
    /// The number of rows to request; nil for the page size of the run.
    var size: Int?
    var state = RequestState<Page>()
  }
}

extension Session {
  /// Replaces the cells of a page, which stay those of the same rows. O(pages).
  package mutating func replace(_ page: CellTable, with cells: CellTable) {
    fresh.replace(page, with: cells)
    stale?.rows.replace(page, with: cells)
  }
}

extension Session {
  /// The fixed rules of a session.
  package struct Rules: Sendable, Hashable {
    package var first: Position
    /// See `PaginationStyle.numbering`.
    package var numbering: Numbering?
    /// The paging limit of the service; nil if there is none.
    package var pagingCap: PagingCap?
    /// How the list continues in parts where the service ends it; nil if it does not.
    package var split: Split?
    package var splitStart = SplitStart.atCap
    /// Whether only the totals of the parts are requested.
    package var countsParts = false
    package var repetition = PaginationSettings.Repetition.stop
    /// The number of rows at the start of a page that may repeat the end of the previous page.
    package var overlap = 0
    package var concurrency = 1
    /// The minimum interval in seconds between two requests of a run.
    package var minInterval = 0.0
    package var maxEmptyPages = 3
    /// The page size for loading everything; nil if it is that of the run.
    package var largestPage: Int?
    /// Only header fields indicate the end of the list, and a response without a body (304) may omit them.
    package var hasEndInHeaders = false
    package var maxRows: Int?
    package var maxPages: Int?
    package var retry = RetryPolicy()
    /// Queries shorter than this send no request.
    package var minLength = 1
    /// One-shot mode: a page counts toward `concurrency` until it is written.
    package var awaitsWriting = false
    /// The total is shown, and the service reports it only in response to a separate request.
    package var requestsTotal = false
    /// One-shot mode: pages are retained, without their rows, until the same query is searched again. Nil means no.
    package var keepsPages: Bool?
    /// Whether requests are recorded for the request log.
    package var keepsLog = true
    /// The point at which the run begins; nil for the first page.
    package var resumePoint: ResumePoint?
    /// The pages of the run; nil for all.
    package var range: PageRange?
    /// The share of the service's limits; nil for all.
    var rateShare: RateShare?
  }
}

/// When a list that the service ends early is continued in parts.
package enum SplitStart: Sendable, Hashable {
  /// After its first page, if more rows are wanted than the service returns.
  case atOnce
  /// Where the service ends it, if the list is sorted by the field of the parts; otherwise when everything is wanted.
  case atCap
}

extension Session.Rules {
  package init(first: Position) { self.first = first }

  /// The rules that a source determines; limits on pages and waits are up to the run.
  ///
  /// - Parameters:
  ///   - pageSize: The page size of the run; nil if the service chooses it.
  ///   - credentials: The credentials that the run sends.
  package init(_ source: Source, pageSize: Int?, credentials: Set<CredentialName> = []) {
    let settings = source.pagination.settings
    self.init(
      first: source.pagination.style.first, numbering: source.pagination.style.numbering,
      pagingCap: source.pagination.pagingCap(pageSize: pageSize, with: credentials),
      repetition: settings.repetition, overlap: settings.overlap,
      minInterval: source.limits.minInterval / .seconds(1), maxEmptyPages: settings.maxEmptyPages ?? 3,
      hasEndInHeaders: source.hasEndInHeaders, minLength: source.needsQuery ? source.input.minLength : 0)
  }
}

/// The point at which a run begins if it is not the first page: where another run stopped, or where the user says.
package struct ResumePoint: Sendable, Hashable, Codable {
  package var next: Position
  /// The number of rows on the pages before this position.
  package var received: Int
  /// The number of these rows that no run has loaded, because the user skipped their pages.
  package var skipped = 0
  /// The number of rows on the longest of these pages; nil if it is not known.
  package var largestPage: Int?
  /// The keys of the rows loaded already.
  package var keys: [UInt64] = []
  /// The reason why rows may be missing from the pages before this position; nil if there is none.
  package var doubt: String?
  /// The number of rows that the service reported.
  package var total: Total?
  /// Whether more rows arrived than `total`; nil means no.
  package var isTotalRefuted: Bool?
  /// The parent rows of the list, the topmost first; nil in a run of a single list.
  package var parents: [ParentPoint]?
  /// The parts of the list; nil if it is not read in parts.
  package var parts: Parts?
  /// The lists before this point that were left out; nil if there are none.
  package var leftOut: LeftOutLists?
  /// The lists before this point whose rows may not all have arrived; nil if there are none.
  package var incomplete: [ParentTraversal.IncompleteList]?
}

extension ResumePoint: JSONChecked {
  package func check() throws(JSONCodingError) {
    try next.check()
    try received.check("received")
    try skipped.check("skipped")
    try largestPage?.check("largestPage")
    try parts?.check()
  }
}

/// Lists that runs have given up, and that a resumed run does not try again.
package struct LeftOutLists: Sendable, Hashable, Codable {
  package var count = 0
  /// The parents of the first of them: `project 42`.
  package var parents: [String] = []
}

/// A parent row whose list a run has begun.
package struct ParentPoint: Sendable, Hashable, Codable {
  /// See `ParentRow.value`. No other row of the parent's list has it.
  package var value: String
  /// Whether its list is complete, so that the run continues with the next parent.
  package var isDone = false
}

extension ResumePoint {
  /// Creates the starting point at a page, from 1; nil if a page is known only from the previous one.
  ///
  /// - Parameter pageSize: The page size of the run; required if pages are located by their first row.
  package init?(page number: Int, of source: Source, pageSize: Int?) {
    let numbering = source.pagination.style.numbering
    guard let next = numbering?.position(of: number - 1, pageSize: pageSize) else { return nil }
    let received = (number - 1) * (pageSize ?? 0)
    self.init(next: next, received: received, skipped: received)
  }
}

extension Session {
  /// The rows to show: fresh ones, and stale ones where there are no fresh ones yet.
  package var rows: RowStore {
    guard let stale else { return fresh }
    switch stale.cause {
    case .query, .earlier: return fresh.blocks.isEmpty ? stale.rows : fresh
    case .refresh: return RowStore(fresh, then: stale.rows)
    }
  }

  /// The number of rows at the start of `rows` that are of the current generation.
  package var freshCount: Int { fresh.count }

  /// The number of pages loaded in this generation.
  package var pageCount: Int { fresh.releasedBlocks + fresh.blocks.count }

  /// The number of rows received in this generation: with duplicates and filtered ones, without overlaps.
  package var receivedCount: Int { (parts?.received ?? 0) + progress.received - progress.skipped }

  /// The number of rows on the pages that have been written (one-shot mode).
  package var writtenRowCount: Int { fresh.releasedRows }

  /// Whether the query is long enough to be sent.
  package var hasQuery: Bool { query.text.trimmedBlanks.count >= rules.minLength }

  /// Whether loading is over: the demand was met, or will not be.
  package var isSettled: Bool { !phase.isLoading && !phase.isWaiting }

  /// Whether the list ended before the demand was met.
  package var isWantingMore: Bool { unmetDemand != .nothing }

  /// Whether the list itself has ended, as opposed to a limit set by the user.
  package var isListOver: Bool {
    if case .end(let reason) = phase { reason.endsList } else { false }
  }

  package var isIdle: Bool { if case .idle = phase { true } else { false } }

  /// Whether there is a known page that has not been requested yet.
  package var hasMore: Bool { nextPosition != nil }

  /// The ordinal of the page that is loading, waiting, or failed; nil if there is none.
  package var currentOrdinal: Int? { slots.first?.position.ordinal }
}

/// What a session is doing. Whether it is loading follows from the phase and is not stored separately.
package enum Phase: Sendable, Hashable {
  /// Nothing is wanted, or the demand is met; more pages may exist.
  case idle
  case loading(Load)
  /// A retry or the next request is scheduled for a known time.
  indirect case waiting(Load, Wait)
  indirect case failed(Load, PageError)
  /// The user stopped the load; nothing loads until requested.
  case stopped(Load)
  case end(EndReason)

  package var load: Load? {
    switch self {
    case .loading(let load), .waiting(let load, _), .failed(let load, _), .stopped(let load): load
    case .idle, .end: nil
    }
  }

  package var isLoading: Bool { if case .loading = self { true } else { false } }
  package var isWaiting: Bool { if case .waiting = self { true } else { false } }
  package var isStopped: Bool { if case .stopped = self { true } else { false } }
  package var isFailed: Bool { if case .failed = self { true } else { false } }
}

/// A load in progress.
package enum Load: Sendable, Hashable {
  /// The first page of a new query.
  case first
  case more
  /// Loads from page 1 again, while the rows loaded before are shown.
  case refresh
}

/// The current time by the clock of the session, and a random number from 0 to 1.
package struct RetryTiming: Sendable, Hashable {
  package var now: Double
  package var jitter: Double

  package init(now: Double, jitter: Double = 0.5) {
    self.now = now
    self.jitter = jitter
  }
}

/// The events of a session.
package enum SessionEvent: Sendable {
  /// A query to load from its first page.
  case searched(Query, Demand)
  /// The user or the run wants more rows or pages.
  case wanted(Demand)
  /// Loads from page 1 again, until `rows` rows are loaded, but at most as many pages as before.
  case refreshed(rows: Int)
  /// The user stopped a load or a wait.
  case stopped
  /// The user retried a failed, waiting, or stopped load.
  case retried
  case loaded(Page, for: PageRequest)
  case failed(PageError, for: PageRequest, at: RetryTiming)
  /// The run's clock has reached this time: the time of `alarm`, or a later one.
  case reached(Double)
  /// The total, from a separate request.
  case totalReceived(TotalResponse, for: TotalQuery)
  case totalFailed(PageError, for: TotalQuery, at: RetryTiming)
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
    case .failed(let error, let request, let time): fail(error, for: request, at: time)
    case .reached(let time): advance(to: time)
    case .totalReceived(let response, let requested): settle(response, for: requested)
    case .totalFailed(let error, let requested, let time): fail(error, for: requested, at: time)
    case .written(let ordinal, let generation): release(ordinal, of: generation)
    }
  }

  private mutating func search(_ query: Query, _ demand: Demand) {
    let old = StaleRows(of: self, .query)
    startGeneration(demand)
    let isOther = query != self.query
    if rules.keepsPages != true || isOther { earlierPages = ReceivedPages() }
    self.query = query
    total = rules.resumePoint?.total
    stale = hasQuery ? old : nil
    usesLargestPages = false
    if hasQuery, isOther, let kept = keptQueries[query] { show(kept) }
    phase = hasQuery ? .loading(.first) : .idle
    guard hasQuery, let start = nextPosition else { return nextPosition = nil }
    // The run to resume has read all that the service returns.
    if parts == nil, let pagingCap, !pagingCap.admits(start, received: progress.received) { finish(.cap) }
    proceed()
  }

  /// Shows the first page of the query as it was, until it is checked.
  private mutating func show(_ kept: KeptQueries.Entry) {
    stale = StaleRows(kept, at: rules.first)
    total = kept.page.total
    // A body that has not changed does not prove that the list has not grown (rule 28).
    if case .end = kept.page.continuation, rules.hasEndInHeaders { return }
    earlierPages.note(kept.page, at: rules.first)
  }

  /// Responses to earlier requests are dropped from here on.
  private mutating func supersedeRequests() {
    generation += 1
    slots = []
    totalRequest = stateOfRequest(startingAt: ledger.current.notBefore)
  }

  private mutating func startGeneration(_ demand: Demand) {
    supersedeRequests()
    self.demand = demand
    fresh = RowStore()
    nextPosition = rules.resumePoint?.next ?? rules.first
    seen = SeenKeys()
    seen.insert(rules.resumePoint?.keys ?? [])
    parts = rules.resumePoint?.parts
    partKeys = SeenKeys()
    // A body that has not changed does not prove that the list has not grown (rule 28).
    if case .end = phase, rules.hasEndInHeaders { receivedPages.removeLast() }
    earlierPages =
      receivedPages.leadNowhere ? ReceivedPages() : earlierPages.updated(with: receivedPages)
    receivedPages = ReceivedPages()
    progress = PagingProgress(
      received: rules.resumePoint?.received ?? 0, skipped: rules.resumePoint?.skipped ?? 0)
    progress.largestPage = rules.resumePoint?.largestPage ?? 0
    progress.isTotalRefuted = rules.resumePoint?.isTotalRefuted ?? false
    if let doubt = rules.resumePoint?.doubt { progress.note(doubt: doubt) }
    duplicates = 0
    notes = []
    unmetDemand = .nothing
  }

  /// See `SessionEvent.refreshed`. An earlier demand that is not met yet remains.
  private mutating func refresh(rows wanted: Int) {
    guard hasQuery else { return }
    let unmet = phase.isStopped ? .nothing : demand
    let old = StaleRows(of: self, .refresh)
    startGeneration(.rows(max(wanted, 1)))
    stale = old
    phase = .loading(old == nil ? .first : .refresh)
    if unmet == .nothing { proceed() } else { want(unmet) }
  }

  /// Handles an expired position (rule 18): starts at the first page again and skips as many rows as were received,
  /// duplicates included. Rows without a key cannot be distinguished and are loaded again.
  private mutating func restart() {
    guard let load = phase.load else { return }
    guard fresh.isKeyed else { return refresh(rows: fresh.count) }
    supersedeRequests()
    startOver()
    phase = .loading(load)
    proceed()
  }

  /// Continues with the first page of the list or part, skipping the rows that are known.
  mutating func startOver() {
    // These pages lead to positions that are no longer used.
    (receivedPages, earlierPages) = (ReceivedPages(), ReceivedPages())
    nextPosition = rules.first.inRun(parts?.current)
    progress = PagingProgress(known: max(progress.received, progress.known))
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
    if !slots.isEmpty { lastSentAt = max(lastSentAt, clock) }
    phase = .loading(load)
    proceed()
  }

  /// Handles a failed page: pages after one that is given up are canceled, those before it are still loaded.
  private mutating func fail(_ error: PageError, for request: PageRequest, at time: RetryTiming) {
    guard let index = slot(for: request), slots[index].state.isRequested else { return }
    advance(to: time.now)
    log(error, page: request.position.ordinal + 1, attempt: request.attempt)
    slots[index].state = state(after: error, attempt: request.attempt, jitter: time.jitter)
    if case .failed(let error, let until) = slots[index].state.status { giveUp(index, error, until: until) }
    settlePhase()
  }

  /// Handles a page that riffle does not request again automatically.
  mutating func giveUp(_ index: Int, _ error: PageError, until: Double?) {
    slots[index].state.status = .failed(error, until: until)
    if slots[index].position.ordinal > 0 { receivedPages.leadNowhere = true }
    slots.removeSubrange((index + 1)...)
    nextPosition = follower(of: slots[index].position)
  }

  /// Moves the clock forward and sends the requests whose wait is over. The clock is never set back.
  mutating func advance(to time: Double) {
    guard time > clock else { return }
    clock = time
    _ = totalRequest.wake(at: time)
    for index in slots.indices where slots[index].state.wake(at: time) {
      lastSentAt = max(lastSentAt, time)
    }
    settlePhase()
  }

  private mutating func release(_ ordinal: Int, of generation: Int) {
    guard rules.awaitsWriting, generation == self.generation, ordinal == fresh.releasedBlocks else { return }
    fresh.releaseFirst()
    proceed()
  }

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
