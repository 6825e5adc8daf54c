package import HTTPValues
package import JSON
import Text

/// The location of a value in a response (a *value expression*): the first alternative that is neither null nor "".
package struct ValueExpression: Sendable, Hashable {
  package enum Alternative: Sendable, Hashable {
    /// A path in the body, `a.b[0].c`.
    case path(JSONPath)
    /// A header field, `header:Name`.
    case header(String)
    /// The target of a link relation in the `Link` header, `link:next`.
    case link(String)
    /// A string composed of values, `=https://example.org/item/{id}`.
    case template(ValueTemplate)

    fileprivate var paths: [JSONPath] {
      switch self {
      case .path(let path): [path]
      case .template(let template): template.paths
      case .header, .link: []
      }
    }
  }

  package let alternatives: [Alternative]

  package init(_ alternatives: [Alternative]) { self.alternatives = alternatives }

  /// Parses each text as one alternative.
  ///
  /// - Parameter options: The names that refer to options of the source in templates, not to values.
  package init(parsing texts: [String], options: Set<String> = []) throws(ValueExpressionError) {
    alternatives = try texts.map { text throws(ValueExpressionError) in try Self.alternative(text, options) }
  }

  package init(parsing text: String, options: Set<String> = []) throws(ValueExpressionError) {
    try self.init(parsing: [text], options: options)
  }

  package var templates: [ValueTemplate] {
    alternatives.compactMap { if case .template(let template) = $0 { template } else { nil } }
  }

  /// Whether it reads the row itself.
  package var readsRoot: Bool { alternatives.contains(.path(.root)) }

  /// All paths in the body.
  package var paths: [JSONPath] {
    alternatives.flatMap(\.paths)
  }

  /// The path, if it is nothing but one; else nil.
  package var onlyPath: JSONPath? {
    if alternatives.count == 1, case .path(let path)? = alternatives.first { path } else { nil }
  }

  /// Whether it reads a header field.
  var readsHeaders: Bool {
    alternatives.contains { alternative in
      switch alternative {
      case .header, .link: true
      case .path, .template: false
      }
    }
  }

  /// Whether it reads the object around the row.
  package var readsEnclosing: Bool { paths.contains(where: \.readsEnclosing) }

  /// Whether all of its values come from the body.
  package var readsBody: Bool { !alternatives.isEmpty && alternatives.allSatisfy { !$0.paths.isEmpty } }

  /// The last field name of the first path: the default name of a column.
  package var lastName: String? {
    alternatives.lazy.compactMap { if case .path(let path) = $0 { path.lastName } else { nil } }.first
  }

  private static func alternative(
    _ text: String, _ options: Set<String>
  ) throws(ValueExpressionError) -> Alternative {
    if text.hasPrefix("header:") { return .header(try name(in: text, of: "a header name")) }
    if text.hasPrefix("link:") { return .link(try name(in: text, of: "a link relation")) }
    if text.hasPrefix("=") { return .template(try ValueTemplate(String(text.dropFirst()), options: options)) }
    do { return .path(try JSONPath(text)) } catch {
      if text.contains("://") {
        let url = JSONText.quoted(text)
        throw ValueExpressionError(
          text: text,
          problem:
            "\(url) is a URL, not the path of a value. To build a URL from values, begin it with =: \(JSONText.quoted("=" + text))"
        )
      }
      throw ValueExpressionError(text: text, problem: "\(error)")
    }
  }

  /// The text after the colon, which must not contain spaces.
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

/// A response whose values can be read by expressions: body, header fields, URL, and the options of its request.
package struct ResponseValues: Sendable {
  /// The body; null if it is not JSON.
  package internal(set) var document: JSONDocument
  package let headers: HTTPFields
  package let url: WebURL
  /// The value of each option of the source.
  package let options: [String: String]
  /// Whether its rows are the values of a map, whose keys name them (`shape = "map"`).
  package internal(set) var namesRows = false
  /// Why the body is not JSON.
  package let error: JSONError?

  package init(document: JSONDocument, headers: HTTPFields, url: WebURL, options: [String: String] = [:]) {
    self.document = document
    self.headers = headers
    self.url = url
    self.options = options
    error = nil
  }

  /// The values of a response. A body that is not JSON has no values; header fields always have values.
  package init(_ response: HTTPResponse, options: [String: String] = [:]) {
    headers = response.headers
    url = response.url
    self.options = options
    do {
      document = try JSONDocument(response.body)
      error = nil
    } catch {
      document = .null
      self.error = error
    }
  }

  /// The service's time when it responded, in seconds since 1970; nil without a valid `Date`.
  ///
  /// - Parameter arrival: The time of arrival, in seconds since 1970.
  package func date(arrivedAt arrival: Double) -> Double? {
    headers.first("Date").flatMap { text in
      Timestamp(epoch: arrival).flatMap { Timestamp(httpDate: text, now: $0) }
    }?.epoch
  }

  /// The first alternative that is neither missing, null nor "", evaluated at `node` (nil for the whole body).
  package func value(of expression: ValueExpression, at node: JSONNode? = nil) -> ResponseValue? {
    for alternative in expression.alternatives {
      if let value = value(of: alternative, at: node ?? document.rootNode), !value.isVoid { return value }
    }
    return nil
  }

  /// Like `value`, but also nil for values that mean "no next": false, {}, and [] (rule 2).
  package func presentValue(of expression: ValueExpression, at node: JSONNode? = nil) -> ResponseValue? {
    value(of: expression, at: node).flatMap { $0.meansNothing ? nil : $0 }
  }

  /// Whether the value of one of the alternatives is "".
  func isEmptyText(_ expression: ValueExpression) -> Bool {
    expression.alternatives.contains { value(of: $0, at: document.rootNode)?.string?.isEmpty == true }
  }

  package func text(of expression: ValueExpression, at node: JSONNode? = nil) -> String? {
    value(of: expression, at: node)?.scalar
  }

  /// The URL of a row's page in the form of `WebURL.link`; nil for anything else.
  package func link(_ expression: ValueExpression, at node: JSONNode) -> String? {
    text(of: expression, at: node).flatMap(WebURL.link)
  }

  /// Whether the value is `true`, the text "true" or "yes" ignoring case, or a nonzero number, including one written as
  /// a string. Everything else is false, including lists and objects.
  package func isTrue(_ expression: ValueExpression) -> Bool {
    guard let text = text(of: expression)?.lowercased() else { return false }
    if ["true", "yes"].contains(text) { return true }
    // Excludes "nan" and "0x1", which Swift accepts as numbers.
    guard text.utf8.allSatisfy({ "0123456789+-.e".utf8.contains($0) }) else { return false }
    return Double(text).map { $0 != 0 } ?? false
  }

  /// Whether one of the alternatives is true.
  func isAnyTrue(_ expression: ValueExpression) -> Bool {
    expression.alternatives.contains { isTrue(ValueExpression([$0])) }
  }

  /// The texts, by path, of the fields of a row that none of the expressions read unchanged. Fields of nested objects
  /// are listed individually up to a depth of two; anything deeper, and lists of objects, are JSON. Null and "" are
  /// left out.
  ///
  /// - Parameter limit: The maximum number of fields, and of characters in each before an ellipsis.
  package func members(
    of row: JSONNode, except read: [ValueExpression], limit: (fields: Int, characters: Int)
  ) -> [(path: JSONPath, text: String)] {
    var known: Set<JSONNode> = []
    for expression in read {
      switch value(of: expression, at: row) {
      case .node(let node, _)?: known.insert(node)
      case .nodes(let nodes, _)?: known.formUnion(nodes)
      case .text?, nil: break
      }
    }
    var found: [(path: JSONPath, text: String)] = []
    func add(_ node: JSONNode, at steps: [JSONPath.Step]) {
      guard found.count < limit.fields, !known.contains(node) else { return }
      if document.kind(of: node) == .object, steps.count < 3 {
        for (name, value) in JSONValue(document: document, node: node).members {
          add(value.node, at: steps + [.member(JSONKey(name))])
        }
      } else if !steps.isEmpty, let text = text(besides: known, of: node), !text.isEmpty {
        let isLong = text.unicodeScalars.count > limit.characters
        found.append(
          (JSONPath(steps: steps), isLong ? "\(text.unicodeScalars.prefix(limit.characters))…" : text))
      }
    }
    if document.kind(of: row) == .object { add(row, at: []) }
    return found
  }

  private func text(besides known: Set<JSONNode>, of node: JSONNode) -> String? {
    if let text = document.text(of: node) { return text }
    if document.kind(of: node) == .array {
      let elements = Array(document.elements(of: node))
      if elements.allSatisfy(known.contains) { return nil }
      let texts = elements.compactMap { document.text(of: $0) }
      if texts.count == elements.count { return texts.joined(separator: ", ") }
    }
    guard document.count(of: node) > 0 else { return nil }
    return document.indentedLines(of: node, limit: 200).map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  private func value(of alternative: ValueExpression.Alternative, at node: JSONNode) -> ResponseValue? {
    switch alternative {
    case .path(let path): pathValue(path, at: node)
    case .header(let name): headers.first(name).map(ResponseValue.text)
    case .link(let relation):
      LinkHeader.target(rel: relation, in: headers.all("Link")).map(ResponseValue.text)
    case .template(let template):
      template.filled(option: { options[$0] }, value: { pathValue($0, at: node)?.scalar }).map(
        ResponseValue.text)
    }
  }

  private func pathValue(_ path: JSONPath, at node: JSONNode) -> ResponseValue? {
    if path.isPlural { return .nodes(path.nodes(in: document, from: node), document) }
    return path.firstNode(in: document, from: node).map { .node($0, document) }
  }
}

/// A value found in a response.
package enum ResponseValue: Sendable {
  case text(String)
  case node(JSONNode, JSONDocument)
  /// All values of a path with `[*]` or a slice.
  case nodes([JSONNode], JSONDocument)

  /// Whether the value is null or "".
  package var isVoid: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .node(let node, let document):
      switch document.kind(of: node) {
      case .null: true
      case .string: document.withUTF8(of: node) { $0.isEmpty }
      default: false
      }
    case .nodes(let nodes, let document): nodes.allSatisfy { ResponseValue.node($0, document).isVoid }
    }
  }

  /// Whether the value is void, false, {}, or [].
  package var meansNothing: Bool {
    guard case .node(let node, let document) = self else { return isVoid }
    return switch document.kind(of: node) {
    case .bool: document.bool(of: node) == false
    case .object, .array: document.count(of: node) == 0
    default: isVoid
    }
  }

  /// Whether the value is false or "", which some services send in place of an empty list.
  var isEmptyScalar: Bool {
    guard case .node(let node, let document) = self else { return false }
    return [.bool, .string].contains(document.kind(of: node)) && meansNothing
  }

  /// The value to send in the next request, the first one of several; nil if there is none.
  package var token: JSONToken? {
    switch self {
    case .text(let text): JSONToken(text)
    case .node(let node, let document): JSONToken(node, in: document)
    case .nodes(let nodes, let document): nodes.first.map { JSONToken($0, in: document) }
    }
  }

  /// The text of a string; nil for anything else.
  package var string: String? {
    switch self {
    case .text(let text): text
    case .node(let node, let document): document.kind(of: node) == .string ? document.text(of: node) : nil
    case .nodes(let nodes, let document): nodes.first.flatMap { ResponseValue.node($0, document).string }
    }
  }

  /// The text of a string, number, or boolean; nil for objects, arrays, and null.
  package var scalar: String? {
    switch self {
    case .text(let text): text
    case .node(let node, let document): document.text(of: node)
    case .nodes(let nodes, let document): nodes.lazy.compactMap { document.text(of: $0) }.first
    }
  }

  /// The kind for messages: "a number", "an object".
  package var kindName: String {
    switch self {
    case .text: "text"
    case .node(let node, let document): document.kind(of: node).phrase
    case .nodes: "multiple values"
    }
  }
}

/// `match = {path|header, equals|contains|starts_with|exists}`: ignores case; a list matches if any of its
/// elements does. Regular expressions are not supported, because responses are hostile input.
package struct Condition: Sendable, Hashable {
  package enum Test: Sendable, Hashable {
    case equals([String])
    case contains([String])
    case startsWith([String])
    /// Whether the value is present: not null, "", false, {}, or [].
    case exists(Bool)
  }

  package static let standard = Condition()

  package var value = ValueExpression([])
  package var test = Test.exists(true)

  /// Whether the value (nil if absent) satisfies the condition. O(value × words).
  package func holds(for value: String?) -> Bool {
    let text = value?.lowercased()
    switch test {
    case .exists(let expected): return (text != nil) == expected
    case .equals(let words): return words.contains { $0.lowercased() == text }
    case .contains(let words): return words.contains { text?.contains($0.lowercased()) ?? false }
    case .startsWith(let words): return words.contains { text?.hasPrefix($0.lowercased()) ?? false }
    }
  }
}

extension ResponseValues {
  /// Whether the condition holds in the row at `node` (nil for the whole body). If the path selects several
  /// values (`errors[*].type`), one is enough.
  package func holds(_ condition: Condition, at node: JSONNode? = nil) -> Bool {
    if case .exists(let expected) = condition.test {
      return (presentValue(of: condition.value, at: node) != nil) == expected
    }
    return scalars(of: condition.value, at: node).contains { condition.holds(for: $0) }
  }

  private func scalars(of expression: ValueExpression, at node: JSONNode?) -> [String] {
    switch value(of: expression, at: node) {
    case .nodes(let nodes, let document)?: nodes.compactMap { document.text(of: $0) }
    case let value?: value.scalar.map { [$0] } ?? []
    case nil: []
    }
  }
}

/// A string composed of values: `https://example.org/item?id={objectID}`.
///
/// | part | stands for |
/// |---|---|
/// | `{path}` | the value at a body path; if it is missing, there is no text |
/// | `{+path}` | the same with its `/` kept in a URL, but not doubled after another `/` |
/// | `{name}` | the value of an option, if the source has one with this name (`{$.name}` is the body's) |
/// | `{{`, `}}` | literal braces |
///
/// A template that begins like a web URL, or with an option that provides one, is a URL: its values are
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
    let parts: [BracedPart]
    do { parts = try BracedPart.parts(of: text, skippingQuotes: true) } catch {
      throw ValueExpressionError(text: text, problem: Sentences.joined([error.problem, error.remedy]))
    }
    pieces = try parts.map { part throws(ValueExpressionError) in
      switch part {
      case .literal(let literal): .literal(literal)
      case .braced(let name) where options.contains(name): .option(name)
      case .braced(let name): try Self.path(name, in: text)
      }
    }
    isAddress = Self.isAddress(pieces)
    for case .path(let path, _) in isAddress ? Self.authority(of: pieces) : [] {
      throw ValueExpressionError(
        text: text, problem: "{\(path)} comes from a response and cannot set the host")
    }
  }

  private static func path(_ name: String, in text: String) throws(ValueExpressionError) -> Piece {
    let keepsSlashes = name.hasPrefix("+")
    do {
      return .path(try JSONPath(keepsSlashes ? String(name.dropFirst()) : name), keepsSlashes: keepsSlashes)
    } catch {
      throw ValueExpressionError(text: text, problem: "\(error)")
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
    guard case .literal(let start)? = pieces.first, let slashes = start.firstRange(of: "//"),
      !start[slashes.upperBound...].contains(where: \.endsAuthority)
    else { return [] }
    return Array(
      pieces.dropFirst().prefix { piece in
        if case .literal(let text) = piece { !text.contains(where: \.endsAuthority) } else { true }
      })
  }
}

extension ValueTemplate.Piece {
  fileprivate var beginsPath: Bool {
    if case .literal(let text) = self { text.first?.endsAuthority ?? false } else { false }
  }
}

extension Character {
  fileprivate var endsAuthority: Bool { self == "/" || self == "?" || self == "#" }
}

extension String {
  package var withoutLastSlash: String { hasSuffix("/") ? String(dropLast()) : self }

  /// Whether a path segment of this URL is `.` or `..`.
  fileprivate var hasDotSegments: Bool {
    prefix { $0 != "?" && $0 != "#" }.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }
}
