/// Stops chains of effects that make no progress, before they exceed a service's rate limit.
///
/// A feedback loop can drive itself: an effect's event changes the state, and the state requests the next effect. This
/// is how pages load one after another, but also how an endless loop of requests arises. The guard distinguishes them
/// by *progress*. It refuses to start an effect in three cases:
///
/// 1. **Depth.** An event from outside has causal depth 0, as does one that its feedback declares as progress; any
///    other event of an effect has the depth of the state that requested the effect, plus 1. An effect is refused if
///    the state that requests it has depth ``maximumDepth`` or more.
/// 2. **Repetition.** One feedback's equal query was answered ``maximumRepeats`` times in a row, with neither an event
///    from outside nor progress in between.
/// 3. **Rate.** One feedback starts effects faster than ``startRate``. Only starts requested at a depth above 0 count.
///
/// A refused query is not retried until the state leaves it. The first refusal of a feedback after an event from
/// outside or progress is a ``Trip``, which the application can convert to an event. The loop itself continues and
/// accepts events as before.
///
/// ```swift
/// let system = FeedbackSystem<State, Event>(
///   initialState: State(), reduce: reduce,
///   feedbacks: [.react(to: \.request, name: "page", progress: { _, state in state.isGrowing }, effect: load)],
///   guard: LoopGuard(startRate: .init(perSecond: 2, burst: 10)),
///   onTrip: { trip in .stopped(because: "\(trip)") })
/// ```
///
/// An event that causes many effects to start at once, such as a list whose images are loaded individually, should be
/// declared as progress; otherwise the starts beyond the burst are refused.
///
/// Checking a start is O(1).
public struct LoopGuard: Sendable {
  /// The causal depth from which effects are refused; `nil` for no limit.
  public var maximumDepth: Int?
  /// The number of consecutive answers after which an equal query is refused; `nil` for no limit.
  public var maximumRepeats: Int?
  /// How fast one feedback may start effects requested because of other effects; `nil` for no limit.
  public var startRate: StartRate?
  let now: @Sendable () -> Duration

  /// Creates a guard with the given limits; `nil` means no limit. `clock` measures the start rate.
  public init(
    maximumDepth: Int? = 64, maximumRepeats: Int? = 3,
    startRate: StartRate? = StartRate(perSecond: 10, burst: 20),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.maximumDepth = maximumDepth
    self.maximumRepeats = maximumRepeats
    self.startRate = startRate
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
  }

  /// The same guard, with its start rate measured by another clock.
  package func measured(by clock: some Clock<Duration>) -> LoopGuard {
    LoopGuard(
      maximumDepth: maximumDepth, maximumRepeats: maximumRepeats, startRate: startRate, clock: clock)
  }

  /// Depth 64, 3 answers to an equal query, 10 starts per second with a burst of 20.
  public static var standard: LoopGuard { LoopGuard() }

  /// Refuses nothing.
  public static var off: LoopGuard { LoopGuard(maximumDepth: nil, maximumRepeats: nil, startRate: nil) }

  /// A number of starts per second, with an allowance for bursts.
  public struct StartRate: Sendable, Hashable {
    /// Starts per second in the long run.
    public var perSecond: Double
    /// Starts at once after a pause.
    public var burst: Int

    /// Creates a rate; a burst below 1 refuses every start it counts.
    public init(perSecond: Double, burst: Int) {
      self.perSecond = perSecond
      self.burst = burst
    }
  }
}

extension LoopGuard {
  /// A refusal to start an effect.
  public struct Trip: Sendable, Hashable, CustomStringConvertible {
    /// The limit that was exceeded.
    public enum Reason: Sendable, Hashable {
      /// Effects caused one another this many times without progress.
      case depth(limit: Int)
      /// An equal query was answered this many times in a row without progress.
      case repeatedQuery(limit: Int)
      /// Effects requested because of other effects started faster than this.
      case startRate(StartRate)
    }

    /// The limit that was exceeded.
    public let reason: Reason
    /// The name of the feedback whose effect was refused.
    public let feedback: String
    /// The description of the query that was refused.
    public let query: String
    /// The causal depth of the state that requested the effect.
    public let depth: Int

    /// Creates a trip, for tests of how an application handles one.
    public init(reason: Reason, feedback: String, query: String, depth: Int) {
      self.reason = reason
      self.feedback = feedback
      self.query = query
      self.depth = depth
    }

    /// One sentence with the feedback, the query, the depth and the limit.
    public var description: String {
      "feedback \"\(feedback)\" was stopped at depth \(depth), query \(query): \(why)"
    }

    private var why: String {
      switch reason {
      case .depth(let limit): "\(limit) effects caused one another without progress"
      case .repeatedQuery(let limit): "the same query was answered \(limit) times without progress"
      case .startRate(let rate):
        "more than \(rate.perSecond) starts per second (burst \(rate.burst)) without progress"
      }
    }
  }
}

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
  mutating func reset() { epoch &+= 1 }

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
