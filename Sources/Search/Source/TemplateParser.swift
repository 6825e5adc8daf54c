/// A brace that opens no placeholder.
package struct TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package let problem: String

  package var description: String { "\(problem) in \"\(text)\"; a literal brace is written {{ or }}" }
}

/// Cuts a text at its braces. By scalars: a combining mark behind a brace must not hide it.
enum TemplateParser {
  static func pieces(of text: String) throws(TemplateError) -> [Template.Piece] {
    var pieces: [Template.Piece] = []
    var literal = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        literal.append(scalar)
      case "}":
        throw TemplateError(text: text, problem: "a } without {")
      case "{":
        guard let close = rest.firstIndex(of: "}") else {
          throw TemplateError(text: text, problem: "a { without }")
        }
        let placeholder = try placeholder(String(rest[..<close]), in: text)
        if !literal.isEmpty { pieces.append(.literal(String(literal))) }
        literal.removeAll()
        pieces.append(.placeholder(placeholder))
        rest = rest[rest.index(after: close)...]
      default:
        literal.append(scalar)
      }
    }
    if !literal.isEmpty { pieces.append(.literal(String(literal))) }
    return pieces
  }

  /// `"+"? NAME "?"? ("|" FILTER)?`
  private static func placeholder(
    _ inner: String, in text: String
  ) throws(TemplateError) -> Template.Placeholder {
    let parts = inner.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    var name = parts[0]
    let keepsSlashes = name.first == "+"
    if keepsSlashes { name.removeFirst() }
    let isOptional = name.last == "?"
    if isOptional { name.removeLast() }
    guard isName(name.hasPrefix("secret:") ? name.dropFirst(7) : name) else {
      throw TemplateError(text: text, problem: "\"{\(inner)}\" is no placeholder")
    }
    return Template.Placeholder(
      name: String(name), isOptional: isOptional, keepsSlashes: keepsSlashes,
      filter: try parts.dropFirst().first.map { word throws(TemplateError) in try filter(word, in: text) })
  }

  private static func filter(
    _ word: Substring, in text: String
  ) throws(TemplateError) -> PlaceholderFilter {
    if let filter = PlaceholderFilter(rawValue: String(word)) { return filter }
    let names = PlaceholderFilter.allCases.map(\.rawValue).joined(separator: " and ")
    throw TemplateError(text: text, problem: "there is no filter \"\(word)\", only \(names),")
  }

  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}
