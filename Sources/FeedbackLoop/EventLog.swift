/// An event that was reduced.
public struct ReducedEvent<Event: Sendable>: Sendable {
  /// The number of the event in its system, from 1, without gaps.
  public let sequence: UInt64
  /// The event.
  public let event: Event
  /// Where the event came from.
  public let origin: EventOrigin

  @inlinable
  init(sequence: UInt64, event: Event, origin: EventOrigin) {
    self.sequence = sequence
    self.event = event
    self.origin = origin
  }
}

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

/// A record of a system's events, sufficient to replay it.
///
/// A log contains events, not states, because the states can be recomputed. A replay applies the reducer to the events
/// with all feedbacks off; it does not repeat effects, because their results are in the log.
///
/// ```swift
/// let recorder = EventLog<Event>.recorder { entry in
///   write(try? JSONEncoder().encode(entry))  // one line of JSON each
/// }
/// let system = FeedbackSystem(initialState: State(), reduce: reduce, recorder: recorder)
/// // Later, from the entries read back:
/// let state = try EventLog(entries: entries).replay(from: State(), reduce: reduce)
/// ```
///
/// A log is `Codable` if its events are. Keep secrets out of events.
public struct EventLog<Event: Sendable>: Sendable {
  /// One reduced event.
  public struct Entry: Sendable {
    /// The number of the event in its system, from 1.
    public let sequence: UInt64
    /// When the event was reduced, relative to the creation of the recorder.
    public let time: Duration
    /// The event.
    public let event: Event
    /// Where the event came from.
    public let origin: EventOrigin

    /// Creates an entry.
    @inlinable
    public init(sequence: UInt64, time: Duration, event: Event, origin: EventOrigin) {
      self.sequence = sequence
      self.time = time
      self.event = event
      self.origin = origin
    }
  }

  /// The entries, oldest first.
  public var entries: [Entry]

  /// Creates a log.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// Creates a `recorder` for a system, which passes on an entry for each event.
  ///
  /// - Parameters:
  ///   - clock: Measures the times.
  ///   - body: Called on the draining thread, in order. It must not block for long.
  @inlinable
  public static func recorder<State: Sendable>(
    clock: some Clock<Duration> = ContinuousClock(), _ body: @escaping @Sendable (Entry) -> Void
  ) -> @Sendable (ReducedEvent<Event>, State) -> Void {
    let start = clock.now
    return { reduced, _ in
      body(
        Entry(
          sequence: reduced.sequence, time: start.duration(to: clock.now), event: reduced.event,
          origin: reduced.origin))
    }
  }

  /// The state after all events up to a sequence number. O(entries) calls of the reducer.
  ///
  /// - Parameters:
  ///   - initialState: The initial state of the system that was recorded.
  ///   - last: The last event to reduce; by default all are.
  ///   - reduce: The reducer of that system.
  /// - Throws: ``Gap`` if an event before `last` is missing, because the states after it would be wrong.
  public func replay<State>(
    from initialState: State, through last: UInt64 = .max, reduce: (inout State, Event) -> Void
  ) throws(Gap) -> State {
    var state = initialState
    for (index, entry) in entries.enumerated() where entry.sequence <= last {
      let expected = UInt64(index) + 1
      guard entry.sequence == expected else { throw Gap(expected: expected, found: entry.sequence) }
      reduce(&state, entry.event)
    }
    return state
  }

  /// A log cannot be replayed because events are missing or out of order.
  public struct Gap: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected sequence number.
    public let expected: UInt64
    /// The sequence number found.
    public let found: UInt64

    /// What is missing, and what to do.
    public var description: String {
      "the event log continues with event \(found) instead of event \(expected). Replay through "
        + "\(expected - 1), or record from the start of the system"
    }
  }
}

extension EventLog.Entry: Equatable where Event: Equatable {}
extension EventLog.Entry: Codable where Event: Codable {}
extension EventLog: Equatable where Event: Equatable {}
extension EventLog: Codable where Event: Codable {}
