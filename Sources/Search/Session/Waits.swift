import HTTPValues
private import Text

// All waits of a session are decided here: after a failure, by `RetryPolicy`; before the next page, by the pause
// that the service requested and by `Pacing`. `RequestedWait` reads what a reply requests, and `RateLedger` keeps
// what the replies of a bucket have shown.

/// A wait for a known time.
package struct Wait: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// A failed page is to be retried.
    case retry(PageError)
    /// Requests are paced.
    case pacing
  }

  /// By the clock of the session.
  package var until: Double
  package var reason: Reason
}

/// A request of a session: sent, waiting, answered, or given up.
struct RequestState<Reply: Sendable>: Sendable {
  enum Status: Sendable {
    case requested
    case waiting(Wait)
    case answered(Reply)
    /// Given up; if refused for a limited time, it may be sent again after it.
    case failed(PageError, until: Double?)
  }

  var attempt = 0
  var status = Status.requested

  var isRequested: Bool { if case .requested = status { true } else { false } }
  var wait: Wait? { if case .waiting(let wait) = status { wait } else { nil } }
  var failure: PageError? { if case .failed(let error, _) = status { error } else { nil } }
  /// When a failed request may be sent again; nil if the service names no time.
  var refusedUntil: Double? { if case .failed(_, let until) = status { until } else { nil } }
  var changesAt: Double? { wait?.until ?? refusedUntil }

  /// Sends the request if its wait is over; returns whether it was.
  mutating func wake(at time: Double) -> Bool {
    guard let wait, wait.until <= time else { return false }
    status = .requested
    return true
  }

  /// Sends the request now. A waiting request keeps its attempt number; after giving up, it is a new attempt.
  mutating func retry() {
    if failure != nil { attempt += 1 }
    if failure != nil || wait != nil { status = .requested }
  }
}

extension Session {
  /// What follows a failed attempt: another one, now or after a wait, or none. A refusal because of a rate
  /// limit holds all requests of its bucket.
  mutating func state<Reply>(after error: PageError, attempt: Int, jitter: Double) -> RequestState<Reply> {
    ledger.note(error, at: clock)
    let account = ledger.current
    let decision = rules.retry.decision(
      after: error, attempt: attempt, refusals: account.refusals, pace: account.pace, jitter: jitter)
    switch decision {
    case .again(let delay):
      if error.kind == .rateLimited { ledger.hold(until: clock + delay, from: clock) }
      let wait = Wait(until: clock + delay, reason: .retry(error))
      return RequestState(attempt: attempt + 1, status: delay > 0 ? .waiting(wait) : .requested)
    case .giveUp:
      return RequestState(attempt: attempt, status: .failed(error, until: error.wait.map { clock + $0 }))
    case .tooLong(let wait):
      return RequestState(
        attempt: attempt, status: .failed(error.beyondWaitLimit(wait), until: clock + wait))
    }
  }

  /// A page that may be requested at this time. In one-shot mode, a requested pause longer than the user allows
  /// is a failure; the pager shows the remaining time instead.
  func stateOfNextPage(startingAt start: Double) -> RequestState<Page> {
    if start <= clock { return RequestState() }
    let requested = ledger.current.notBefore
    if rules.awaitsWriting, requested - clock > rules.retry.longestWait {
      return RequestState(status: .failed(.tooLongPause(requested - clock), until: requested))
    }
    return RequestState(status: .waiting(Wait(until: start, reason: .pacing)))
  }

  /// When the page, or the total, that failed may be requested again; nil if the service names no time, or it
  /// has passed.
  package var refusedUntil: Double? {
    let page = slots.first?.state
    let until = page?.failure == nil ? total(\.refusedUntil) : page?.refusedUntil
    return until.flatMap { $0 > clock ? $0 : nil }
  }

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
}

/// The interval between the requests of a run.
package enum Pacing {
  /// The interval between two requests in seconds. Requests are spread over the rest of the window only if
  /// more pages are wanted than requests remain, and then at most ten seconds apart.
  ///
  /// - Parameters:
  ///   - minInterval: The minimum interval that the source requires, in seconds.
  ///   - pagesWanted: The number of pages still to be requested.
  ///   - now: When the budget was received, in seconds since 1970.
  package static func interval(
    budget: RateBudget?, pagesWanted: Int, minInterval: Double, now: Double
  ) -> Double {
    guard let remaining = budget?.remaining, let reset = budget?.resetsAt, reset > now,
      pagesWanted > remaining
    else { return minInterval }
    return max(minInterval, min(longest, (reset - now) / Double(max(remaining, 1))))
  }

  /// The maximum interval that riffle chooses itself, in seconds.
  static let longest = 10.0

  /// The number of pages assumed if nothing limits them.
  static let unknownPages = 20
}

/// Whether and when a failed page is retried. A pure function of the error, the attempt, and a random number.
package struct RetryPolicy: Sendable, Hashable, Codable {
  /// The number of retries after the first attempt.
  package var attempts: Int
  /// The longest single wait in seconds; a longer one ends the run.
  package var longestWait: Double

  package init(attempts: Int, longestWait: Double) {
    self.attempts = attempts
    self.longestWait = longestWait
  }

  package enum Decision: Sendable, Hashable {
    /// Retry after this many seconds.
    case again(after: Double)
    case giveUp
    /// The service requires a longer wait than the user allows.
    case tooLong(Double)
  }

  /// - Parameters:
  ///   - attempt: 0 for the first failure of a page.
  ///   - refusals: The number of consecutive rate limit refusals, including this one.
  ///   - pace: The interval in seconds that the service has accepted after such refusals; 0 if unknown.
  ///   - jitter: A random number from 0 to 1 for the jitter.
  package func decision(
    after error: PageError, attempt: Int, refusals: Int = 1, pace: Double = 0, jitter: Double
  ) -> Decision {
    let bound = bound(error.canRepeat)
    guard attempt < bound else { return .giveUp }
    let wait: Double
    if let requested = error.wait {
      wait = requested
    } else if error.kind == .rateLimited {
      wait =
        error.waitAtLeast.map { secondaryWait(least: $0, attempt, refusals) }
        ?? max(backoff(attempt, jitter), pace, attempt > 0 && attempt == bound - 1 ? lastLimitWait : 0)
    } else {
      wait = max(error.waitAtLeast ?? 0, backoff(attempt, jitter))
    }
    return wait <= longestWait ? .again(after: wait) : .tooLong(wait)
  }

  private func bound(_ canRepeat: PageError.Repeat) -> Int {
    switch canRepeat {
    case .never, .afterRestart: 0
    case .freely: attempts
    case .atMost(let count): min(count, attempts)
    }
  }

  /// Full jitter: `jitter × min(30, 0.5 · 2^attempt)` seconds.
  private func backoff(_ attempt: Int, _ jitter: Double) -> Double {
    jitter * min(30, 0.5 * Self.doubling(attempt))
  }

  /// The wait for a limit that a rule of the source recognizes: its minimum wait, doubled with each attempt.
  /// A bucket that has refused twice gets no request for at least a minute.
  private func secondaryWait(least: Double, _ attempt: Int, _ refusals: Int) -> Double {
    let wait = max(least, 1) * Self.doubling(attempt)
    return refusals >= 2 ? max(wait, Self.standardLimitWait) : wait
  }

  /// The wait before the last attempt after a refusal without a hint: a minute, the most common window.
  private var lastLimitWait: Double { min(Self.standardLimitWait, longestWait) }

  private static func doubling(_ attempt: Int) -> Double { Double(1 << min(attempt, 16)) }

  /// Seconds to wait after a rate limit refusal that does not say for how long.
  static let standardLimitWait = 60.0
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

/// A session's record of the service's rate limits, by bucket, across all queries.
package struct RateLedger: Sendable, Hashable {
  package struct Account: Sendable, Hashable {
    package fileprivate(set) var budget: RateBudget?
    /// When the budget was received.
    package fileprivate(set) var budgetReceivedAt = 0.0
    /// The number of rate limit refusals since the last page.
    package fileprivate(set) var refusals = 0
    /// The interval in seconds at which the service has accepted requests after it refused some without
    /// saying for how long; 0 until then. Kept for the rest of the run.
    package fileprivate(set) var pace = 0.0
    /// When the last request that got a reply was sent.
    package fileprivate(set) var sentAt = 0.0
    /// No request is sent before this time, because the service refused one or requested a pause.
    package var notBefore: Double { max(heldUntil, pausedUntil) }

    fileprivate var heldUntil = 0.0
    fileprivate var heldFrom = 0.0
    fileprivate var pausedUntil = 0.0
    /// When the last accepted request was sent.
    fileprivate var acceptedAt: Double?
    /// When the first and the last refused request since then were sent.
    fileprivate var refusedAt: ClosedRange<Double>?
  }

  private var accounts: [RateBucket?: Account] = [:]
  /// The bucket of the latest reply, which the next request is expected to use.
  private var last: RateBucket?

  package init() {}

  package var current: Account { accounts[last] ?? Account() }

  package mutating func note(_ page: Page) {
    change(page.bucket) { account in
      account.hear(page.budget, at: page.exchange.arrivedAt)
      account.refusals = 0
      account.accept(page.exchange.sentAt)
      if let backoff = page.backoff {
        account.pausedUntil = max(account.pausedUntil, page.exchange.arrivedAt + backoff)
      }
    }
  }

  /// - Parameter now: When the reply was received.
  package mutating func note(_ reply: TotalReply, at now: Double) {
    change(reply.bucket ?? last) { account in
      account.hear(reply.budget, at: now)
      account.refusals = 0
      account.accept(reply.exchange?.sentAt ?? 0)
    }
  }

  /// Refusals received while another one is being waited out belong to the same burst and count once.
  package mutating func note(_ error: PageError, at now: Double) {
    change(error.bucket ?? last) { account in
      account.hear(error.budget, at: now)
      guard error.kind == .rateLimited else { return }
      if now >= account.notBefore || account.refusals == 0 { account.refusals += 1 }
      let sentAt = error.exchange.flatMap { $0.sentAt > 0 ? $0.sentAt : nil } ?? now
      account.sentAt = max(account.sentAt, sentAt)
      if error.wait == nil, error.waitAtLeast == nil { account.refuse(sentAt) }
    }
  }

  /// Sends no request to the latest bucket before the given time, unless a request sent later than now is
  /// accepted.
  package mutating func hold(until time: Double, from now: Double) {
    change(last) {
      $0.heldUntil = max($0.heldUntil, time)
      $0.heldFrom = now
    }
  }

  private mutating func change(_ bucket: RateBucket?, _ change: (inout Account) -> Void) {
    // A service that names a new bucket each time must not exhaust the memory.
    if accounts.count >= 64, accounts[bucket] == nil { accounts = [:] }
    change(&accounts[bucket, default: Account()])
    last = bucket
  }
}

extension RateLedger.Account {
  fileprivate mutating func hear(_ budget: RateBudget?, at time: Double) {
    guard let budget else { return }
    self.budget = budget
    budgetReceivedAt = time
  }

  fileprivate mutating func refuse(_ time: Double) {
    let first = min(refusedAt?.lowerBound ?? time, time)
    refusedAt = first...max(refusedAt?.upperBound ?? time, time)
  }

  /// Records that a request sent at this time was accepted. If it was sent after a refusal, it shows a
  /// sustainable interval: the time since the previous accepted request, without idle time before the refusal
  /// and after the wait, at most ten seconds.
  fileprivate mutating func accept(_ time: Double) {
    if let refused = refusedAt, time > refused.upperBound {
      let recovery = min(time, max(heldUntil, refused.upperBound) + 1) - refused.lowerBound
      let lead = acceptedAt.map { min(max(refused.lowerBound - $0, 0), recovery) } ?? 0
      pace = max(pace, min(recovery + lead, Pacing.longest))
      refusedAt = nil
    }
    if time > heldFrom { heldUntil = 0 }
    sentAt = max(sentAt, time)
    acceptedAt = max(acceptedAt ?? time, time)
  }
}
