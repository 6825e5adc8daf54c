/// Reports feedbacks that drive themselves and, if configured, limits them.
///
/// A feedback loop can drive itself: an effect's event changes the state, and the state requests the next effect. This
/// is how pages load one after another, but also how an endless loop of requests arises. The library cannot know which
/// is meant. So the standard guard **stops nothing**: it reports a feedback, once, as
/// ``Diagnostic/drivesItself(feedback:query:effects:)``, when it has started
/// - 1,000 effects, each caused by the last, or
/// - 100 effects a minute for a minute, each caused by the last.
///
/// An effect is caused by the last if the event of the last led to the state that requested it, directly or through
/// other feedbacks. An event that was passed to `send` begins a new chain. So does one that its feedback declares as
/// *progress*: a page with rows, or a tick of a timer. An event that a ``Feedback/bind(delivery:name:progress:_:)``
/// sends is a consequence of the state that the binding received last.
///
/// ## Limits
/// A program whose requests cost something should have limits. Both are off unless they are set:
/// - **Depth.** The state after an event from `send`, or after progress, has causal depth 0; after any other event of an
///   effect, one more than the state that requested the effect. An effect is refused if the state that requests it has
///   depth ``maximumDepth`` or more.
/// - **Rate.** An effect requested at a depth above 0 is *delayed* if its feedback has started effects faster than
///   ``startRate``. None is lost.
///
/// ```swift
/// let system = FeedbackSystem<State, Event>(
///   initialState: State(), reduce: reduce,
///   feedbacks: [.react(to: \.request, name: "page", progress: { _, state in state.isGrowing }, effect: load)],
///   guard: LoopGuard(maximumDepth: 64, startRate: .init(perSecond: 2, burst: 10)),
///   onTrip: { trip in .stopped(because: "\(trip)") })
/// ```
///
/// Each refusal is a ``Trip``, which the application can convert to an event, and which is otherwise a ``Diagnostic``. A
/// refused query holds no slot of `maxConcurrent`. It is requested again when the state leaves it and returns to it. The
/// loop itself continues and accepts events as before.
public struct LoopGuard: Sendable {
  /// The causal depth from which effects are refused; `nil` for no limit.
  public var maximumDepth: Int?
  /// How fast one feedback may start effects requested because of other effects; `nil` for no limit.
  public var startRate: StartRate?
  @usableFromInline private(set) var reportsChains = true
  @usableFromInline let now: @Sendable () -> Duration
  @usableFromInline let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a guard that reports, and has the limits that are not `nil`. The clock measures all times.
  public init(
    maximumDepth: Int? = nil, startRate: StartRate? = nil, clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.maximumDepth = maximumDepth
    self.startRate = startRate
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }

  /// The same guard, with all times measured by another clock.
  package func measured(by clock: some Clock<Duration>) -> LoopGuard {
    var other = LoopGuard(maximumDepth: maximumDepth, startRate: startRate, clock: clock)
    other.reportsChains = reportsChains
    return other
  }

  /// Only reports: no effect is refused or delayed.
  public static let standard = LoopGuard()

  /// Neither reports nor limits.
  public static let off: LoopGuard = {
    var off = LoopGuard()
    off.reportsChains = false
    return off
  }()

  /// A number of starts per second, with an allowance for bursts.
  public struct StartRate: Sendable, Hashable {
    /// Starts per second in the long run; less than one per hour counts as one per hour.
    public var perSecond: Double
    /// The number of starts that are allowed at once after a pause.
    public var burst: Int

    /// Creates a rate; with a burst below 1 every start that counts is delayed.
    public init(perSecond: Double, burst: Int) {
      self.perSecond = perSecond
      self.burst = burst
    }
  }
}

extension LoopGuard {
  /// A refusal to start an effect.
  public struct Trip: Sendable, Hashable, CustomStringConvertible {
    /// The name of the feedback whose effect was refused.
    public let feedback: String
    /// The description of the query that was refused.
    public let query: String
    /// The causal depth of the state that requested the effect: how many effects caused one another without progress.
    public let depth: Int

    /// One sentence with the feedback, the query and the depth.
    public var description: String {
      "feedback \"\(feedback)\" was stopped at depth \(depth), query \(query): "
        + "\(depth) effects caused one another without progress"
    }
  }
}

/// Counts the consecutive effects of one feedback, each caused by the last.
@usableFromInline
struct Chain: Sendable {
  private var depth = 0
  @usableFromInline private(set) var count = 0
  /// When the watched minute began, and how many effects started since.
  private var minute = (start: Duration.zero, count: 0)
  private var isReported = false

  init() {}

  /// Counts a start; returns true for the start at which the feedback is to be reported.
  mutating func isToReport(_ depth: Int, _ now: () -> Duration) -> Bool {
    if isReported { return false }
    if depth == 0 { (self.depth, count) = (0, 0) }
    guard depth > self.depth else { return false }
    self.depth = depth
    count += 1
    let now = now()
    let minutes = count == 1 ? 0 : (now - minute.start) / .seconds(60)
    isReported = count >= 1_000 || (minutes >= 1 && Double(minute.count) >= 100 * minutes)
    if count == 1 || minutes >= 1 { minute = (now, 0) }
    minute.count += 1
    return isReported
  }
}

/// Admits `burst` starts at once and `perSecond` per second in the long run, and delays the others.
@usableFromInline
struct TokenBucket: Sendable {
  private let rate: LoopGuard.StartRate
  /// The available tokens; negative by the number of delayed starts.
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
