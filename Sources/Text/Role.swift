/// The role of a text, which the theme colors; the names are those of the `[theme]` settings.
package enum Role: String, CaseIterable, Sendable {
  case accent, header, selected, dim, error, warning, success, match
}
