/// One feedback at work in one system: a value that only the draining thread touches.
///
/// An instance decides and remembers; it never starts or cancels anything itself. See ``Engine`` for the order in which
/// the decisions of all instances are carried out.
@usableFromInline
protocol FeedbackInstance<State, Event>: Sendable {
  associatedtype State: Sendable
  associatedtype Event: Sendable

  /// What the feedback asks for on seeing a state; `nil` means that nothing changes.
  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>?

  /// The observer phase of the same state, after all feedbacks have cancelled and started.
  mutating func observe(_ state: State)

  /// An effect delivered its first event or returned without one, while its query was still current.
  mutating func answered(_ lifetime: Lifetime, epoch: UInt64)

  /// An effect returned, or the guard refused to start it, while its query was still current.
  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> Step<Event>?

  /// The system stopped.
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

/// What a feedback asks for on seeing one state.
@usableFromInline
struct Step<Event: Sendable>: Sendable {
  @usableFromInline var cancellations: [Lifetime] = []
  @usableFromInline var starts: [Start<Event>] = []
}

/// An effect to be started.
@usableFromInline
struct Start<Event: Sendable>: Sendable {
  @usableFromInline let lifetime: Lifetime
  /// The causal depth of the state that asked for it.
  @usableFromInline let depth: Int
  /// How many runs of an equal query were answered in a row before, without progress.
  @usableFromInline let repeats: Int
  @usableFromInline let query: @Sendable () -> String
  /// The effect; its result is its last event.
  @usableFromInline let run: @Sendable (Emit<Event>) async -> Event?
}

/// What an instance needs to know about the moment it is asked in.
@usableFromInline
struct StepContext {
  /// The causal depth of the state.
  let depth: Int
  /// Moves whenever an event from outside or progress is reduced.
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
