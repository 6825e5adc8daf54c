extension Session {
  /// When the next page may be requested; 0 for immediately.
  var earliestStart: Double {
    let account = ledger.current
    let pace = min(account.pace, rules.retry.longestWait)
    let start = max(account.notBefore, pace > 0 ? account.sentAt + pace : 0)
    guard progress.lastSentAt > 0 else { return start }
    let interval = Pacing.interval(
      budget: budget, pagesWanted: pagesWanted,
      minInterval: isBulk || progress.isCatchingUp ? rules.minInterval : 0, now: account.budgetReceivedAt)
    return max(start, max(interval, pace) > 0 ? progress.lastSentAt + max(interval, pace) : 0)
  }

  /// The number of pages still to be requested, as far as known.
  private var pagesWanted: Int {
    var bounds: [Int] = []
    switch demand {
    case .nothing: bounds.append(0)
    case .pages(let count): bounds.append(count - slots.count)
    case .rows(let count): bounds += pages(for: count - fresh.count)
    case .everything: break
    }
    if let most = rules.maxPages { bounds.append(most - pageCount - slots.count) }
    if let most = rules.maxRows { bounds += pages(for: most - fresh.count) }
    if let count = progress.pageCount {
      bounds.append(count - (nextPosition?.ordinal ?? 0))
    } else if let total {
      bounds += pages(for: total.count - progress.received)
    }
    return max(bounds.min() ?? Pacing.unknownPages, 0)
  }

  /// Empty if the page size is not known.
  private func pages(for rows: Int) -> [Int] {
    guard let size = progress.pageSize, size > 0 else { return [] }
    return [rows / size + (rows % size > 0 ? 1 : 0) - slots.count]
  }

  /// The remaining budget as last reported by the service; nil once its window has passed, which `alarm`
  /// signals.
  package var budget: RateBudget? { ledger.current.budget?.current(at: clock) }

  /// Whether pages may be loaded ahead of the user.
  package var allowsPrefetch: Bool { budget?.allowsPrefetch ?? true }

  /// Whether typing may send requests.
  package var allowsLiveQueries: Bool { budget?.allowsLiveQueries ?? true }
}
