/// A reduced event and the resulting state.
public struct Transition<State: Sendable, Event: Sendable>: Sendable {
  /// The number of the event in its system, from 1, without gaps.
  public let sequence: UInt64
  /// The event.
  public let event: Event
  /// Where the event came from.
  public let origin: Origin
  /// The state after the event.
  public let state: State

  @inlinable
  init(sequence: UInt64, event: Event, origin: Origin, state: State) {
    self.sequence = sequence
    self.event = event
    self.origin = origin
    self.state = state
  }
}

/// Where an event came from.
public struct Origin: Sendable, Hashable, Codable {
  /// The name of the feedback that sent it; `nil` for an event from outside.
  public let feedback: String?
  /// The run of the effect that sent it; `nil` if no effect did.
  public let lifetime: UInt64?
  /// The number of consecutive effects, each without progress, that led to this event. See ``LoopGuard``.
  public let depth: Int

  /// Creates an origin.
  public init(feedback: String?, lifetime: UInt64?, depth: Int) {
    self.feedback = feedback
    self.lifetime = lifetime
    self.depth = depth
  }

  /// The origin of an event from outside.
  public static let outside = Origin(feedback: nil, lifetime: nil, depth: 0)
}
