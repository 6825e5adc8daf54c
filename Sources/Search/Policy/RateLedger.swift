package import HTTPValues

/// The unit of rate limiting: the origin and, if the service names it, the bucket.
package struct RateBucket: Sendable, Hashable {
  package let origin: Origin
  package let name: String?

  package init(origin: Origin, name: String? = nil) {
    self.origin = origin
    self.name = name
  }

  /// - Parameter reply: Nil if the body cannot be parsed; header fields are used in any case.
  init(of origin: Origin, limits: Limits, reply: ReplyValues?, headers: HTTPFields) {
    let name = limits.bucket.flatMap { expression in
      reply.map { $0.text(of: expression) } ?? headers.value(of: expression)
    }
    self.init(origin: origin, name: name.map { String($0.prefix(100)) })
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

extension RateBudget {
  /// The budget; nil once its window has passed.
  package func current(at now: Double) -> RateBudget? { resetsAt.map { $0 <= now } ?? false ? nil : self }

  /// Whether pages may be loaded ahead of the user.
  package var allowsPrefetch: Bool { remaining.map { $0 > 1 } ?? true }

  /// Whether typing may send requests.
  package var allowsLiveQueries: Bool { remaining.map { $0 > 2 } ?? true }
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
package struct RetryPolicy: Sendable, Hashable {
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
