/// What a service counts requests under: its origin and, where it tells, the name of the bucket.
package struct RateBucket: Sendable, Hashable {
  package let origin: Origin
  package let name: String?

  package init(origin: Origin, name: String? = nil) {
    self.origin = origin
    self.name = name
  }

  /// - Parameter reply: nil when the body cannot be read; header fields still count.
  init(of origin: Origin, limits: Limits, reply: ReplyValues?, headers: HTTPFields) {
    let name = limits.bucket.flatMap { expression in
      reply.map { $0.text(of: expression) } ?? headers.value(of: expression)
    }
    self.init(origin: origin, name: name.map { String($0.prefix(100)) })
  }
}

/// What a session knows of the limits of its service, bucket by bucket, over all its queries.
package struct RateLedger: Sendable, Hashable {
  package struct Account: Sendable, Hashable {
    package fileprivate(set) var budget: RateBudget?
    /// When the budget arrived, in seconds since 1970.
    package fileprivate(set) var heardAt = 0.0
    /// Refusals for limits since the last page.
    package fileprivate(set) var refusals = 0
    /// No request before this time, in seconds since 1970.
    package fileprivate(set) var notBefore = 0.0
  }

  private var accounts: [RateBucket?: Account] = [:]
  /// The bucket heard of last, under which the next request is expected to count.
  private var last: RateBucket?

  package init() {}

  package var current: Account { accounts[last] ?? Account() }

  package mutating func note(_ page: Page) {
    change(page.bucket) { account in
      account.hear(page.budget, at: page.exchange.arrivedAt)
      account.refusals = 0
      if let backoff = page.backoff {
        account.notBefore = max(account.notBefore, page.exchange.arrivedAt + backoff)
      }
    }
  }

  /// - Parameter now: when the reply arrived, in seconds since 1970.
  package mutating func note(_ reply: TotalReply, at now: Double) {
    change(reply.bucket ?? last) { account in
      account.hear(reply.budget, at: now)
      account.refusals = 0
    }
  }

  /// Refusals that arrive while one is being waited for are of the same burst: they count once.
  package mutating func note(_ error: PageError, at now: Double) {
    change(error.bucket ?? last) { account in
      account.hear(error.budget, at: now)
      if error.kind == .rateLimited, now >= account.notBefore || account.refusals == 0 {
        account.refusals += 1
      }
    }
  }

  /// Leaves the bucket heard of last alone until a time.
  package mutating func hold(until time: Double) {
    change(last) { $0.notBefore = max($0.notBefore, time) }
  }

  private mutating func change(_ bucket: RateBucket?, _ change: (inout Account) -> Void) {
    // A service that names a new bucket each time must not fill the memory.
    if accounts.count >= 64, accounts[bucket] == nil { accounts = [:] }
    change(&accounts[bucket, default: Account()])
    last = bucket
  }
}

extension RateLedger.Account {
  fileprivate mutating func hear(_ budget: RateBudget?, at time: Double) {
    guard let budget else { return }
    self.budget = budget
    heardAt = time
  }
}

extension RateBudget {
  /// The budget, unless its window is over.
  package func current(at now: Double) -> RateBudget? { resetsAt.map { $0 <= now } ?? false ? nil : self }

  /// Whether pages may be loaded before they are asked for.
  package var allowsPrefetch: Bool { remaining.map { $0 > 1 } ?? true }

  /// Whether typing may ask by itself.
  package var allowsLiveQueries: Bool { remaining.map { $0 > 2 } ?? true }
}
