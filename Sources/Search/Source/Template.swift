/// A text with placeholders, as it stands in `url`, `params` and `headers` of a source:
/// `{NAME}`, `{NAME?}` (the whole text is dropped when the value is empty), `{+NAME}` (keeps `/` in a
/// path); `{{` and `}}` are braces.
package struct Template: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case literal(String)
    case placeholder(Placeholder)
  }

  package struct Placeholder: Sendable, Hashable {
    package var name: String
    package var isOptional: Bool
    package var keepsSlashes: Bool
  }

  /// As written.
  package let text: String
  package let pieces: [Piece]

  package init(_ text: String) throws(TemplateError) {
    self.text = text
    self.pieces = try Self.pieces(of: text)
  }

  package var names: [String] {
    pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder.name } else { nil } }
  }

  /// The text with its values put in, or nil when an optional value is missing or empty.
  ///
  /// - Parameters:
  ///   - value: the value of a name; nil counts as empty.
  ///   - encode: makes a value fit its place; gets the placeholder for `keepsSlashes`.
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
        result += encode(text, placeholder)
      }
    }
    return result
  }
}

/// A brace that opens no placeholder.
package struct TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package let problem: String

  package var description: String { "\(problem) in \"\(text)\"; a literal brace is written {{ or }}" }
}

extension Template {
  private static func pieces(of text: String) throws(TemplateError) -> [Piece] {
    var pieces: [Piece] = []
    var literal = ""
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        literal.append(character)
      case "}":
        throw TemplateError(text: text, problem: "a } without {")
      case "{":
        guard let close = rest.firstIndex(of: "}") else {
          throw TemplateError(text: text, problem: "a { without }")
        }
        guard let placeholder = Placeholder(rest[..<close]) else {
          throw TemplateError(text: text, problem: "\"{\(rest[...close])\" is no placeholder")
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = ""
        pieces.append(.placeholder(placeholder))
        rest = rest[rest.index(after: close)...]
      default:
        literal.append(character)
      }
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    return pieces
  }
}

extension Template.Placeholder {
  fileprivate init?(_ inner: Substring) {
    var name = inner
    keepsSlashes = name.first == "+"
    if keepsSlashes { name.removeFirst() }
    isOptional = name.last == "?"
    if isOptional { name.removeLast() }
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
      case UInt8(ascii: ":"): true
      default: false
      }
    }
    guard isName, !name.isEmpty else { return nil }
    self.name = String(name)
  }
}
