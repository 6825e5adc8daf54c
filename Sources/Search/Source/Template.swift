/// A text with placeholders, as in `url`, `params`, `headers`, and `body` of a source: `{NAME}`, `{NAME?}`
/// (drops the whole text if the value is empty), `{+NAME}` (keeps `/` in a path), `{NAME|FILTER}`. `{{` and
/// `}}` are literal braces.
package struct Template: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case literal(String)
    case placeholder(Placeholder)
  }

  package struct Placeholder: Sendable, Hashable {
    /// Letters, digits, `-`, and `_`, optionally preceded by `secret:`.
    package var name: String
    package var isOptional: Bool
    package var keepsSlashes: Bool
    package var filter: PlaceholderFilter?

    /// The name in `[secrets.NAME]` that it refers to; nil if it is not a secret.
    package var secretName: String? { name.hasPrefix("secret:") ? String(name.dropFirst(7)) : nil }
  }

  /// As written.
  package let text: String
  package let pieces: [Piece]

  package init(_ text: String) throws(TemplateError) {
    self.text = text
    self.pieces = try TemplateParser.pieces(of: text)
  }

  /// A text of a request body, in which braces may belong to another language: JSON, GraphQL, a query
  /// language.
  ///
  /// A text that `init(_:)` accepts is that template. In any other text, `{NAME}` in the form of a
  /// placeholder is a placeholder, `{{NAME}}` is the text `{NAME}`, and every other brace is literal. In a
  /// GraphQL document, `{name}` selects a field, except between parentheses or quotes, where a selection is
  /// not possible.
  ///
  /// - Throws: For a placeholder with an unknown filter.
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

  /// The placeholder that is the whole text, so that its value can keep its type.
  package var onlyPlaceholder: Placeholder? {
    if pieces.count == 1, case .placeholder(let placeholder)? = pieces.first { placeholder } else { nil }
  }

  package var hasSecrets: Bool { placeholders.contains { $0.secretName != nil } }

  /// The text with its values inserted; nil if an optional value is missing or empty.
  ///
  /// - Parameters:
  ///   - value: Returns the value for a name; nil counts as empty.
  ///   - encode: Encodes a value for its place, after the filter. The placeholder is passed for
  ///     `keepsSlashes`.
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
