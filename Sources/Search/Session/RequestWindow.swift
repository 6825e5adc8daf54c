extension Session {
  /// The pages to request now, in page order. A feedback sends the requests; each reply identifies its
  /// request.
  package var requests: [PageRequest] {
    slots.filter(\.state.isRequested).map(request(for:))
  }

  /// The next time at which something changes: a wait is over, a budget is reset, or a refused request may be
  /// sent again. It is later than `clock`; a feedback sends `.reached` at that time. Nil if nothing is
  /// scheduled.
  package var alarm: Double? {
    let times = slots.map(\.state.changesAt) + [total(\.changesAt), ledger.current.budget?.resetsAt]
    return times.compactMap(\.self).filter { $0 > clock }.min()
  }

  /// Moves the clock forward and requests whatever was waiting until then. The clock is never set back.
  mutating func advance(to time: Double) {
    guard time > clock else { return }
    clock = time
    _ = totalRun.state.wake(at: time)
    for index in slots.indices where slots[index].state.wake(at: time) {
      progress.lastSentAt = max(progress.lastSentAt, time)
    }
    settlePhase()
  }

  /// The first page that is loaded and not yet written (one-shot mode).
  package var unwritten: (ordinal: Int, block: RowStore.Block)? {
    fresh.blocks.first.map { (fresh.releasedBlocks, $0) }
  }

  func request(for page: PendingPage) -> PageRequest {
    PageRequest(
      query: query, position: page.position, generation: generation, attempt: page.state.attempt)
  }
}

extension Session {
  /// Opens slots while more is wanted, the next position is known, and the window has room.
  mutating func fillWindow() {
    guard phase.isLoading || phase.isWaiting else { return }
    while let position = nextPosition, !isBlocked, isMoreWanted, hasRoom(for: position), hasRoomToWrite {
      let start = earliestStart
      slots.append(PendingPage(position: position, state: stateOfNextPage(startingAt: start)))
      progress.lastSentAt = max(start, clock)
      nextPosition = follower(of: position)
    }
  }

  /// A page has failed for good, so none after it is requested.
  private var isBlocked: Bool { slots.last?.state.failure != nil }

  /// The next position, if it is known without a reply. The page may turn out not to exist.
  func follower(of position: Position) -> Position? {
    guard case .number(let number) = position.value else { return nil }
    return switch rules.numbering {
    case .pages?: position.next(.number(number + 1))
    case .rows?: progress.stride.map { position.next(.number(number + $0)) }
    case nil: nil
    }
  }

  /// Whether the pages loaded and requested fall short of the demand.
  private var isMoreWanted: Bool {
    if let maxPages = rules.maxPages, pageCount + slots.count >= maxPages { return false }
    switch demand {
    case .nothing: return false
    case .pages(let count): return slots.count < count
    case .rows(let count):
      if let stale, stale.cause == .refresh, pageCount + slots.count >= stale.pageCount { return false }
      let expected = slots.count * (progress.pageSize ?? 1_000_000)
      return slots.isEmpty ? fresh.count < count : fresh.count + expected < count
    case .everything: return true
    }
  }

  /// One page may always be in flight, further ones only if they are known to exist.
  private func hasRoom(for position: Position) -> Bool {
    if slots.isEmpty { return true }
    guard slots.count < rules.concurrency, exists(position) else { return false }
    return rules.pagingCap.map { $0.admits(position, received: progress.received) } ?? true
  }

  private func exists(_ position: Position) -> Bool {
    if let count = progress.pageCount { return position.ordinal < count }
    guard let total = firmTotal else { return false }
    switch (rules.numbering, position.value) {
    case (.rows(let first)?, .number(let number)): return number - first < total
    case (.pages?, .number): return progress.pageSize.map { position.ordinal * $0 < total } ?? false
    default: return false
    }
  }

  /// A lower bound for the number of rows; nil if unknown.
  private var firmTotal: Int? {
    switch total {
    case .exact(let count)?, .atLeast(let count)?: count
    case .estimate?, nil: nil
    }
  }

  private var hasRoomToWrite: Bool {
    guard rules.awaitsWriting else { return true }
    let unwritten = fresh.blocks.count
    return slots.count + unwritten < max(rules.concurrency, 2)
  }
}

extension Session {
  /// The remaining budget as last reported by the service; nil once its window has passed, which `alarm`
  /// signals.
  package var budget: RateBudget? { ledger.current.budget?.current(at: clock) }

  /// Whether pages may be loaded ahead of the user.
  package var allowsPrefetch: Bool { budget?.allowsPrefetch ?? true }

  /// Whether typing may send requests.
  package var allowsLiveQueries: Bool { budget?.allowsLiveQueries ?? true }
}

extension Session {
  /// Handles a failed page: pages after one that is given up are canceled, those before it are still loaded.
  mutating func fail(_ error: PageError, for request: PageRequest, at moment: Moment) {
    guard let index = slot(for: request), slots[index].state.isRequested else { return }
    advance(to: moment.now)
    log(error, for: request)
    slots[index].state = state(after: error, attempt: request.attempt, jitter: moment.jitter)
    if slots[index].state.failure != nil {
      slots.removeSubrange((index + 1)...)
      nextPosition = follower(of: slots[index].position)
    }
    settlePhase()
  }
}
