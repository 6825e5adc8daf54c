package import HTTPValues
private import Text

/// Where a service reports its rate limits, and how requests are paced (`[limits]`).
package struct Limits: Sendable {
  package static let standard = Limits()

  package var limit: ValueExpression?
  package var remaining: ValueExpression?
  package var reset: ValueExpression?
  package var resetKind: ResetKind?
  /// The budget that a request counts against, if there are several.
  package var bucket: ValueExpression?
  /// A body field with a requested pause in seconds.
  package var backoff: ValueExpression?
  /// The minimum interval between two requests of a run.
  package var minInterval = Duration.zero
  /// The number of addressable pages that may be requested concurrently.
  package var concurrency = 4
}

/// The unit of a reset field.
package enum ResetKind: String, Sendable, CaseIterable {
  case epoch
  case epochMilliseconds = "epoch_ms"
  case seconds
  case iso8601
  case httpDate = "http-date"
}

/// The remaining requests in the current window of a rate limit.
package struct RateBudget: Sendable, Hashable {
  package var limit: Int?
  package var remaining: Int?
  /// When the window ends, in seconds since 1970.
  package var resetsAt: Double?

  package init(limit: Int? = nil, remaining: Int? = nil, resetsAt: Double? = nil) {
    (self.limit, self.remaining, self.resetsAt) = (limit, remaining, resetsAt)
  }

  /// The budget; nil once its window has passed.
  package func current(at now: Double) -> RateBudget? { resetsAt.map { $0 <= now } ?? false ? nil : self }

  /// Whether pages may be loaded ahead of the user.
  package var allowsPrefetch: Bool { remaining.map { $0 > 1 } ?? true }

  /// Whether typing may send requests.
  package var allowsLiveQueries: Bool { remaining.map { $0 > 2 } ?? true }
}

/// The unit of rate limiting: the origin and, if the service names it, the bucket.
package struct RateBucket: Sendable, Hashable {
  package let origin: Origin
  package var name: String?
}

extension RateBucket {
  init(of response: ResponseValues, limits: Limits) {
    let name = limits.bucket.flatMap { response.text(of: $0) }
    self.init(origin: response.url.origin, name: name.map { String($0.prefix(100)) })
  }
}

extension RateBudget {
  /// The rate limit in a response: at the locations that the source declares, or else in the `RateLimit` field.
  ///
  /// - Parameter now: Seconds since 1970, by the local clock.
  package init?(in response: ResponseValues, limits: Limits, now: Double) {
    func number(_ expression: ValueExpression?) -> Substring? {
      expression.flatMap { response.text(of: $0) }.map { $0.trimmedBlanks }
    }
    let clock = ServiceClock(response.headers, now: now)
    let reset = number(limits.reset)
      .flatMap { Self.reset(String($0), kind: limits.resetKind, now: clock.time) }
      .map { $0 + clock.lag }
    let limit = number(limits.limit).flatMap { Int($0) }
    let remaining = number(limits.remaining).flatMap { Int($0) }
    if limit != nil || remaining != nil {
      self.init(limit: limit, remaining: remaining, resetsAt: reset)
    } else if let field = RateLimitField(response.headers) {
      self = field.budget(now: now)
    } else {
      return nil
    }
  }

  /// A reset field in seconds since 1970, by the clock of `now`. Without a declared unit, a number above
  /// 10^12 is milliseconds since 1970, above 10^9 seconds since 1970, and below that seconds from now.
  package static func reset(_ text: String, kind: ResetKind?, now: Double) -> Double? {
    switch kind {
    case .iso8601: return Timestamp(iso8601: text)?.epoch
    case .httpDate: return Timestamp(epoch: now).flatMap { Timestamp(httpDate: text, now: $0) }?.epoch
    case .epoch, .epochMilliseconds, .seconds, nil: break
    }
    guard let number = Double(text), number.isFinite, number >= 0 else { return nil }
    let seconds =
      switch kind {
      case .epoch: number
      case .epochMilliseconds: number / 1000
      case .seconds: now + number
      default: number > 1e12 ? number / 1000 : number > 1e9 ? number : now + number
      }
    return Timestamp(epoch: seconds) == nil ? nil : seconds
  }
}

/// The `RateLimit` and `RateLimit-Policy` fields (draft-ietf-httpapi-ratelimit-headers): structured lists of
/// policies, `"default";r=0;t=30` and `"default";q=100;w=60`.
struct RateLimitField {
  struct Policy {
    /// The remaining quota (`r`).
    let remaining: Int
    /// Seconds until the quota is reset (`t`).
    let resetsIn: Int?
    /// The quota (`q`).
    let quota: Int?
  }

  /// The policies of the field; never empty.
  private let policies: [Policy]

  /// Parses the field; nil if there is none, or it is invalid.
  init?(_ headers: HTTPFields) {
    let quotas = Self.items(headers.all("RateLimit-Policy")).reduce(into: [String: Int]()) { quotas, item in
      if let quota = item.number("q"), quotas[item.name] == nil { quotas[item.name] = quota }
    }
    policies = Self.items(headers.all("RateLimit")).compactMap { item in
      item.number("r").map { Policy(remaining: $0, resetsIn: item.number("t"), quota: quotas[item.name]) }
    }
    if policies.isEmpty { return nil }
  }

  /// Seconds until every exhausted policy allows a request again; nil if none is exhausted.
  var exhaustedFor: Double? {
    policies.filter { $0.remaining == 0 }.compactMap(\.resetsIn).max().map(Double.init)
  }

  /// The budget of the policy that will be exhausted first.
  func budget(now: Double) -> RateBudget {
    let tightest = policies.min {
      ($0.remaining, -($0.resetsIn ?? 0)) < ($1.remaining, -($1.resetsIn ?? 0))
    }
    return RateBudget(
      limit: tightest?.quota, remaining: tightest?.remaining,
      resetsAt: tightest?.resetsIn.map { now + Double($0) })
  }

  /// A list item with its parameters (RFC 9651, section 3.1).
  private struct Item {
    let name: String
    let parameters: [String: String]

    /// A whole number of seconds or requests.
    func number(_ key: String) -> Int? {
      parameters[key].flatMap { Int32($0) }.flatMap { $0 >= 0 ? Int($0) : nil }
    }
  }

  private static func items(_ fields: [String]) -> [Item] {
    fields.flatMap { $0[...].split(outsideQuotesAt: ",") }.compactMap { text in
      let parts = text.split(outsideQuotesAt: ";").map(\.trimmedBlanks)
      guard let name = parts.first, !name.isEmpty else { return nil }
      let pairs = parts.dropFirst().compactMap { part -> (String, String)? in
        guard let equals = part.firstIndex(of: "=") else { return nil }
        return (String(part[..<equals]), String(part[part.index(after: equals)...]))
      }
      return Item(name: String(name), parameters: Dictionary(pairs, uniquingKeysWith: { _, last in last }))
    }
  }
}

/// The time of day at a service, which its rate limit resets refer to.
package struct ServiceClock {
  /// Seconds since 1970, by the service's clock.
  package let time: Double
  /// How far the local clock is ahead, in seconds.
  let lag: Double

  /// Reads the time from `Date` and `Age` (RFC 9110 section 6.6.1, RFC 9111 section 5.1), or else from the local clock.
  package init(_ headers: HTTPFields, now: Double) {
    let date = headers.first("Date").flatMap { text in
      Timestamp(epoch: now).flatMap { Timestamp(httpDate: text, now: $0) }
    }
    let age = headers.first("Age").flatMap { Double($0) }.flatMap { 0...1e9 ~= $0 ? $0 : nil } ?? 0
    time = date.map { $0.epoch + age } ?? now
    lag = now - time
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
    /// The interval in seconds at which the service has accepted requests after it refused some without saying for how
    /// long; 0 until then. Retained for the rest of the run.
    package fileprivate(set) var pace = 0.0
    /// When the last request that got a response was sent.
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
  /// The bucket of the latest response, which the next request is expected to use.
  private var last: RateBucket?

  package init() {}

  package var current: Account { accounts[last] ?? Account() }

  package mutating func note(_ page: Page) {
    change(page.bucket) { account in
      account.receive(page.budget, at: page.exchange.arrivedAt)
      account.accept(page.exchange.sentAt)
      if let backoff = page.backoff {
        account.pausedUntil = max(account.pausedUntil, page.exchange.arrivedAt + backoff)
      }
    }
  }

  /// - Parameter now: When the response was received.
  package mutating func note(_ response: TotalResponse, at now: Double) {
    change(response.bucket ?? last) { account in
      account.receive(response.budget, at: now)
      account.accept(response.exchange?.sentAt ?? 0)
    }
  }

  /// Records a refusal. Refusals that arrive while the session waits after another one belong to the same burst and
  /// count once.
  package mutating func note(_ error: PageError, at now: Double) {
    change(error.bucket ?? last) { account in
      account.receive(error.budget, at: now)
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
  fileprivate mutating func receive(_ budget: RateBudget?, at time: Double) {
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
    refusals = 0
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
