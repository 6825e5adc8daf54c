/// Where a value stands in a reply (the schema's *value expression*): a list of alternatives of which
/// the first that is neither null nor "" counts.
package struct ValueExpression: Sendable, Hashable {
  package enum Alternative: Sendable, Hashable {
    /// A path in the body, `a.b[0].c`.
    case path(JSONPath)
    /// A header field, `header:Name`.
    case header(String)
    /// The target of a link relation in the `Link` header, `link:next`.
    case link(String)
    /// A text made of values, `=https://example.org/item/{id}`.
    case template(ValueTemplate)
  }

  package let alternatives: [Alternative]

  package init(_ alternatives: [Alternative]) { self.alternatives = alternatives }

  /// Parses each text as one alternative.
  package init(parsing texts: [String]) throws(ValueExpressionError) {
    var alternatives: [Alternative] = []
    for text in texts { alternatives.append(try Self.alternative(text)) }
    self.alternatives = alternatives
  }

  package init(parsing text: String) throws(ValueExpressionError) { try self.init(parsing: [text]) }

  /// The last member name of the first path: what a column is called when nothing else is said.
  package var lastName: String? {
    for case .path(let path) in alternatives { if let name = path.lastName { return name } }
    return nil
  }

  private static func alternative(_ text: String) throws(ValueExpressionError) -> Alternative {
    if text.hasPrefix("header:") { return .header(String(text.dropFirst(7))) }
    if text.hasPrefix("link:") { return .link(String(text.dropFirst(5))) }
    if text.hasPrefix("=") { return .template(try ValueTemplate(String(text.dropFirst()))) }
    do { return .path(try JSONPath(text)) } catch {
      throw ValueExpressionError(text: text, problem: "\(error)")
    }
  }
}

/// A value expression that cannot be read.
package struct ValueExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package let problem: String

  package var description: String { "\"\(text)\": \(problem)" }
}

/// `https://example.org/item?id={objectID}`: literal text with body paths in braces. In a text that
/// starts as a web address, values are percent-encoded.
package struct ValueTemplate: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case literal(String)
    case path(JSONPath)
  }

  package let pieces: [Piece]

  package var isAddress: Bool {
    if case .literal(let text)? = pieces.first {
      text.hasPrefix("http://") || text.hasPrefix("https://")
    } else {
      false
    }
  }

  package init(_ text: String) throws(ValueExpressionError) {
    var pieces: [Piece] = []
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { pieces.append(.literal(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw ValueExpressionError(text: text, problem: "a { without }")
      }
      let inner = String(rest[rest.index(after: open)..<close])
      do { pieces.append(.path(try JSONPath(inner))) } catch {
        throw ValueExpressionError(text: text, problem: "\(error)")
      }
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.literal(String(rest))) }
    self.pieces = pieces
  }
}
