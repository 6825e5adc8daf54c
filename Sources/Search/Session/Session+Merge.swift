extension Session {
  /// Takes a page in, and with it all pages that were only waiting for it.
  mutating func accept(_ page: Page, for request: PageRequest) {
    guard let index = slot(for: request), case .asked = slots[index].status else { return }
    slots[index].status = .arrived(page)
    if let budget = page.budget { self.budget = budget }
    while case .arrived(let page)? = slots.first?.status {
      let position = slots.removeFirst().position
      merge(page, at: position)
      if case .end = phase { return }
    }
    proceed(now: page.exchange.arrivedAt)
  }

  private mutating func merge(_ page: Page, at position: Position) {
    if stale?.cause == .query { stale = nil }
    let kept = newRows(of: page)
    fresh.append(page, kept: kept)
    notes += page.notes
    walk.note(page, newRows: kept.count)
    settleTotal(with: page)
    demand = demand.afterOnePage
    if let reason = endReason(after: page, at: position) {
      finish(reason)
    } else if case .next(let next, _) = page.continuation, slots.isEmpty {
      // Where pages are numbered the frontier is already ahead; it is the same page.
      frontier = next
    }
  }

  /// The rows that no page before had, cut at the rows wanted; counts the others.
  private mutating func newRows(of page: Page) -> [UInt32] {
    var kept: [UInt32] = []
    var keys: [UInt64] = []
    var here = Set<UInt64>()
    kept.reserveCapacity(page.rowCount)
    for row in 0..<page.rowCount {
      let key = page.keys.isEmpty ? RowKey.none : page.keys[row]
      if key != RowKey.none {
        if seen.contains(key) || !here.insert(key).inserted {
          duplicates += 1
          continue
        }
        keys.append(key)
      }
      kept.append(UInt32(row))
    }
    seen.insert(keys)
    if case .rows(let limit) = demand, rules.awaitsWriting, fresh.count + kept.count > limit {
      kept.removeLast(fresh.count + kept.count - limit)
    }
    return kept
  }

  /// The first total wins unless it grows; one smaller than what was received becomes "at least" (rule 12).
  private mutating func settleTotal(with page: Page) {
    if let new = page.total, new.count > total?.count ?? -1 { total = new }
    if let known = total, known.count < walk.received { total = .atLeast(walk.received) }
  }

  /// Why the list is over after this page; nil when it goes on.
  private func endReason(after page: Page, at position: Position) -> EndReason? {
    guard case .next(let next, let evidence) = page.continuation else {
      if case .end(let reason) = page.continuation { return reason }
      return .last
    }
    if page.received == 0 {
      if !evidence.survivesAnEmptyPage { return .emptyPage }
      if next.value == position.value { return .repeats }
      if walk.emptyRun > rules.maxEmptyPages { return .emptyPages(walk.emptyRun) }
    }
    if walk.idleRun >= 2 || (walk.idleRun == 1 && next.value == position.value) { return .repeats }
    if evidence == .none, case .exact(let total)? = total, walk.received >= total { return .total }
    if let last = rules.lastOrdinal, next.ordinal > last { return .cap }
    if case .rows(let count) = demand, fresh.count >= count, rules.awaitsWriting { return .limit }
    if let most = rules.maxPages, pageCount >= most { return .maxPages(most) }
    if let most = rules.maxRows, fresh.count >= most { return .maxRows(most) }
    return nil
  }

  private mutating func finish(_ reason: EndReason) {
    isWantingMore = !isDemandMet
    slots = []
    frontier = nil
    demand = .nothing
    stale = nil
    phase = .end(reason)
  }

  private var isDemandMet: Bool {
    switch demand {
    case .nothing: true
    case .rows(let count): fresh.count >= count
    case .pages, .everything: false
    }
  }

  /// Nothing is in flight any more: the demand is met, or the list cannot go on yet.
  mutating func finishLoad() {
    if rules.awaitsWriting, demand != .nothing, frontier != nil, isMoreWantedAfterWriting { return }
    demand = .nothing
    stale = nil
    phase = .idle
  }

  private var isMoreWantedAfterWriting: Bool { fresh.blocks.count > writtenBlocks }
}

extension Demand {
  fileprivate var afterOnePage: Demand {
    if case .pages(let count) = self { count > 1 ? .pages(count - 1) : .nothing } else { self }
  }
}

extension Session.Walk {
  mutating func note(_ page: Page, newRows: Int) {
    received += page.received
    emptyRun = page.received == 0 ? emptyRun + 1 : 0
    let repeatsLast = page.keys.isEmpty && page.fingerprint != nil && page.fingerprint == lastFingerprint
    let isIdle = repeatsLast && page.received > 0 || newRows == 0 && page.rowCount > 0
    idleRun = isIdle ? idleRun + 1 : 0
    lastFingerprint = page.fingerprint
    if firstPageRows == nil { firstPageRows = page.received }
    lastSentAt = max(lastSentAt, page.exchange.sentAt)
    if let backoff = page.backoff { notBefore = page.exchange.arrivedAt + backoff }
  }
}
