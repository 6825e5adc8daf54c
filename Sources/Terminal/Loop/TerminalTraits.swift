/// What is known of the terminal besides its canvas; answers may add to it while the program runs.
package struct TerminalTraits: Hashable, Sendable {
  /// Nil until the terminal reports it.
  package internal(set) var background: Background?
  /// Whether a `Frame.copy` is assumed to reach the user's clipboard; it is sent in any case.
  package internal(set) var takesCopies: Bool
}
