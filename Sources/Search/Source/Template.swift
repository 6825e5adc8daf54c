/// A text with placeholders, as it stands in `url`, `params`, `headers` and `body` of a source:
/// `{NAME}`, `{NAME?}` (the whole text is dropped when the value is empty), `{+NAME}` (keeps `/` in a
/// path), `{NAME|FILTER}`; `{{` and `}}` are braces.
package struct Template: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case literal(String)
    case placeholder(Placeholder)
  }

  package struct Placeholder: Sendable, Hashable {
    /// Letters, digits, `-` and `_`; `secret:` may stand before them.
    package var name: String
    package var isOptional: Bool
    package var keepsSlashes: Bool
    package var filter: PlaceholderFilter?

    /// The name in `[secrets.NAME]` that it stands for; nil when it places no secret.
    package var secretName: String? { name.hasPrefix("secret:") ? String(name.dropFirst(7)) : nil }
  }

  /// As written.
  package let text: String
  package let pieces: [Piece]

  package init(_ text: String) throws(TemplateError) {
    self.text = text
    self.pieces = try TemplateParser.pieces(of: text)
  }

  /// A text of a request body, in which braces may be of another language: JSON, GraphQL, a query language.
  ///
  /// A text that is a template as `init(_:)` reads it is that. In any other, `{NAME}` in the form of a placeholder is
  /// one, `{{NAME}}` is the text `{NAME}`, and every other brace is itself. In a GraphQL document `{name}` selects
  /// a field, except between parentheses or quotes, where no selection can stand.
  ///
  /// - Throws: for a placeholder with a filter that there is not.
  package init(body text: String, isGraphQL: Bool = false) throws(TemplateError) {
    self.text = text
    if !isGraphQL, let pieces = try? TemplateParser.pieces(of: text) {
      self.pieces = pieces
    } else {
      self.pieces = try TemplateParser.pieces(ofBody: text, isGraphQL: isGraphQL)
    }
  }

  package var placeholders: [Placeholder] {
    pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
  }

  package var names: [String] { placeholders.map(\.name) }

  /// The placeholder that is the whole text, so that its value may keep its type.
  package var onlyPlaceholder: Placeholder? {
    if pieces.count == 1, case .placeholder(let placeholder)? = pieces.first { placeholder } else { nil }
  }

  package var hasSecrets: Bool { placeholders.contains { $0.secretName != nil } }

  /// The text with its values put in, or nil when an optional value is missing or empty.
  ///
  /// - Parameters:
  ///   - value: the value of a name; nil counts as empty.
  ///   - encode: makes a value fit its place, after the filter; gets the placeholder for `keepsSlashes`.
  package func filled(
    _ value: (String) -> String?, encode: (String, Placeholder) -> String = { text, _ in text }
  ) -> String? {
    var result = ""
    for piece in pieces {
      switch piece {
      case .literal(let literal): result += literal
      case .placeholder(let placeholder):
        let text = value(placeholder.name) ?? ""
        if text.isEmpty && placeholder.isOptional { return nil }
        result += encode(placeholder.filter?.applied(to: text) ?? text, placeholder)
      }
    }
    return result
  }
}
