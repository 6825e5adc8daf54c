/// The location of a value in a reply (a *value expression* in the schema): a list of alternatives; the first
/// that is neither null nor "" is used.
package struct ValueExpression: Sendable, Hashable {
  package enum Alternative: Sendable, Hashable {
    /// A path in the body, `a.b[0].c`.
    case path(JSONPath)
    /// A header field, `header:Name`.
    case header(String)
    /// The target of a link relation in the `Link` header, `link:next`.
    case link(String)
    /// A text composed of values, `=https://example.org/item/{id}`.
    case template(ValueTemplate)
  }

  package let alternatives: [Alternative]

  package init(_ alternatives: [Alternative]) { self.alternatives = alternatives }

  /// Parses each text as one alternative.
  ///
  /// - Parameter options: The names that refer to options of the source in templates, not to values of the
  ///   reply.
  package init(parsing texts: [String], options: Set<String> = []) throws(ValueExpressionError) {
    var alternatives: [Alternative] = []
    for text in texts { alternatives.append(try Self.alternative(text, options)) }
    self.alternatives = alternatives
  }

  package init(parsing text: String, options: Set<String> = []) throws(ValueExpressionError) {
    try self.init(parsing: [text], options: options)
  }

  package var templates: [ValueTemplate] {
    alternatives.compactMap { if case .template(let template) = $0 { template } else { nil } }
  }

  /// Whether it reads the row itself.
  package var readsRoot: Bool { alternatives.contains(.path(.root)) }

  /// The last member name of the first path: the default name of a column.
  package var lastName: String? {
    for case .path(let path) in alternatives { if let name = path.lastName { return name } }
    return nil
  }

  private static func alternative(
    _ text: String, _ options: Set<String>
  ) throws(ValueExpressionError) -> Alternative {
    if text.hasPrefix("header:") { return .header(try name(in: text, of: "a header name")) }
    if text.hasPrefix("link:") { return .link(try name(in: text, of: "a link relation")) }
    if text.hasPrefix("=") { return .template(try ValueTemplate(String(text.dropFirst()), options: options)) }
    do { return .path(try JSONPath(text)) } catch {
      throw ValueExpressionError(text: text, problem: "\(error)")
    }
  }

  /// The text after the colon, which must not contain blanks.
  private static func name(in text: String, of what: String) throws(ValueExpressionError) -> String {
    let name = text.drop { $0 != ":" }.dropFirst()
    guard !name.isEmpty, !name.contains(" ") else {
      throw ValueExpressionError(text: text, problem: "expected \(what) after the colon")
    }
    return String(name)
  }
}

/// An invalid value expression.
package struct ValueExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package let problem: String

  package var description: String { "\"\(text)\": \(problem)" }
}
