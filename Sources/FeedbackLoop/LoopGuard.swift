/// Stops loops that request the same thing endlessly, before they exceed a service's rate limit.
///
/// A feedback loop can drive itself: an effect's event changes the state, and the state requests the next effect. This
/// is how pages load one after another, but also how an endless loop of requests arises. The standard guard stops only
/// what cannot be meant: one feedback answers *equal* queries repeatedly, each because of the answer before it,
/// within a short time, while the state stays the same.
///
/// ## Repetition
/// An effect is refused if all of this is true:
/// - Equal queries of its feedback were answered ``maximumRepeats`` times.
/// - Each was requested as a consequence of the one before. An event from outside, or one that its feedback declares as
///   progress, begins a new count.
/// - On average, one round took less than ``repeatInterval``. So a poll every second may go on forever.
/// - The state as a whole is the same as at the start of the round before. States are compared as `Equatable` if they
///   conform to it; otherwise by their parts, as far as those can be compared.
///
/// A queue of equal jobs, a list of pictures, a retry with back-off or a poll never meet these conditions.
///
/// ## Depth and rate
/// Two more limits are off unless they are set:
/// - **Depth.** An event from outside has causal depth 0, as does one that its feedback declares as progress; any other
///   event of an effect has the depth of the state that requested the effect, plus 1. An effect is refused if the state
///   that requests it has depth ``maximumDepth`` or more.
/// - **Rate.** An effect requested at a depth above 0 is *delayed* if its feedback has started effects faster than
///   ``startRate``. None is lost.
///
/// ## Refusals
/// Each refusal is a ``Trip``, which the application can convert to an event, and which is otherwise a ``Diagnostic``. A
/// refused query holds no slot of `maxConcurrent`. It is requested again when the state leaves it and returns to it, or
/// with ``FeedbackSystem/retryRefused()``. The loop itself continues and accepts events as before.
///
/// ```swift
/// let system = FeedbackSystem<State, Event>(
///   initialState: State(), reduce: reduce,
///   feedbacks: [.react(to: \.request, name: "page", progress: { _, state in state.isGrowing }, effect: load)],
///   guard: LoopGuard(maximumDepth: 64, startRate: .init(perSecond: 2, burst: 10)),
///   onTrip: { trip in .stopped(because: "\(trip)") })
/// ```
///
/// Checking a start is O(1), except that once in ``maximumRepeats`` rounds of equal queries the state is compared.
public struct LoopGuard: Sendable {
  /// The causal depth from which effects are refused; `nil` for no limit.
  public var maximumDepth: Int?
  /// The number of answers after which an equal query is refused if nothing else has changed; `nil` for no limit. With a
  /// limit of 1 there is no earlier round whose state could be compared.
  public var maximumRepeats: Int?
  /// The average time from one answer to an equal query to the next, from which repetition is accepted.
  public var repeatInterval: Duration
  /// How fast one feedback may start effects requested because of other effects; `nil` for no limit.
  public var startRate: StartRate?
  @usableFromInline let now: @Sendable () -> Duration
  @usableFromInline let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a guard; `nil` means no limit.
  ///
  /// - Parameters:
  ///   - maximumDepth: The causal depth from which effects are refused.
  ///   - maximumRepeats: The number of answers after which an equal query is refused.
  ///   - repeatInterval: The average time of a round from which repetition is accepted.
  ///   - startRate: How fast one feedback may start effects requested because of other effects.
  ///   - clock: Measures the times.
  public init(
    maximumDepth: Int? = nil, maximumRepeats: Int? = 32, repeatInterval: Duration = .milliseconds(900),
    startRate: StartRate? = nil, clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.maximumDepth = maximumDepth
    self.maximumRepeats = maximumRepeats
    self.repeatInterval = repeatInterval
    self.startRate = startRate
    let origin = clock.now
    now = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }

  /// The same guard, with all times measured by another clock.
  package func measured(by clock: some Clock<Duration>) -> LoopGuard {
    LoopGuard(
      maximumDepth: maximumDepth, maximumRepeats: maximumRepeats, repeatInterval: repeatInterval,
      startRate: startRate, clock: clock)
  }

  /// Refuses an equal query after 32 answers within 900 ms each, if the state stays the same. No limit of depth or rate.
  public static let standard = LoopGuard()

  /// Refuses and delays nothing.
  public static let off = LoopGuard(maximumRepeats: nil)

  /// A number of starts per second, with an allowance for bursts.
  public struct StartRate: Sendable, Hashable {
    /// Starts per second in the long run; less than one per hour counts as one per hour.
    public var perSecond: Double
    /// Starts at once after a pause.
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
    /// The limit that was exceeded.
    public enum Reason: Sendable, Hashable {
      /// Effects caused one another this many times without progress.
      case depth(limit: Int)
      /// An equal query was answered this many times, one because of the other, without progress.
      case repeatedQuery(limit: Int)
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
      }
    }
  }
}
