/// A feedback's state within one system. It is only accessed by the draining thread.
///
/// An instance only decides; it never starts or cancels anything itself. See ``Engine`` for the order in which the
/// decisions of all instances are carried out.
@usableFromInline
protocol FeedbackInstance<State, Event>: Sendable {
  associatedtype State: Sendable
  associatedtype Event: Sendable

  /// What the feedback requests for a state; `nil` if nothing changes.
  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>?

  /// Called in the observer phase of the same state, after the cancellations and starts of all feedbacks.
  mutating func observe(_ state: State)

  /// Called when an effect delivered its first event, or returned without one, while its query was still current.
  mutating func answered(_ lifetime: Lifetime, epoch: UInt64)

  /// Called when an effect returned, or the guard refused to start it, while its query was still current.
  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> Step<Event>?

  /// Called when the system stops.
  func finish()
}

extension FeedbackInstance {
  @usableFromInline
  mutating func observe(_ state: State) {}

  @usableFromInline
  mutating func answered(_ lifetime: Lifetime, epoch: UInt64) {}

  @usableFromInline
  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> Step<Event>? { nil }

  @usableFromInline
  func finish() {}
}

/// What a feedback requests for one state.
@usableFromInline
struct Step<Event: Sendable>: Sendable {
  @usableFromInline var cancellations: [Lifetime] = []
  @usableFromInline var starts: [Start<Event>] = []
}

/// An effect to start.
@usableFromInline
struct Start<Event: Sendable>: Sendable {
  @usableFromInline let lifetime: Lifetime
  /// The causal depth of the state that requested it.
  @usableFromInline let depth: Int
  /// The number of consecutive answers to an equal query without progress.
  @usableFromInline let repeats: Int
  @usableFromInline let query: @Sendable () -> String
  /// The effect; its result is its last event.
  @usableFromInline let run: @Sendable (Emit<Event>) async -> Event?
}

/// The information available to an instance when it decides.
@usableFromInline
struct StepContext {
  /// The causal depth of the state.
  let depth: Int
  /// Increases whenever an event from outside or progress is reduced.
  let epoch: UInt64
  @usableFromInline private(set) var lastLifetime: Lifetime

  @usableFromInline
  init(depth: Int, epoch: UInt64, lastLifetime: Lifetime) {
    self.depth = depth
    self.epoch = epoch
    self.lastLifetime = lastLifetime
  }

  mutating func newLifetime() -> Lifetime {
    lastLifetime += 1
    return lastLifetime
  }
}

/// A react to at most one query: only the effect of the latest query runs.
struct SingleReact<State: Sendable, Event: Sendable, Query: Equatable & Sendable>: FeedbackInstance {
  private let query: @Sendable (State) -> Query?
  private let effect: @Sendable (Query, Emit<Event>) async -> Event?
  private var current: Query?
  private var lifetime: Lifetime?
  private var repeats = Repeats<Query>()

  init(
    query: @escaping @Sendable (State) -> Query?,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?
  ) {
    self.query = query
    self.effect = effect
  }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = query(state)
    if isCurrent(wanted) { return nil }
    var step = Step<Event>()
    if let lifetime { step.cancellations = [lifetime] }
    current = wanted
    lifetime = nil
    if let wanted { step.starts = [start(wanted, &context)] }
    return step
  }

  mutating func answered(_ lifetime: Lifetime, epoch: UInt64) {
    guard lifetime == self.lifetime, let current else { return }
    repeats.add(current, epoch: epoch)
  }

  /// `wanted == current`, without the conformance of `Optional`, whose lookup costs more than the rest of a step.
  private func isCurrent(_ wanted: Query?) -> Bool {
    guard let wanted else { return current == nil }
    guard let current else { return false }
    return wanted == current
  }

  private mutating func start(_ query: Query, _ context: inout StepContext) -> Start<Event> {
    let lifetime = context.newLifetime()
    self.lifetime = lifetime
    return Start(
      lifetime: lifetime, depth: context.depth, repeats: repeats.count(of: query, epoch: context.epoch),
      query: { String(describing: query) }, run: { [effect] emit in await effect(query, emit) })
  }
}

/// A two-way binding: one effect from start to stop, which receives the states as a sequence.
struct Binding<State: Sendable, Event: Sendable>: FeedbackInstance {
  private let delivery: Delivery
  private let body: @Sendable (AsyncStream<State>, Emit<Event>) async -> Void
  private var continuation: AsyncStream<State>.Continuation?

  init(delivery: Delivery, body: @escaping @Sendable (AsyncStream<State>, Emit<Event>) async -> Void) {
    self.delivery = delivery
    self.body = body
  }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    guard continuation == nil else { return nil }
    let (states, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: delivery.buffering())
    self.continuation = continuation
    let start = Start<Event>(
      lifetime: context.newLifetime(), depth: context.depth, repeats: 0,
      query: { Always().description },
      run: { [body] emit in
        await body(states, emit)
        return nil
      })
    return Step(starts: [start])
  }

  mutating func observe(_ state: State) {
    continuation?.yield(state)
  }

  func finish() {
    continuation?.finish()
  }
}

/// A feedback that only observes states.
struct Observation<State: Sendable, Event: Sendable>: FeedbackInstance {
  let body: @Sendable (State) -> Void

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? { nil }

  mutating func observe(_ state: State) {
    body(state)
  }
}

/// The number of consecutive answers to an equal query since an event from outside or progress was last reduced.
struct Repeats<Query: Equatable & Sendable>: Sendable {
  private var last: (query: Query, count: Int, epoch: UInt64)?

  func count(of query: Query, epoch: UInt64) -> Int {
    guard let last, last.epoch == epoch, last.query == query else { return 0 }
    return last.count
  }

  mutating func add(_ query: Query, epoch: UInt64) {
    last = (query, count(of: query, epoch: epoch) + 1, epoch)
  }
}

/// ``Repeats`` for each key of a set. Removes all keys when the epoch changes.
struct KeyedRepeats<Key: Hashable & Sendable, Query: Equatable & Sendable>: Sendable {
  private var repeats: [Key: Repeats<Query>] = [:]
  private var epoch: UInt64 = 0

  func count(of query: Query, key: Key, epoch: UInt64) -> Int {
    repeats[key]?.count(of: query, epoch: epoch) ?? 0
  }

  mutating func add(_ query: Query, key: Key, epoch: UInt64) {
    if epoch != self.epoch {
      repeats.removeAll()
      self.epoch = epoch
    }
    repeats[key, default: Repeats()].add(query, epoch: epoch)
  }
}
