/// How waiting for a state ended.
public enum Outcome: Sendable, Hashable {
  /// The condition no longer holds.
  case settled
  /// The waiting task was canceled.
  case cancelled
  /// The system stopped.
  case stopped
}
