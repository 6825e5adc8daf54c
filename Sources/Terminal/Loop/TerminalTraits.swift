/// What is known of the terminal beyond its canvas; answers may tell more while the program runs.
package struct TerminalTraits: Hashable, Sendable {
  /// Nil until the terminal tells.
  package internal(set) var background: Background?
  /// Whether a `Frame.copy` is believed to reach the user's clipboard; it is sent in any case.
  package internal(set) var takesCopies: Bool
}
