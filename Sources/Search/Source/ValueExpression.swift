import HTTPValues
package import JSON

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

/// A text composed of values: `https://example.org/item?id={objectID}`.
///
/// | part | stands for |
/// |---|---|
/// | `{path}` | the value at a body path; if it is missing, there is no text |
/// | `{+path}` | the same with its `/` kept in a URL, but not doubled after another `/` |
/// | `{name}` | the value of an option, if the source has one with this name (`{$.name}` is the body's) |
/// | `{{`, `}}` | literal braces |
///
/// A text that begins like a web URL, or with an option that provides one, is a URL: values in it are
/// percent-encoded, and only an option may be part of its host.
package struct ValueTemplate: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case literal(String)
    case path(JSONPath, keepsSlashes: Bool)
    case option(String)
  }

  package let pieces: [Piece]
  package let isAddress: Bool

  /// - Parameter options: The names that refer to options.
  package init(_ text: String, options: Set<String> = []) throws(ValueExpressionError) {
    var parser = ValueTemplateParser(text, options: options)
    pieces = try parser.parse()
    isAddress = Self.isAddress(pieces)
    if isAddress, case .path(let path, _)? = Self.authority(of: pieces).first(where: \.isPath) {
      throw ValueExpressionError(text: text, problem: "{\(path)} comes from a reply and cannot set the host")
    }
  }

  /// The paths of the values it is composed of.
  package var paths: [JSONPath] {
    pieces.compactMap { if case .path(let path, _) = $0 { path } else { nil } }
  }

  /// The options that are part of the host of a URL.
  package var optionsInHost: [String] {
    guard isAddress else { return [] }
    return Self.authority(of: pieces).compactMap { if case .option(let name) = $0 { name } else { nil } }
  }

  /// The URL or text with its values inserted; nil if one of them is missing or "", or if the resulting path
  /// would contain `.` or `..` and lead elsewhere.
  ///
  /// - Parameters:
  ///   - option: Returns the value of an option.
  ///   - value: Returns the text at a path.
  package func filled(option: (String) -> String?, value: (JSONPath) -> String?) -> String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .literal(let literal): text += literal
      case .path(let path, let keepsSlashes):
        guard let value = value(path), !value.isEmpty else { return nil }
        text += encoded(value, keepsSlashes, after: text)
      case .option(let name):
        guard let value = option(name), !value.isEmpty else { return nil }
        text += isAddress && text.isEmpty ? value.withoutLastSlash : encoded(value, false, after: text)
      }
    }
    return isAddress && text.hasDotSegments ? nil : text
  }

  private func encoded(_ value: String, _ keepsSlashes: Bool, after text: String) -> String {
    guard isAddress else { return value }
    guard keepsSlashes else { return PercentEncoding.encoded(value) }
    let path = PercentEncoding.encodedPath(value)
    return text.hasSuffix("/") ? String(path.drop { $0 == "/" }) : path
  }
}

extension ValueTemplate {
  private static func isAddress(_ pieces: [Piece]) -> Bool {
    switch pieces.first {
    case .literal(let text)?: text.hasPrefix("http://") || text.hasPrefix("https://")
    case .option?: pieces.count > 1 && pieces[1].beginsPath
    case .path?, nil: false
    }
  }

  /// The placeholders in the host of a URL.
  private static func authority(of pieces: [Piece]) -> [Piece] {
    guard case .literal(let start)? = pieces.first, let slashes = start.firstRange(of: "//") else {
      return []
    }
    if start[slashes.upperBound...].contains(where: \.endsAuthority) { return [] }
    return Array(
      pieces.dropFirst().prefix { piece in
        if case .literal(let text) = piece { !text.contains(where: \.endsAuthority) } else { true }
      })
  }
}

extension ValueTemplate.Piece {
  fileprivate var isPath: Bool { if case .path = self { true } else { false } }

  fileprivate var beginsPath: Bool {
    if case .literal(let text) = self { text.first?.endsAuthority ?? false } else { false }
  }
}

extension Character {
  fileprivate var endsAuthority: Bool { self == "/" || self == "?" || self == "#" }
}

extension String {
  fileprivate var withoutLastSlash: String { hasSuffix("/") ? String(dropLast()) : self }

  /// Whether a path segment of this URL is `.` or `..`.
  fileprivate var hasDotSegments: Bool {
    prefix { $0 != "?" && $0 != "#" }.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }
}

/// Parses the text of a `ValueTemplate` from left to right.
struct ValueTemplateParser {
  private let text: String
  private let options: Set<String>
  private var rest: Substring
  private var pieces: [ValueTemplate.Piece] = []
  private var literal = ""

  init(_ text: String, options: Set<String>) {
    self.text = text
    self.options = options
    rest = Substring(text)
  }

  mutating func parse() throws(ValueExpressionError) -> [ValueTemplate.Piece] {
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        literal.append(character)
      case "{":
        endLiteral()
        pieces.append(try placeholder())
      case "}":
        throw problem("unmatched }. Write }} for a literal brace")
      default:
        literal.append(character)
      }
    }
    endLiteral()
    return pieces
  }

  private mutating func endLiteral() {
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    literal = ""
  }

  private mutating func placeholder() throws(ValueExpressionError) -> ValueTemplate.Piece {
    guard let name = takeToBrace() else { throw problem("unmatched {. Write {{ for a literal brace") }
    if options.contains(name) { return .option(name) }
    let keepsSlashes = name.hasPrefix("+")
    do {
      return .path(try JSONPath(keepsSlashes ? String(name.dropFirst()) : name), keepsSlashes: keepsSlashes)
    } catch {
      throw problem("\(error)")
    }
  }

  /// The text before the closing brace; braces inside the quotes of a path do not close.
  private mutating func takeToBrace() -> String? {
    var (isQuoted, isEscaped) = (false, false)
    for index in rest.indices {
      switch rest[index] {
      case "}" where !isQuoted:
        defer { rest = rest[rest.index(after: index)...] }
        return String(rest[..<index])
      case "\"" where !isEscaped: isQuoted.toggle()
      default: break
      }
      isEscaped = isQuoted && rest[index] == "\\" && !isEscaped
    }
    return nil
  }

  private func problem(_ words: String) -> ValueExpressionError {
    ValueExpressionError(text: text, problem: words)
  }
}
