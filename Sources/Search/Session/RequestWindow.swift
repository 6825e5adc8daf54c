/// How much a session should load.
package enum Demand: Sendable, Hashable {
  case nothing
  /// This many more pages than are loaded now; pages without rows do not count.
  case pages(Int)
  /// This many rows in total.
  case rows(Int)
  case everything

  /// The remaining demand after a page with rows.
  var afterOnePage: Demand {
    if case .pages(let count) = self { count > 1 ? .pages(count - 1) : .nothing } else { self }
  }

  /// Whether more rows are wanted than this number.
  package func exceeds(_ count: Int) -> Bool {
    switch self {
    case .everything: true
    case .rows(let wanted): wanted > count
    case .nothing, .pages: false
    }
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
  /// The number of rows to load in all; nil if the list's length is unknown or only single pages are wanted.
  package var rowsWanted: Int? {
    switch demand {
    case .nothing, .pages: nil
    case .rows(let count): total.map { min(count, $0.count) } ?? count
    case .everything:
      total.map { min($0.count, rules.range?.endRow ?? .max) - (rules.range?.skippedRows ?? 0) }
    }
  }

  /// The number of rows that the current refresh covers; nil without one, or if it loads more than before.
  package var refreshedRowsWanted: Int? {
    guard stale?.cause == .refresh, phase.isLoading || phase.isWaiting, case .rows(let count) = demand else {
      return nil
    }
    return count
  }

  /// Loads more. An earlier unmet demand remains, except after a stop, which canceled it. Waits are not shortened.
  mutating func want(_ requested: Demand) {
    let requested = beyondStaleRows(requested)
    guard requested != .nothing else { return }
    switch phase {
    case .idle where nextPosition != nil: begin(.more, requested)
    case .stopped(let load): begin(load, requested)
    case .loading, .waiting, .failed:
      demand = demand.merged(with: requested)
      if phase.isFailed { retry() } else { proceed() }
    // The list can be continued in parts, which the source allows only in another order.
    case .end where requested == .everything && canContinueInParts: continueInParts()
    case .idle, .end: break
    }
  }

  private mutating func begin(_ load: Load, _ requested: Demand) {
    demand = requested
    phase = .loading(load)
    proceed()
  }

  /// The demand for pages beyond those shown. During a refresh, pages whose stale rows are still shown come first.
  private func beyondStaleRows(_ requested: Demand) -> Demand {
    guard case .pages(let count) = requested, count > 0, let stale, stale.cause == .refresh else {
      return requested
    }
    return .pages(max(0, stale.pageCount - pageCount) + count)
  }
}

extension Session {
  /// The pages to request now, in page order. A feedback sends them; each response identifies its request.
  package var requests: [PageRequest] { slots.filter(\.state.isRequested).map(request(for:)) }

  /// The slot that a request belongs to; nil if its response is late and must be dropped.
  func slot(for request: PageRequest) -> Int? { slots.firstIndex { self.request(for: $0) == request } }

  func request(for page: PendingPage) -> PageRequest {
    PageRequest(
      query: query, position: page.position, generation: generation, attempt: page.state.attempt, list: list,
      validators: page.earlier?.validators, pageSize: page.size)
  }

  /// The first page that is loaded and not yet written (one-shot mode).
  package var unwritten: (ordinal: Int, block: RowStore.Block)? {
    fresh.blocks.first.map { (fresh.releasedBlocks, $0) }
  }
}

extension Session {
  /// Opens slots while the next position is known, more is wanted, no page has failed, and there is room.
  mutating func fillWindow() {
    guard phase.isLoading || phase.isWaiting else { return }
    if demand == .everything, isWorthLargestPages {
      guard slots.isEmpty else { return }
      usesLargestPages = true
      startOver()
    }
    while let position = nextPosition, slots.last?.state.failure == nil, isMoreWanted, hasRoom(for: position),
      hasRoomToWrite, rules.range?.admits(position, rules.numbering) ?? true
    {
      let start = earliestStart
      slots.append(
        PendingPage(
          position: position, earlier: earlierPages[position],
          size: size(of: position), state: stateOfRequest(startingAt: start)))
      if start <= clock { lastSentAt = max(lastSentAt, clock) }
      nextPosition = follower(of: position)
    }
  }

  /// Whether the whole list takes fewer requests from its start on, in the largest pages, than the rest of it in the
  /// usual ones. No position is used with another page size, because it may count pages, even in a cursor or a link.
  /// Rows without a key cannot be distinguished from those loaded before.
  private var isWorthLargestPages: Bool {
    guard let size = rules.largestPage, !usesLargestPages, parts == nil, nextPosition != nil, pageCount > 0,
      let usual = progress.pageSize, size > usual, !progress.isCatchingUp
    else { return false }
    guard let total else { return progress.received <= size && fresh.isKeyed }
    let (most, mostNow) = (pagingCap(ofPages: size)?.rows, rules.pagingCap?.rows)
    if let most, let mostNow, most < mostNow { return false }
    let count = min(total.count, mostNow ?? .max)
    let rest = max(0, count - progress.received)
    return (count + size - 1) / size < (rest + usual - 1) / usual && fresh.isKeyed
  }

  private func pagingCap(ofPages size: Int) -> PagingCap? {
    rules.pagingCap.map { PagingCap(cap: $0.cap, pageSize: size, numbering: $0.numbering) }
  }

  /// See `Rules.pagingCap`.
  var pagingCap: PagingCap? {
    guard usesLargestPages, let size = rules.largestPage else { return rules.pagingCap }
    return pagingCap(ofPages: size)
  }

  /// The next position, if it is known without a response. The page may turn out not to exist.
  func follower(of position: Position) -> Position? {
    if let parts, let part = position.part {
      if part != parts.current {
        // Before its first page, a part is only expected to have rows. Half of them are requested.
        guard let size = progress.pageSize, (position.index + 1) * size < parts.expectedRows(in: part) / 2
        else { return nil }
      } else if let next = expectedPart(after: position) {
        return rules.first.inRun(next)
      }
    }
    guard case .number(let number) = position.value else { return nil }
    return switch rules.numbering {
    case .pages?: position.next(.number(number + 1))
    case .rows?: progress.stride.map { position.next(.number(number + $0)) }
    case nil: nil
    }
  }

  /// Whether the pages loaded and requested fall short of the demand.
  var isMoreWanted: Bool {
    if let maxPages = rules.maxPages, pageCount + slots.count >= maxPages { return false }
    switch demand {
    case .nothing: return false
    case .pages(let count): return slots.count < count
    case .rows(let count):
      // Parts have as many pages as their rows of the time need.
      let most = parts == nil && stale?.cause == .refresh ? stale?.pageCount : nil
      if let most, pageCount + slots.count >= most { return false }
      let expected = slots.count * (progress.pageSize ?? 1_000_000)
      return slots.isEmpty ? fresh.count < count : fresh.count + expected < count
    case .everything: return true
    }
  }

  /// One page may always be in flight, further ones only if they are known to exist.
  private func hasRoom(for position: Position) -> Bool {
    if slots.isEmpty { return otherRequests < rules.concurrency }
    guard slots.count + otherRequests < rules.concurrency, exists(position) else { return false }
    return pagingCap?.admits(position, received: progress.received) ?? true
  }

  private func exists(_ position: Position) -> Bool {
    if let part = position.part, part != parts?.current || position.index == 0 { return true }
    if let count = progress.pageCount { return position.index < count }
    // An estimate is not a lower bound.
    guard let total = listTotal, total != .estimate(total.count) else { return false }
    return switch (rules.numbering, position.value) {
    case (.rows(let first)?, .number(let number)): number - first < total.count
    case (.pages?, .number): progress.pageSize.map { position.index * $0 < total.count } ?? false
    default: false
    }
  }

  private var hasRoomToWrite: Bool {
    !rules.awaitsWriting || slots.count + fresh.blocks.count < max(rules.concurrency, 2)
  }
}

extension Session {
  /// The remaining budget as last reported; nil once its window has passed, which `alarm` signals.
  package var budget: RateBudget? { ledger.current.budget?.current(at: clock) }

  /// Whether pages may be loaded ahead of the user.
  package var allowsPrefetch: Bool { budget?.allowsPrefetch ?? true }

  /// Whether typing may send requests.
  package var allowsLiveQueries: Bool { budget?.allowsLiveQueries ?? true }
}
