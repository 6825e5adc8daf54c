/// A feedback's state within one system. It is only accessed by the draining thread.
///
/// An instance only decides; it never starts or cancels anything itself. See ``Engine`` for the order in which the
/// decisions of all instances are carried out.
@usableFromInline
protocol FeedbackInstance<State, Event>: Sendable {
  associatedtype State: Sendable
  associatedtype Event: Sendable

  /// Whether ``observe(_:)`` does anything.
  var observes: Bool { get }

  /// What the feedback requests for a state; `nil` if nothing changes.
  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>?

  /// Called in the observer phase of the same state, after the cancellations and starts of all feedbacks.
  mutating func observe(_ state: State)

  /// Called when an effect delivered its first event, or returned without one, while its query was still current. The
  /// depth of the context is the one of the effect's start.
  mutating func answered(_ lifetime: Lifetime, _ context: StepContext)

  /// Called when an effect returned while its query was still current. Returns the effects that take its place.
  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>]

  /// Called when the guard refused to start an effect whose query is still current. Returns the effects that take its
  /// place.
  mutating func refused(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>]

  /// Requests everything again that was refused and is still wanted; `nil` if there is nothing.
  mutating func retryRefused(_ context: inout StepContext) -> Step<Event>?

  /// Called when the system stops.
  mutating func finish()
}

extension FeedbackInstance {
  @usableFromInline var observes: Bool { false }

  @usableFromInline
  mutating func observe(_ state: State) {}

  @usableFromInline
  mutating func answered(_ lifetime: Lifetime, _ context: StepContext) {}

  @usableFromInline
  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] { [] }

  @usableFromInline
  mutating func refused(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] { [] }

  @usableFromInline
  mutating func retryRefused(_ context: inout StepContext) -> Step<Event>? { nil }

  @usableFromInline
  mutating func finish() {}
}

/// What a feedback requests for one state.
@usableFromInline
struct Step<Event: Sendable>: Sendable {
  @usableFromInline var cancellations: [Lifetime] = []
  @usableFromInline var starts: [Start<Event>] = []

  @inlinable
  init(cancellations: [Lifetime] = [], starts: [Start<Event>] = []) {
    self.cancellations = cancellations
    self.starts = starts
  }

  @inlinable var isEmpty: Bool { cancellations.isEmpty && starts.isEmpty }
}

/// An effect to start.
@usableFromInline
struct Start<Event: Sendable>: Sendable {
  @usableFromInline let lifetime: Lifetime
  /// The causal depth of the state that requested it.
  @usableFromInline let depth: Int
  /// Whether the guard must refuse it because equal queries were answered too often.
  @usableFromInline let isRepeated: Bool
  /// What the effect is for; it is described in trips and in the list of running effects.
  @usableFromInline let query: any Sendable
  /// The effect, given its query; its result is its last event. The effects of a feedback share it, so that a start
  /// allocates no closure.
  @usableFromInline let run: Run<Event>

  @inlinable
  init(
    lifetime: Lifetime, depth: Int, isRepeated: Bool, query: any Sendable, run: @escaping Run<Event>
  ) {
    self.lifetime = lifetime
    self.depth = depth
    self.isRepeated = isRepeated
    self.query = query
    self.run = run
  }
}

/// See ``Start/run``.
@usableFromInline
typealias Run<Event: Sendable> = @Sendable (any Sendable, Emit<Event>) async -> Emission<Event>?

/// The information available to an instance when it decides.
@usableFromInline
struct StepContext {
  /// The causal depth of the state.
  @usableFromInline let depth: Int
  @usableFromInline let rules: GuardRules
  @usableFromInline var lastLifetime: Lifetime

  @usableFromInline
  init(depth: Int, rules: GuardRules, lastLifetime: Lifetime) {
    self.depth = depth
    self.rules = rules
    self.lastLifetime = lastLifetime
  }

  @inlinable
  mutating func newLifetime() -> Lifetime {
    lastLifetime += 1
    return lastLifetime
  }
}

/// A two-way binding: one effect from start to stop, which receives the states as a sequence.
struct Binding<State: Sendable, Event: Sendable>: FeedbackInstance {
  let source: StateSource<State>
  let delivery: Delivery
  let body: @Sendable (AsyncStream<State>, Emit<Event>) async -> Void
  // The closures of the feed of states, since they have no type that is looked up for each state; nil before the first one.
  private var deliver: (@Sendable (State) -> Void)?
  private var end: (@Sendable () -> Void)?

  init(
    source: StateSource<State>, delivery: Delivery,
    body: @escaping @Sendable (AsyncStream<State>, Emit<Event>) async -> Void
  ) {
    self.source = source
    self.delivery = delivery
    self.body = body
  }

  var observes: Bool { true }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    deliver == nil ? start(&context) : nil
  }

  /// Apart, as its types are looked up where a generic function begins.
  @inline(never)
  private mutating func start(_ context: inout StepContext) -> Step<Event> {
    let (states, feed) = StateFeed.make(delivery, from: source)
    (deliver, end) = (feed.yield, feed.end)
    let start = Start<Event>(
      lifetime: context.newLifetime(), depth: context.depth, isRepeated: false,
      query: Always(),
      run: { [body] _, emit in
        await body(states, emit)
        return nil
      })
    return Step(starts: [start])
  }

  mutating func observe(_ state: State) { deliver?(state) }

  func finish() { end?() }
}

/// A feedback that only observes states.
struct Observation<State: Sendable, Event: Sendable>: FeedbackInstance {
  let body: @Sendable (State) -> Void

  var observes: Bool { true }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? { nil }

  mutating func observe(_ state: State) { body(state) }
}
