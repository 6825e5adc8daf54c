/// An event that was reduced, as the `recorder` of a system receives it.
///
/// The events of a system are a recording of it, which can be replayed. States need not be recorded, because they can be
/// recomputed.
///
/// ```swift
/// let system = FeedbackSystem(
///   initialState: State(), reduce: reduce,
///   recorder: { reduced, _ in write(try? JSONEncoder().encode(reduced)) })
/// // Later, from the events read back:
/// let state = try ReducedEvent.replay(events, from: State(), reduce: reduce)
/// ```
///
/// It is `Codable` if its event is. Keep secrets out of events.
public struct ReducedEvent<Event: Sendable>: Sendable {
  /// The number of the event in its system, from 1, without gaps.
  public let sequence: UInt64
  /// The event.
  public let event: Event
  /// Where the event came from.
  public let origin: EventOrigin

  /// Creates an event of a recording.
  @inlinable
  public init(sequence: UInt64, event: Event, origin: EventOrigin) {
    self.sequence = sequence
    self.event = event
    self.origin = origin
  }

  /// The state after the events of a recording, up to a sequence number: applies the reducer with all feedbacks off.
  ///
  /// Effects are not repeated, because their events are in the recording. O(events) calls of the reducer.
  ///
  /// - Parameters:
  ///   - events: The events of a system from its start, oldest first.
  ///   - initialState: The initial state of that system.
  ///   - last: The last event to reduce; by default all are.
  ///   - reduce: The reducer of that system.
  /// - Throws: ``Gap`` if an event before `last` is missing, because the states after it would be wrong.
  public static func replay<State>(
    _ events: some Sequence<Self>, from initialState: State, through last: UInt64 = .max,
    reduce: (inout State, Event) -> Void
  ) throws(Gap) -> State {
    var state = initialState
    for (index, reduced) in events.enumerated() where reduced.sequence <= last {
      let expected = UInt64(index) + 1
      guard reduced.sequence == expected else { throw Gap(expected: expected, found: reduced.sequence) }
      reduce(&state, reduced.event)
    }
    return state
  }

  /// A recording cannot be replayed because events are missing or out of order.
  public struct Gap: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected sequence number.
    public let expected: UInt64
    /// The sequence number found.
    public let found: UInt64

    /// The missing events, and the remedy.
    public var description: String {
      "the recording continues with event \(found) instead of event \(expected). Replay through "
        + "\(expected - 1), or record from the start of the system"
    }
  }
}

extension ReducedEvent: Equatable where Event: Equatable {}
extension ReducedEvent: Codable where Event: Codable {}

/// Where an event came from.
public struct EventOrigin: Sendable, Hashable, Codable {
  /// The name of the feedback that sent it; `nil` for one that `send` was called with.
  public let feedback: String?
  /// The run of the effect that sent it; `nil` if no effect did.
  public let lifetime: UInt64?
  /// The number of consecutive effects, each without progress, that led to this event. See ``LoopGuard``.
  @usableFromInline package let depth: Int

  /// Creates an origin.
  public init(feedback: String?, lifetime: UInt64?) {
    self.init(feedback: feedback, lifetime: lifetime, depth: 0)
  }

  @usableFromInline
  package init(feedback: String?, lifetime: UInt64?, depth: Int) {
    self.feedback = feedback
    self.lifetime = lifetime
    self.depth = depth
  }

  /// The origin of an event that `send` was called with.
  public static let outside = EventOrigin(feedback: nil, lifetime: nil, depth: 0)
}
