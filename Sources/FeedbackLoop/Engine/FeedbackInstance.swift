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
