/// A brace that does not begin a valid placeholder.
package struct TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package let problem: String

  package var description: String { "\(problem) in \"\(text)\". Write {{ or }} for a literal brace" }
}

/// Splits a text at its braces, by scalars, so that a combining mark after a brace does not hide it.
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
        throw TemplateError(text: text, problem: "unmatched }")
      case "{":
        guard let close = rest.firstIndex(of: "}") else {
          throw TemplateError(text: text, problem: "unmatched {")
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

  /// Parses a text that is not a template, as described for `Template.init(body:isGraphQL:)`.
  static func pieces(ofBody text: String, isGraphQL: Bool) throws(TemplateError) -> [Template.Piece] {
    var pieces: [Template.Piece] = []
    var literal = String.UnicodeScalarView()
    var place = GraphQLPlace()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "{", !isGraphQL || place.takesValues, let (inner, end) = braced(rest) {
        if !literal.isEmpty { pieces.append(.literal(String(literal))) }
        literal.removeAll()
        pieces.append(.placeholder(try placeholder(inner, in: text)))
        rest = rest[end...]
      } else if scalar == "{", !isGraphQL, let (inner, end) = braced(rest.dropFirst()),
        rest[end...].first == "}"
      {
        literal.append(contentsOf: "{\(inner)}".unicodeScalars)
        rest = rest[end...].dropFirst()
      } else {
        place.pass(scalar)
        literal.append(scalar)
        rest.removeFirst()
      }
    }
    if !literal.isEmpty { pieces.append(.literal(String(literal))) }
    return pieces
  }

  /// The text between the braces at the beginning, and the index after them; nil if it is not in the form of
  /// a placeholder.
  private static func braced(_ text: Substring.UnicodeScalarView) -> (inner: String, end: String.Index)? {
    guard text.first == "{", let close = text.firstIndex(of: "}") else { return nil }
    let inner = String(text[..<close].dropFirst())
    return parts(of: inner) == nil ? nil : (inner, text.index(after: close))
  }

  /// `"+"? NAME "?"? ("|" WORD)?`
  private static func parts(
    of inner: String
  ) -> (name: Substring, isOptional: Bool, keepsSlashes: Bool, filter: Substring?)? {
    let parts = inner.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    var name = parts[0]
    let keepsSlashes = name.first == "+"
    if keepsSlashes { name.removeFirst() }
    let isOptional = name.last == "?"
    if isOptional { name.removeLast() }
    guard isName(name.hasPrefix("secret:") ? name.dropFirst(7) : name) else { return nil }
    return (name, isOptional, keepsSlashes, parts.dropFirst().first)
  }

  private static func placeholder(
    _ inner: String, in text: String
  ) throws(TemplateError) -> Template.Placeholder {
    guard let parts = parts(of: inner) else {
      throw TemplateError(text: text, problem: "invalid placeholder {\(inner)}")
    }
    return Template.Placeholder(
      name: String(parts.name), isOptional: parts.isOptional, keepsSlashes: parts.keepsSlashes,
      filter: try parts.filter.map { word throws(TemplateError) in try filter(word, in: text) })
  }

  private static func filter(
    _ word: Substring, in text: String
  ) throws(TemplateError) -> PlaceholderFilter {
    if let filter = PlaceholderFilter(rawValue: String(word)) { return filter }
    let names = PlaceholderFilter.allCases.map(\.rawValue).joined(separator: " and ")
    throw TemplateError(text: text, problem: "unknown filter \"\(word)\" (available: \(names))")
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

/// A position in a GraphQL document (October 2021 edition, section 2.1).
private struct GraphQLPlace {
  private var depth = 0
  private var isQuoted = false
  private var isEscaped = false
  private var isComment = false

  /// Between parentheses or quotes, where `{name}` is not a selection.
  var takesValues: Bool { !isComment && (depth > 0 || isQuoted) }

  mutating func pass(_ scalar: Unicode.Scalar) {
    defer { isEscaped = isQuoted && scalar == "\\" && !isEscaped }
    switch scalar {
    case "\n", "\r": isComment = false
    case _ where isComment: break
    case "\"" where !isEscaped: isQuoted.toggle()
    case _ where isQuoted: break
    case "#": isComment = true
    case "(": depth += 1
    case ")": depth = max(0, depth - 1)
    default: break
    }
  }
}
