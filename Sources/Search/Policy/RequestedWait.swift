private import Text

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
  static func stated(
    by rule: ErrorRule?, limits: Limits, reply: ReplyValues?, headers: HTTPFields
  ) -> Double? {
    func text(_ expression: ValueExpression) -> String? {
      reply.map { $0.text(of: expression) } ?? headers.value(of: expression)
    }
    if let field = rule?.waitFrom, let seconds = text(field.value).flatMap({ field.seconds(in: $0) }) {
      return seconds
    }
    return limits.backoff.flatMap(text).flatMap { WaitSeconds.seconds($0) }
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
