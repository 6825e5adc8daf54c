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

  /// Decides what a state requests.
  mutating func step(_ state: State, _ steps: inout Steps<State, Event>)

  /// Called when an effect returned, or was refused by the guard, while its query was still wanted.
  mutating func ended(_ lifetime: Lifetime, _ steps: inout Steps<State, Event>)

  /// Requests everything again that was refused and is still wanted; see ``Steps/refused``.
  mutating func retry(_ steps: inout Steps<State, Event>)

  /// Called in the observer phase of the same state, after the cancellations and starts of all feedbacks.
  mutating func observe(_ state: State)

  /// Called when the system stops.
  mutating func finish()
}

extension FeedbackInstance {
  @usableFromInline var observes: Bool { false }

  @usableFromInline
  mutating func ended(_ lifetime: Lifetime, _ steps: inout Steps<State, Event>) {}

  @usableFromInline
  mutating func retry(_ steps: inout Steps<State, Event>) {}

  @usableFromInline
  mutating func observe(_ state: State) {}

  @usableFromInline
  mutating func finish() {}
}

/// The decisions of all feedbacks for one state.
@usableFromInline
struct Steps<State: Sendable, Event: Sendable>: Sendable {
  /// The causal depth of the state.
  @usableFromInline var depth = 0
  /// The index of the feedback that decides.
  @usableFromInline var feedback = 0
  @usableFromInline var lastLifetime: Lifetime = 0
  @usableFromInline var cancellations: [Lifetime] = []
  @usableFromInline var starts: [Start<State, Event>] = []
  /// While refused effects are requested again, their lifetimes.
  @usableFromInline var refused: Set<Lifetime> = []

  @inlinable
  init() {}

  @inlinable
  mutating func cancel(_ lifetime: Lifetime) { cancellations.append(lifetime) }

  /// Starts an effect, after all cancellations.
  ///
  /// - Parameters:
  ///   - query: What the effect is for; it is described in trips and in the list of running effects.
  ///   - depth: The causal depth of the state that requested it; nil for this one.
  ///   - run: The effect, given what posts its events.
  @inlinable
  mutating func start(
    _ query: any Sendable, depth: Int? = nil,
    run: @escaping @Sendable (@escaping Post<State, Event>) async -> Void
  ) -> Lifetime {
    lastLifetime += 1
    starts.append(
      Start(lifetime: lastLifetime, feedback: feedback, depth: depth ?? self.depth, query: query, run: run))
    return lastLifetime
  }
}

/// An effect to start; see ``Steps/start(_:depth:run:)``.
@usableFromInline
struct Start<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let lifetime: Lifetime
  @usableFromInline let feedback: Int
  @usableFromInline let depth: Int
  @usableFromInline let query: any Sendable
  @usableFromInline let run: @Sendable (@escaping Post<State, Event>) async -> Void

  @inlinable
  init(
    lifetime: Lifetime, feedback: Int, depth: Int, query: any Sendable,
    run: @escaping @Sendable (@escaping Post<State, Event>) async -> Void
  ) {
    self.lifetime = lifetime
    self.feedback = feedback
    self.depth = depth
    self.query = query
    self.run = run
  }
}

/// Posts an event of an effect, and whether it is progress in the state that it leads to.
@usableFromInline
typealias Post<State, Event> = @Sendable (Event, @escaping @Sendable (State) -> Bool) -> Void

/// A two-way binding: one effect from start to stop, which receives the states as a sequence.
struct Binding<State: Sendable, Event: Sendable>: FeedbackInstance {
  let source: StateSource<State>
  let delivery: Delivery
  let body: @Sendable (AsyncStream<State>, Emit<Event>) async -> Void
  /// Nil before the first state.
  private var feed: StateFeed<State>?

  init(
    source: StateSource<State>, delivery: Delivery,
    body: @escaping @Sendable (AsyncStream<State>, Emit<Event>) async -> Void
  ) {
    self.source = source
    self.delivery = delivery
    self.body = body
  }

  var observes: Bool { true }

  mutating func step(_ state: State, _ steps: inout Steps<State, Event>) {
    guard feed == nil else { return }
    let (states, feed) = StateFeed.make(delivery, from: source)
    self.feed = feed
    _ = steps.start(Always()) { [body] post in
      await body(states, Emit { post($0) { _ in true } })
    }
  }

  func observe(_ state: State) { feed?.deliver(state) }

  func finish() { feed?.finish() }
}

/// A feedback that only observes states.
struct Observation<State: Sendable, Event: Sendable>: FeedbackInstance {
  let body: @Sendable (State) -> Void

  var observes: Bool { true }

  func step(_ state: State, _ steps: inout Steps<State, Event>) {}

  func observe(_ state: State) { body(state) }
}
