/// How much of what happens a ``TestSystem`` wants to be told.
public enum Exhaustivity: Sendable, Hashable {
  /// Everything: each event received, each change of the state, each effect still running at the end.
  case on
  /// Only what the test asserts. Events that are not asked for are passed over, and a change states what must be so in
  /// the new state instead of everything that is new in it.
  case off
}
