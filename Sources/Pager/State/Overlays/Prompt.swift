/// One line that is typed over what is there.
package struct Prompt: Sendable, Hashable {
  package enum Purpose: String, Sendable, Hashable {
    case search, filter, file, history, palette
    /// The name of a file for a recording.
    case recording
    /// Before there is a session: which source to ask.
    case source
  }

  package let purpose: Purpose
  package var line: LineEditor
  /// The chosen entry of its list.
  var selection = 0
  /// What Esc goes back to.
  let former: String
  /// What was selected when it was opened: a search begins there, and Esc goes back to it.
  var origin: Origin?
  /// How far back in what was typed here before; 0 is the line itself.
  var recall = 0

  struct Origin: Sendable, Hashable {
    let place: PlacedRow
    /// By which the row is found again where rows have been replaced since.
    let key: UInt64?
  }
}
