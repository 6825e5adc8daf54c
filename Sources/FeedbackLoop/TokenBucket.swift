/// Admits `burst` starts at once and `perSecond` per second in the long run, and delays the others.
@usableFromInline
struct TokenBucket: Sendable {
  private let rate: LoopGuard.StartRate
  /// Negative by the number of starts that are delayed.
  private var tokens: Double
  private var filledAt: Duration?

  init(_ rate: LoopGuard.StartRate) {
    self.rate = LoopGuard.StartRate(perSecond: max(1 / 3_600, rate.perSecond), burst: max(0, rate.burst))
    tokens = Double(self.rate.burst)
  }

  /// Takes a token; returns how long to wait until it is available.
  @usableFromInline
  mutating func take(at now: Duration) -> Duration {
    if let filledAt {
      let seconds = max(0, (now - filledAt) / .seconds(1))
      tokens = min(Double(rate.burst), tokens + seconds * rate.perSecond)
    }
    filledAt = now
    tokens -= 1
    return tokens >= 0 ? .zero : .seconds(-tokens / rate.perSecond)
  }

  @usableFromInline
  mutating func giveBack() { tokens = min(Double(rate.burst), tokens + 1) }
}
