/// How a value is made fit for the language that the text around it is written in: `{query|sql}`.
package enum PlaceholderFilter: String, Sendable, Hashable, CaseIterable {
  /// Inside a quoted text of SQL or OData: every `'` is doubled.
  case sql
  /// Inside a JSON string: what RFC 8259 asks to escape is.
  case json

  package func applied(to text: String) -> String {
    switch self {
    case .sql: text.replacing("'", with: "''")
    case .json: String(JSONText.quoted(text).dropFirst().dropLast())
    }
  }
}
