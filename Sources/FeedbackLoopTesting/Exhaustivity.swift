/// How much of what happens a ``TestSystem`` requires to be asserted.
public enum Exhaustivity: Sendable, Hashable {
  /// Everything: each event received, each change of the state, each effect still running at the end.
  case on
  /// Only what the test asserts. Other events are skipped, and a change describes some of the new state instead of all
  /// that changed.
  case off
}
