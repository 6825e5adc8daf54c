extension Session {
  /// Opens slots while more is wanted, the next position is known, and the window has room.
  mutating func fillWindow() {
    guard phase.isLoading || phase.isWaiting else { return }
    while let position = nextPosition, !isBlocked, isMoreWanted, hasRoom(for: position), hasRoomToWrite {
      let start = earliestStart
      slots.append(Slot(position: position, status: status(startingAt: start)))
      progress.lastSentAt = max(start, clock)
      nextPosition = follower(of: position)
    }
  }

  /// In one-shot mode, a requested pause longer than the user allows is a failure; the pager shows the
  /// remaining time instead.
  private func status(startingAt start: Double) -> Slot.Status {
    if start <= clock { return .requested }
    let requested = ledger.current.notBefore
    if rules.awaitsWriting, requested - clock > rules.retry.longestWait {
      return .failed(.tooLongPause(requested - clock), until: requested)
    }
    return .waiting(Wait(until: start, reason: .pacing))
  }

  /// A page has failed for good, so none after it is requested.
  private var isBlocked: Bool { if case .failed? = slots.last?.status { true } else { false } }

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
