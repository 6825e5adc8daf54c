/// The state of the guard: decides which starts are refused or delayed.
///
/// Equal queries are counted by the feedback instances, which know them; see ``Repeats``.
@usableFromInline
struct GuardLedger: Sendable {
  @usableFromInline let rules: GuardRules
  /// One bucket for each feedback; empty without a rate.
  private var buckets: [TokenBucket]
  /// The effects whose start is delayed, until when.
  private var delayed: [Lifetime: (feedback: Int, until: Duration)] = [:]

  init(_ rules: GuardRules, feedbacks: Int) {
    self.rules = rules
    buckets = rules.limits.startRate.map { Array(repeating: TokenBucket($0), count: feedbacks) } ?? []
  }

  /// Why an effect must not be started; `nil` if it may.
  @usableFromInline
  func refusal(depth: Int, isRepeated: Bool) -> LoopGuard.Trip.Reason? {
    if let limit = rules.limits.maximumDepth, depth >= limit { return .depth(limit: limit) }
    if isRepeated, let limit = rules.limits.maximumRepeats { return .repeatedQuery(limit: limit) }
    return nil
  }

  /// How long the start of an effect must be delayed; `nil` if it may start now.
  @usableFromInline
  mutating func delay(_ lifetime: Lifetime, feedback: Int, depth: Int) -> Duration? {
    guard depth > 0, !buckets.isEmpty else { return nil }
    let now = rules.limits.now()
    let delay = buckets[feedback].take(at: now)
    guard delay > .zero else { return nil }
    delayed[lifetime] = (feedback, now + delay)
    return delay
  }

  /// Returns the token of an effect that was canceled before its delayed start.
  @usableFromInline
  mutating func ended(_ lifetime: Lifetime) {
    guard !delayed.isEmpty, let (feedback, until) = delayed.removeValue(forKey: lifetime) else { return }
    if rules.limits.now() < until { buckets[feedback].giveBack() }
  }
}

/// The limits of a guard, and access to the state for comparisons.
@usableFromInline
final class GuardRules: Sendable {
  @usableFromInline let limits: LoopGuard
  /// A copy of the current state of the system.
  let snapshot: @Sendable () -> any Sendable

  init(_ limits: LoopGuard, snapshot: @escaping @Sendable () -> any Sendable) {
    self.limits = limits
    self.snapshot = snapshot
  }
}

/// Admits `burst` starts at once and `perSecond` per second in the long run, and delays the others.
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
  mutating func take(at now: Duration) -> Duration {
    if let filledAt {
      let seconds = max(0, (now - filledAt) / .seconds(1))
      tokens = min(Double(rate.burst), tokens + seconds * rate.perSecond)
    }
    filledAt = now
    tokens -= 1
    return tokens >= 0 ? .zero : .seconds(-tokens / rate.perSecond)
  }

  mutating func giveBack() { tokens = min(Double(rate.burst), tokens + 1) }
}
