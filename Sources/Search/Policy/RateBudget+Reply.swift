private import Text

extension RateBudget {
  /// The rate limit that a reply states: as declared by the source, or else in the `RateLimit` field; nil if
  /// it states none.
  ///
  /// - Parameters:
  ///   - values: The parsed reply; nil if the body cannot be parsed, in which case only header fields are
  ///     used.
  ///   - now: Seconds since 1970, by the local clock.
  package init?(limits: Limits, headers: HTTPFields, values: ReplyValues?, now: Double) {
    func number(_ expression: ValueExpression?) -> Substring? {
      guard let expression else { return nil }
      let text = values.map { $0.text(of: expression) } ?? headers.value(of: expression)
      return text.map { $0.trimmedBlanks }
    }
    let clock = ServiceClock(headers, now: now)
    let reset = number(limits.reset)
      .flatMap { Self.reset(String($0), kind: limits.resetKind, now: clock.time) }
      .map { $0 + clock.lag }
    let limit = number(limits.limit).flatMap { Int($0) }
    let remaining = number(limits.remaining).flatMap { Int($0) }
    if limit != nil || remaining != nil {
      self.init(limit: limit, remaining: remaining, resetsAt: reset)
    } else if let field = RateLimitField(headers) {
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

extension StringProtocol {
  /// Without leading and trailing spaces and tabs.
  var trimmedBlanks: SubSequence {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return self[endIndex...] }
    return start[...last]
  }
}
