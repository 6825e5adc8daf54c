/// How a value is escaped for the language of the surrounding text: `{query|sql}`.
package enum PlaceholderFilter: String, Sendable, Hashable, CaseIterable {
  /// For a quoted string in SQL or OData: every `'` is doubled.
  case sql
  /// For a JSON string: escapes the characters that RFC 8259 requires.
  case json

  package func applied(to text: String) -> String {
    switch self {
    case .sql: text.replacing("'", with: "''")
    case .json: String(JSONText.quoted(text).dropFirst().dropLast())
    }
  }
}
