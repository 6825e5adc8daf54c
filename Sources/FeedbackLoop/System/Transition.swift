/// One event that was reduced, and the state it led to.
public struct Transition<State: Sendable, Event: Sendable>: Sendable {
  /// Counts the events of a system from 1, without gaps.
  public let sequence: UInt64
  /// The event.
  public let event: Event
  /// Who sent it.
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

/// Who sent an event.
public struct Origin: Sendable, Hashable, Codable {
  /// The name of the feedback it came from; `nil` for an event from outside.
  public let feedback: String?
  /// The run of the effect that sent it; `nil` if none did.
  public let lifetime: UInt64?
  /// How many effects in a row, each without progress, led to this event. See ``LoopGuard``.
  public let depth: Int

  /// Creates an origin.
  public init(feedback: String?, lifetime: UInt64?, depth: Int) {
    self.feedback = feedback
    self.lifetime = lifetime
    self.depth = depth
  }

  /// The origin of an event that somebody sent.
  public static let outside = Origin(feedback: nil, lifetime: nil, depth: 0)
}
