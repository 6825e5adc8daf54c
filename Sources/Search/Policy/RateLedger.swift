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
