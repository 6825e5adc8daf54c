/// What a text is, for the theme to colour; the names are those of the `[theme]` settings.
package enum Role: String, CaseIterable, Sendable {
  case accent, header, selected, dim, error, warning, success, match
}
