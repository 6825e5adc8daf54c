/// Where a key is pressed, and so what it means.
package enum Mode: String, Sendable, Hashable, CaseIterable {
  case table
  case query
  /// Over the table: detail, log, messages, help.
  case popup
  /// One line of text: search, filter, file name, history, palette, source.
  case prompt
}
