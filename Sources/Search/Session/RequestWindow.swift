private import Text

extension Session {
  /// The pages to request now, in page order. A feedback sends the requests; each reply identifies its
  /// request.
  package var requests: [PageRequest] {
    slots.compactMap { slot in
      if case .requested = slot.status { request(for: slot) } else { nil }
    }
  }

  /// The next time at which something changes: a wait is over, a budget is reset, or a refused request may be
  /// sent again. It is later than `clock`; a feedback sends `.reached` at that time. Nil if nothing is
  /// scheduled.
  package var alarm: Double? {
    var times = slots.compactMap { slot -> Double? in
      switch slot.status {
      case .waiting(let wait): wait.until
      case .failed(_, let until): until
      case .requested, .arrived: nil
      }
    }
    times += [totalWait?.until, totalRefusedUntil].compactMap(\.self)
    if let reset = ledger.current.budget?.resetsAt { times.append(reset) }
    return times.filter { $0 > clock }.min()
  }

  /// Moves the clock forward and requests whatever was waiting until then. The clock is never set back.
  mutating func advance(to time: Double) {
    guard time > clock else { return }
    clock = time
    wakeTotal(at: time)
    for index in slots.indices {
      guard case .waiting(let wait) = slots[index].status, wait.until <= time else { continue }
      slots[index].status = .requested
      progress.lastSentAt = max(progress.lastSentAt, time)
    }
    settlePhase()
  }

  /// The first page that is loaded and not yet written (one-shot mode).
  package var unwritten: (ordinal: Int, block: RowStore.Block)? {
    fresh.blocks.first.map { (fresh.releasedBlocks, $0) }
  }

  func request(for slot: Slot) -> PageRequest {
    PageRequest(query: query, position: slot.position, generation: generation, attempt: slot.attempt)
  }
}

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

extension Session {
  /// When the page, or the total, that failed may be requested again; nil if the service names no time, or it
  /// has passed.
  package var refusedUntil: Double? {
    let until: Double? =
      if case .failed(_, let until)? = slots.first?.status { until } else { totalRefusedUntil }
    guard let until, until > clock else { return nil }
    return until
  }

  /// Handles a failed page: schedules a retry, or gives up.
  mutating func fail(_ error: PageError, for request: PageRequest, at moment: Moment) {
    guard let index = slot(for: request), case .requested = slots[index].status else { return }
    advance(to: moment.now)
    log(error, for: request)
    ledger.note(error, at: clock)
    let account = ledger.current
    let decision = rules.retry.decision(
      after: error, attempt: slots[index].attempt, refusals: account.refusals, pace: account.pace,
      jitter: moment.jitter)
    switch decision {
    case .again(let delay):
      slots[index].attempt += 1
      slots[index].status =
        delay > 0 ? .waiting(Wait(until: clock + delay, reason: .retry(error))) : .requested
      if error.kind == .rateLimited { ledger.hold(until: clock + delay, from: clock) }
    case .giveUp: giveUp(index, error)
    case .tooLong(let wait): giveUp(index, error.beyondWaitLimit(wait))
    }
    settlePhase()
  }

  /// Cancels the pages after a failed one; those before it are still loaded.
  private mutating func giveUp(_ index: Int, _ error: PageError) {
    slots[index].status = .failed(error, until: error.wait.map { clock + $0 })
    slots.removeSubrange((index + 1)...)
    nextPosition = follower(of: slots[index].position)
  }
}

extension PageError {
  /// The service requested too long a pause in a successful reply.
  static func tooLongPause(_ seconds: Double) -> PageError {
    PageError(.rateLimited, message: "the service requests a pause before the next page", wait: seconds)
      .beyondWaitLimit(seconds)
  }

  /// The same error with a remedy, for a wait longer than the user allows.
  func beyondWaitLimit(_ seconds: Double) -> PageError {
    var error = self
    // After repeated refusals, and if the service names no time, riffle chooses the wait itself.
    let isAsked = wait.map { $0 >= seconds } ?? false
    let start = isAsked ? "the service asks to wait" : "the next request must wait"
    error.wait = seconds
    error.remedy = "\(start) \(DurationText.words(seconds: seconds)). Use --max-wait to allow it"
    return error
  }
}
