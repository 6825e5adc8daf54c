/// The context of a key press, which determines the key's meaning.
package enum Mode: String, Sendable, Hashable, CaseIterable {
  case table
  case query
  /// A popup over the table: detail, log, messages or help.
  case popup
  /// A line of text: search, filter, file name, history, palette or source.
  case prompt
}
