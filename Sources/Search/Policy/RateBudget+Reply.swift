private import Text

extension RateBudget {
  /// What a reply says about the limits; nil when the source declares none or the reply has none.
  ///
  /// - Parameters:
  ///   - values: the readable reply; nil for one whose body is none, where header fields still count.
  ///   - now: seconds since 1970, the base of a reset given as a number of seconds.
  package init?(limits: Limits, headers: HTTPFields, values: ReplyValues?, now: Double) {
    func number(_ expression: ValueExpression?) -> Substring? {
      guard let expression else { return nil }
      let text = values.map { $0.text(of: expression) } ?? headers.value(of: expression)
      return text.map { $0.trimmedBlanks }
    }
    let reset = number(limits.reset).flatMap { Self.reset(String($0), kind: limits.resetKind, now: now) }
    let limit = number(limits.limit).flatMap { Int($0) }
    let remaining = number(limits.remaining).flatMap { Int($0) }
    guard limit != nil || remaining != nil else { return nil }
    self.init(limit: limit, remaining: remaining, resetsAt: reset)
  }

  /// A reset field in seconds since 1970. Without a declared unit: above 10^12 milliseconds, above 10^9
  /// seconds since 1970, else seconds from now.
  static func reset(_ text: String, kind: ResetKind?, now: Double) -> Double? {
    switch kind {
    case .iso8601: return Timestamp(iso8601: text)?.epoch
    case .httpDate: return Timestamp(epoch: now).flatMap { Timestamp(httpDate: text, now: $0) }?.epoch
    case .epoch, .epochMilliseconds, .seconds, nil: break
    }
    guard let number = Double(text), number.isFinite, number >= 0 else { return nil }
    switch kind {
    case .epoch: return number
    case .epochMilliseconds: return number / 1000
    case .seconds: return now + number
    default: return number > 1e12 ? number / 1000 : number > 1e9 ? number : now + number
    }
  }
}

/// How long a reply asks us to wait: the first of `Retry-After` (seconds or an HTTP date compared with
/// the reply's own `Date`), and an exhausted budget with a known reset.
package enum RequestedWait {
  /// Seconds from `now`; nil when the reply names none.
  package static func seconds(
    headers: HTTPFields, budget: RateBudget?, now: Double
  ) -> Double? {
    if let wait = retryAfter(headers, now: now) { return wait }
    guard let budget, budget.remaining == 0, let reset = budget.resetsAt else { return nil }
    return max(0, reset - now) + 1
  }

  /// RFC 9110 section 10.2.3. Negative, fractional, empty and unreadable values are ignored.
  static func retryAfter(_ headers: HTTPFields, now: Double) -> Double? {
    guard let text = headers.first("Retry-After")?.trimmedBlanks, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return Int32(text).map(Double.init)
    }
    guard let now = Timestamp(epoch: now), let until = Timestamp(httpDate: text, now: now),
      let date = headers.first("Date").flatMap({ Timestamp(httpDate: $0, now: now) })
    else { return nil }
    let wait = until.epoch - date.epoch
    return wait >= 0 ? wait : nil
  }
}

extension StringProtocol {
  /// Without spaces and tabs at both ends.
  var trimmedBlanks: SubSequence {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return self[endIndex...] }
    return start[...last]
  }
}
