/// Everything that happened to a system, enough to have it happen again.
///
/// A log holds events, not states: states follow from them. Replaying folds the reducer over the events with all
/// feedbacks off; to run effects again would be to answer requests that were answered already.
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
/// A log can be written down if its events can (`Codable`). Keep secrets out of events.
public struct EventLog<Event: Sendable>: Sendable {
  /// One event that was reduced.
  public struct Entry: Sendable {
    /// Counts the events of a system from 1.
    public let sequence: UInt64
    /// When the event was reduced, as a distance from the making of the recorder.
    public let time: Duration
    /// The event.
    public let event: Event
    /// Who sent it.
    public let origin: Origin

    /// Creates an entry.
    public init(sequence: UInt64, time: Duration, event: Event, origin: Origin) {
      self.sequence = sequence
      self.time = time
      self.event = event
      self.origin = origin
    }
  }

  /// The entries, oldest first.
  public var entries: [Entry]

  /// Creates a log.
  public init(entries: [Entry] = []) {
    self.entries = entries
  }

  /// Makes the `recorder` of a system, which hands on an entry for each event.
  ///
  /// - Parameters:
  ///   - clock: Tells the times.
  ///   - body: Is called on the draining thread, in order. It must not block for long.
  public static func recorder<State: Sendable>(
    clock: some Clock<Duration> = ContinuousClock(), _ body: @escaping @Sendable (Entry) -> Void
  ) -> @Sendable (Transition<State, Event>) -> Void {
    let origin = clock.now
    return { transition in
      body(
        Entry(
          sequence: transition.sequence, time: origin.duration(to: clock.now), event: transition.event,
          origin: transition.origin))
    }
  }

  /// The state after all events up to a sequence number. O(entries) calls of the reducer.
  ///
  /// - Parameters:
  ///   - initialState: The initial state of the system that was recorded.
  ///   - last: The last event to reduce; by default all are.
  ///   - reduce: The reducer of that system.
  /// - Throws: ``Gap`` if an event before `last` is missing, since the states after it would be wrong.
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

  /// A log that cannot be replayed because events are missing or out of order.
  public struct Gap: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sequence number that should have come.
    public let expected: UInt64
    /// The sequence number that came.
    public let found: UInt64

    /// What is missing, and what to do.
    public var description: String {
      "the event log goes on with event \(found) where event \(expected) belongs; replay through "
        + "\(expected - 1), or record from the start of the system"
    }
  }
}

extension EventLog.Entry: Equatable where Event: Equatable {}
extension EventLog.Entry: Codable where Event: Codable {}
extension EventLog: Equatable where Event: Equatable {}
extension EventLog: Codable where Event: Codable {}
