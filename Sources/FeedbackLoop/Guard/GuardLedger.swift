/// The state of the guard: decides which starts are refused.
@usableFromInline
struct GuardLedger: Sendable {
  @usableFromInline
  struct Refusal: Sendable {
    let reason: LoopGuard.Trip.Reason
    /// Whether this is the first refusal for this feedback since the last event from outside or progress.
    let isFirst: Bool
  }

  private struct Account {
    var refusedIn: UInt64?
    var bucket: TokenBucket?
  }

  private let rules: LoopGuard
  private var accounts: [Account]
  /// Increases whenever an event from outside or progress is reduced.
  @usableFromInline private(set) var epoch: UInt64 = 0

  init(_ rules: LoopGuard, feedbacks: Int) {
    self.rules = rules
    let account = Account(bucket: rules.startRate.map { TokenBucket($0) })
    accounts = Array(repeating: account, count: feedbacks)
  }

  /// Called when an event from outside or progress was reduced.
  @usableFromInline
  mutating func reset() {
    epoch &+= 1
  }

  /// Whether, and why, an effect must not be started.
  @usableFromInline
  mutating func refusal(feedback: Int, depth: Int, repeats: Int) -> Refusal? {
    guard let reason = reason(feedback: feedback, depth: depth, repeats: repeats) else { return nil }
    defer { accounts[feedback].refusedIn = epoch }
    return Refusal(reason: reason, isFirst: accounts[feedback].refusedIn != epoch)
  }

  private mutating func reason(feedback: Int, depth: Int, repeats: Int) -> LoopGuard.Trip.Reason? {
    if let limit = rules.maximumDepth, depth >= limit { return .depth(limit: limit) }
    if let limit = rules.maximumRepeats, repeats >= limit { return .repeatedQuery(limit: limit) }
    guard depth > 0, let rate = rules.startRate else { return nil }
    let isFree = accounts[feedback].bucket?.take(at: rules.now()) ?? true
    return isFree ? nil : .startRate(rate)
  }
}

/// Admits `burst` starts at once and `perSecond` per second in the long run.
struct TokenBucket: Sendable {
  private let rate: LoopGuard.StartRate
  private var tokens: Double
  private var filledAt: Duration?

  init(_ rate: LoopGuard.StartRate) {
    self.rate = rate
    tokens = Double(rate.burst)
  }

  /// Takes a token; returns false if none is available at this time.
  mutating func take(at now: Duration) -> Bool {
    if let filledAt {
      let seconds = max(0, (now - filledAt) / .seconds(1))
      tokens = min(Double(rate.burst), tokens + seconds * rate.perSecond)
    }
    filledAt = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
