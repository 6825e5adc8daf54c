/// One query and everything loaded for it, as a value. Both modes, pager and one-shot, run this session
/// with this `reduce`; what should happen next is derived from it (`requests`, `waits`).
package struct Session: Sendable {
  package let rules: Rules
  package internal(set) var query: Query
  package internal(set) var generation = 0
  package internal(set) var phase = Phase.idle
  /// Rows of the current generation.
  package internal(set) var fresh = RowStore()
  /// Rows of the generation before, shown until they are replaced.
  package internal(set) var stale: StaleRows?
  package internal(set) var total: Total?
  /// What is known of the service's limits; outlives a query.
  package internal(set) var ledger = RateLedger()
  package internal(set) var duplicates = 0
  package internal(set) var notes: [String] = []
  /// The latest requests, of all generations.
  package internal(set) var log: [LoggedRequest] = []

  /// What was still wanted when the list ended.
  package internal(set) var unmetDemand = Demand.nothing

  var demand = Demand.nothing
  /// The demand was for several pages when it began: all of them are paced, the last one too.
  var isBulk = false
  /// Pages asked for and not yet merged, in page order.
  var slots: [Slot] = []
  /// The first page that has no slot yet; nil before the first search and after the end.
  var frontier: Position?
  /// The keys of all rows of the current generation.
  package internal(set) var seen = SeenKeys()
  var walk = Walk()
  /// The total that was asked for last, apart from the pages.
  var totalRun = TotalRun(generation: 0)
  /// The latest time heard of, in seconds by the run's clock, which counts on evenly from the time of day at the start
  /// (seconds since 1970). All times of a session are by this clock.
  package internal(set) var clock = 0.0

  package init(rules: Rules, query: Query = Query()) {
    self.rules = rules
    self.query = query
  }

  /// A page that was asked for.
  struct Slot: Sendable {
    enum Status: Sendable {
      case asked
      case waiting(Wait)
      case arrived(Page)
      /// Given up; what is refused for a time may be asked for again then.
      case failed(PageError, until: Double?)
    }

    var position: Position
    var attempt = 0
    var status = Status.asked
  }
}

extension Session {
  /// The rows to show: fresh ones, with old rows where no fresh ones are yet.
  package var rows: RowStore {
    guard let stale else { return fresh }
    switch stale.cause {
    case .query: return fresh.blocks.isEmpty ? stale.rows : fresh
    case .refresh: return RowStore(fresh, then: stale.rows)
    }
  }

  /// How many rows of `rows`, from the first, are of the current generation.
  package var freshCount: Int { fresh.count }

  /// Pages loaded in this generation.
  package var pageCount: Int { fresh.releasedBlocks + fresh.blocks.count }

  /// Rows the service has sent in this generation: those that repeat earlier ones or are filtered out here
  /// included, those of overlaps not.
  package var receivedCount: Int { walk.received - walk.skipped }

  /// Rows of the pages that are written (one-shot).
  package var writtenRowCount: Int { fresh.releasedRows }

  /// Whether the query is long enough to be asked.
  package var isAsking: Bool { query.text.trimmedBlanks.count >= rules.minLength }

  /// Everything that was asked for has come, or will not.
  package var isSettled: Bool {
    switch phase {
    case .loading, .waiting: false
    case .idle, .failed, .stopped, .end: true
    }
  }
}

extension Session {
  /// The list ended before everything that was asked for had come.
  package var isWantingMore: Bool { unmetDemand != .nothing }

  /// The list itself has ended, and not because no more of it was asked for.
  package var isListOver: Bool {
    guard case .end(let reason) = phase else { return false }
    return switch reason {
    case .last, .emptyPage, .total, .cap, .status, .repeats, .emptyPages: true
    case .limit, .maxPages, .maxRows, .refusedNext: false
    }
  }

  package var isIdle: Bool { if case .idle = phase { true } else { false } }

  /// Whether a page is known that was not asked for yet.
  package var hasMore: Bool { frontier != nil }

  /// The ordinal of the page that is being asked for, waited for or failed; nil when there is none.
  package var currentOrdinal: Int? { slots.first?.position.ordinal }
}
