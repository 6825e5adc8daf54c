/// A line of text typed over the session.
package struct Prompt: Sendable, Hashable {
  package enum Purpose: String, Sendable, Hashable {
    case search, filter, file, history, palette
    /// The file name for a recording.
    case recording
    /// The source to use, before there is a session.
    case source
  }

  package let purpose: Purpose
  package var line: LineEditor
  /// The index of the chosen entry of its list.
  var selection = 0
  /// The text that Esc restores.
  let previous: String
  /// The selection when the prompt was opened: a search starts there, and Esc restores it.
  var origin: Origin?
  /// The position in the earlier inputs of this prompt; 0 is the line itself.
  var recall = 0

  struct Origin: Sendable, Hashable {
    let place: PlacedRow
    /// Identifies the row if rows have been replaced since.
    let key: UInt64?
  }
}
