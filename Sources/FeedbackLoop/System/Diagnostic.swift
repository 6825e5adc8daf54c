#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mistake in the use of a system that cannot be represented in its state.
public enum Diagnostic: Sendable, Hashable, CustomStringConvertible {
  /// An effect's `Emit` was called after the effect had returned; the event was dropped.
  case emittedAfterReturn(feedback: String, query: String)
  /// The ``LoopGuard`` refused to start an effect, and the system has no `onTrip` to handle it.
  case tripped(LoopGuard.Trip)

  /// What happened, why it is a mistake, and what to do.
  public var description: String {
    switch self {
    case .emittedAfterReturn(let feedback, let query):
      """
      feedback "\(feedback)" emitted an event after its effect for query \(query) had returned. The \
      event was dropped. An effect must not return before the work that emits its events is done.
      """
    case .tripped(let trip):
      """
      \(trip). If the events of this feedback make progress, declare them as progress. To report it to \
      the user, turn the trip into an event with onTrip.
      """
    }
  }

  /// Writes diagnostics to standard error in debug builds, and nothing in release builds.
  public static let standardError: @Sendable (Diagnostic) -> Void = { diagnostic in
    #if DEBUG
      let line = Array(("FeedbackLoop: \(diagnostic)\n").utf8)
      _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    #endif
  }
}
