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
package struct RateBudget: Sendable, Hashable, Codable {
  package var limit: Int?
  package var remaining: Int?
  /// When the window ends, in seconds since 1970.
  package var resetsAt: Double?
}

extension RateBudget {
  /// The budget; nil once its window has passed.
  package func current(at now: Double) -> RateBudget? { resetsAt.map { $0 <= now } ?? false ? nil : self }

  /// Whether pages may be loaded ahead of the user.
  package var allowsPrefetch: Bool { remaining.map { $0 > 1 } ?? true }

  /// Whether typing may send requests.
  package var allowsLiveQueries: Bool { remaining.map { $0 > 2 } ?? true }
}

/// The unit of rate limiting: the origin and, if the service names it, the bucket.
package struct RateBucket: Sendable, Hashable, Codable {
  package let origin: Origin
  package var name: String?
}

extension RateBucket {
  init(of reply: ReplyValues, limits: Limits) {
    let name = limits.bucket.flatMap { reply.text(of: $0) }
    self.init(origin: reply.url.origin, name: name.map { String($0.prefix(100)) })
  }
}

extension RateBudget {
  /// The rate limit that a reply states: as declared by the source, or else in the `RateLimit` field; nil if
  /// it states none.
  ///
  /// - Parameter now: Seconds since 1970, by the local clock.
  package init?(in reply: ReplyValues, limits: Limits, now: Double) {
    func number(_ expression: ValueExpression?) -> Substring? {
      expression.flatMap { reply.text(of: $0) }.map { $0.trimmedBlanks }
    }
    let clock = ServiceClock(reply.headers, now: now)
    let reset = number(limits.reset)
      .flatMap { Self.reset(String($0), kind: limits.resetKind, now: clock.time) }
      .map { $0 + clock.lag }
    let limit = number(limits.limit).flatMap { Int($0) }
    let remaining = number(limits.remaining).flatMap { Int($0) }
    if limit != nil || remaining != nil {
      self.init(limit: limit, remaining: remaining, resetsAt: reset)
    } else if let field = RateLimitField(reply.headers) {
      self = field.budget(now: now)
    } else {
      return nil
    }
  }

  /// A reset field in seconds since 1970, by the clock of `now`. Without a declared unit, a number above
  /// 10^12 is milliseconds since 1970, above 10^9 seconds since 1970, and below that seconds from now.
  static func reset(_ text: String, kind: ResetKind?, now: Double) -> Double? {
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
    let name: String
    /// The remaining quota (`r`).
    let remaining: Int
    /// Seconds until the quota is reset (`t`).
    let resetsIn: Int?
    /// The quota (`q`).
    let quota: Int?
  }

  /// Never empty.
  private let policies: [Policy]

  /// Nil if there is no such field, or it cannot be parsed.
  init?(_ headers: HTTPFields) {
    let quotas = Self.items(headers.all("RateLimit-Policy")).reduce(into: [String: Int]()) { quotas, item in
      if let quota = item.number("q"), quotas[item.name] == nil { quotas[item.name] = quota }
    }
    policies = Self.items(headers.all("RateLimit")).compactMap { item in
      item.number("r").map {
        Policy(name: item.name, remaining: $0, resetsIn: item.number("t"), quota: quotas[item.name])
      }
    }
    if policies.isEmpty { return nil }
  }

  /// The policy that will be exhausted first.
  var tightest: Policy? {
    policies.min { ($0.remaining, -($0.resetsIn ?? 0)) < ($1.remaining, -($1.resetsIn ?? 0)) }
  }

  /// Seconds until every exhausted policy allows a request again; nil if none is exhausted.
  var exhaustedFor: Double? {
    policies.filter { $0.remaining == 0 }.compactMap(\.resetsIn).max().map(Double.init)
  }

  func budget(now: Double) -> RateBudget {
    RateBudget(
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

/// The wait that a reply requests. The first one present counts: `Retry-After` (seconds, or an HTTP date
/// compared with the reply's own `Date`), the source's own field, an exhausted policy of the `RateLimit`
/// field, an exhausted budget with a known reset.
package enum RequestedWait {
  /// Seconds from `now`; nil if the reply requests no wait.
  ///
  /// - Parameter stated: The value of the source's own field (`wait_from`, `backoff`).
  package static func seconds(
    headers: HTTPFields, stated: Double? = nil, budget: RateBudget?, now: Double
  ) -> Double? {
    if let wait = retryAfter(headers, now: now) ?? stated { return min(wait, WaitSeconds.most) }
    if let wait = RateLimitField(headers)?.exhaustedFor { return wait }
    guard let budget, budget.remaining == 0, let reset = budget.resetsAt else { return nil }
    return min(max(0, reset - now) + 1, WaitSeconds.most)
  }

  /// The value of the source's own field in a failed reply: that of the matching rule, or else `backoff`.
  static func stated(in reply: ReplyValues, by rule: ErrorRule?, limits: Limits) -> Double? {
    if let field = rule?.waitFrom, let seconds = reply.text(of: field.value).flatMap(field.seconds) {
      return seconds
    }
    return limits.backoff.flatMap { reply.text(of: $0) }.flatMap { WaitSeconds.seconds($0) }
  }

  /// RFC 9110 section 10.2.3. Negative, fractional, empty, and malformed values are ignored.
  static func retryAfter(_ headers: HTTPFields, now: Double) -> Double? {
    guard let text = headers.first("Retry-After")?.trimmedBlanks, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return Double(text)
    }
    guard let now = Timestamp(epoch: now), let until = Timestamp(httpDate: text, now: now),
      let date = headers.first("Date").flatMap({ Timestamp(httpDate: $0, now: now) })
    else { return nil }
    let wait = until.epoch - date.epoch
    return wait >= 0 ? wait : nil
  }
}

/// The time of day at a service, which its rate limit resets refer to.
struct ServiceClock {
  /// Seconds since 1970, by the service's clock.
  let time: Double
  /// How far the local clock is ahead, in seconds.
  let lag: Double

  /// From the reply's `Date` and `Age` (RFC 9110 section 6.6.1, RFC 9111 section 5.1); the local clock if
  /// they are missing.
  init(_ headers: HTTPFields, now: Double) {
    let date = headers.first("Date").flatMap { text in
      Timestamp(epoch: now).flatMap { Timestamp(httpDate: text, now: $0) }
    }
    let age = headers.first("Age").flatMap { Double($0) }.flatMap { 0...1e9 ~= $0 ? $0 : nil } ?? 0
    time = date.map { $0.epoch + age } ?? now
    lag = now - time
  }
}

/// Numbers of seconds as services write them; invalid ones (infinite, negative, not a number) are rejected.
enum WaitSeconds {
  /// Longer than any real wait; keeps arithmetic with times exact.
  static let most = 1e9

  static func seconds(_ text: some StringProtocol) -> Double? {
    guard let number = Double(text.trimmedBlanks), number.isFinite, number >= 0 else { return nil }
    return min(number, most)
  }

  /// The number at the beginning of a text.
  static func leadingSeconds(_ text: Substring) -> Double? {
    seconds(text.prefix { $0.isASCII && $0.isNumber || $0 == "." })
  }
}
