extension Session {
  /// When the next page may be asked, in seconds since 1970; 0 at once.
  var earliestStart: Double {
    let account = ledger.current
    guard walk.lastSentAt > 0 else { return account.notBefore }
    let interval = Pacing.interval(
      budget: account.budget, pagesWanted: pagesWanted,
      minInterval: demand.isBulk || walk.isCatchingUp ? rules.minInterval : 0, now: account.heardAt)
    return max(account.notBefore, interval > 0 ? walk.lastSentAt + interval : 0)
  }

  /// How many pages are still to be asked for, as far as one can tell.
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
    if let count = walk.pageCount {
      bounds.append(count - (frontier?.ordinal ?? 0))
    } else if let total {
      bounds += pages(for: total.count - walk.received)
    }
    return max(bounds.min() ?? Pacing.unknownPages, 0)
  }

  /// Nothing when the page size is not known.
  private func pages(for rows: Int) -> [Int] {
    guard let size = walk.pageSize, size > 0 else { return [] }
    return [rows / size + (rows % size > 0 ? 1 : 0) - slots.count]
  }

  /// What the service still allows, as it said last; nil once that window is over.
  ///
  /// - Parameter now: seconds since 1970.
  package func budget(at now: Double) -> RateBudget? { budget?.current(at: now) }

  /// Whether pages may be loaded before the user asks for them.
  package func allowsPrefetch(at now: Double) -> Bool { budget(at: now)?.allowsPrefetch ?? true }

  /// Whether typing may ask by itself.
  package func allowsLiveQueries(at now: Double) -> Bool { budget(at: now)?.allowsLiveQueries ?? true }
}
