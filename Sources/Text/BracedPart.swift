/// A part of a string with names in braces, such as `{name}: {link}`. `{{` and `}}` are literal braces.
package enum BracedPart: Sendable, Hashable {
  /// Literal text; not empty.
  case literal(String)
  /// The text between braces.
  case braced(String)

  /// Splits a text at its braces, by scalars, so that a combining mark after a brace does not hide it. O(length).
  ///
  /// - Parameter skipsQuotes: Whether a brace between double quotes, as in a path, does not close.
  package static func parts(
    of text: String, skippingQuotes skipsQuotes: Bool = false
  ) throws(UnmatchedBraceError) -> [BracedPart] {
    var parts: [BracedPart] = []
    var literal = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        literal.append(scalar)
      case "}": throw UnmatchedBraceError(brace: scalar)
      case "{":
        guard let end = end(in: rest, skipsQuotes) else { throw UnmatchedBraceError(brace: scalar) }
        if !literal.isEmpty { parts.append(.literal(String(literal))) }
        literal.removeAll()
        parts.append(.braced(String(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      default: literal.append(scalar)
      }
    }
    return literal.isEmpty ? parts : parts + [.literal(String(literal))]
  }

  /// The index of the closing brace, searched from after the opening one.
  private static func end(in text: Substring.UnicodeScalarView, _ skipsQuotes: Bool) -> String.Index? {
    var (isQuoted, isEscaped) = (false, false)
    for index in text.indices {
      switch text[index] {
      case "}" where !isQuoted: return index
      case "\"" where skipsQuotes && !isEscaped: isQuoted.toggle()
      default: break
      }
      isEscaped = isQuoted && text[index] == "\\" && !isEscaped
    }
    return nil
  }
}

/// An unmatched brace that is not doubled.
package struct UnmatchedBraceError: Error, Sendable, Hashable {
  package let brace: Unicode.Scalar

  /// `unmatched {`
  package var problem: String { "unmatched \(brace)" }
  package var remedy: String { "write \(brace)\(brace) for a literal brace" }
}
