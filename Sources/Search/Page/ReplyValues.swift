package import HTTPValues
package import JSON

/// A reply whose values can be read by expressions: body, header fields, URL, and the options of its request.
package struct ReplyValues: Sendable {
  /// The body; null if it is not JSON.
  package internal(set) var document: JSONDocument
  package let headers: HTTPFields
  package let url: WebURL
  /// The value of each option of the source.
  package let options: [String: String]
  /// Why the body is not JSON.
  let error: JSONError?

  package init(
    document: JSONDocument, headers: HTTPFields, url: WebURL, options: [String: String] = [:]
  ) {
    self.document = document
    self.headers = headers
    self.url = url
    self.options = options
    error = nil
  }

  /// The values of a reply. A body that is not JSON has none; the header fields have theirs in any case.
  package init(_ reply: HTTPReply, options: [String: String] = [:]) {
    headers = reply.headers
    url = reply.url
    self.options = options
    do {
      document = try JSONDocument(reply.body)
      error = nil
    } catch {
      document = .null
      self.error = error
    }
  }

  /// The first alternative that is present and neither null nor "", evaluated at `node` (nil for the whole
  /// body).
  package func value(of expression: ValueExpression, at node: JSONNode? = nil) -> ReplyValue? {
    for alternative in expression.alternatives {
      if let value = value(of: alternative, at: node ?? document.rootNode), !value.isVoid { return value }
    }
    return nil
  }

  /// Like `value`, but also nil for values that mean "no next": false, {}, and [] (rule 2).
  package func presentValue(of expression: ValueExpression, at node: JSONNode? = nil) -> ReplyValue? {
    value(of: expression, at: node).flatMap { $0.meansNothing ? nil : $0 }
  }

  package func text(of expression: ValueExpression, at node: JSONNode? = nil) -> String? {
    value(of: expression, at: node)?.scalar
  }

  /// The URL of a row's page in the form of `WebURL.link`; nil for anything else.
  package func link(_ expression: ValueExpression, at node: JSONNode) -> String? {
    text(of: expression, at: node).flatMap(WebURL.link)
  }

  /// Whether the value is `true`, the text "true" or "yes" ignoring case, or a nonzero number, including one
  /// written as text. Everything else is false, including lists and objects.
  package func isTrue(_ expression: ValueExpression) -> Bool {
    guard let text = text(of: expression)?.lowercased() else { return false }
    if ["true", "yes"].contains(text) { return true }
    // Excludes "nan" and "0x1", which Swift accepts as numbers.
    guard text.utf8.allSatisfy({ "0123456789+-.e".utf8.contains($0) }) else { return false }
    return Double(text).map { $0 != 0 } ?? false
  }

  /// The texts of the members of a row that none of the expressions read unchanged, by their paths: members
  /// of nested objects individually up to a depth of two, anything deeper and lists of objects as JSON. Null
  /// and "" are left out.
  ///
  /// - Parameter limit: The maximum number of members, and of characters in each before an ellipsis.
  package func members(
    of row: JSONNode, except read: [ValueExpression], limit: (fields: Int, characters: Int)
  ) -> [(path: String, text: String)] {
    var known: Set<JSONNode> = []
    for expression in read {
      switch value(of: expression, at: row) {
      case .node(let node, _)?: known.insert(node)
      case .nodes(let nodes, _)?: known.formUnion(nodes)
      case .text?, nil: break
      }
    }
    var found: [(path: String, text: String)] = []
    func add(_ node: JSONNode, at path: String, depth: Int) {
      guard found.count < limit.fields, !known.contains(node) else { return }
      if document.kind(of: node) == .object, depth < 3 {
        for (name, value) in JSONValue(document: document, node: node).members {
          add(value.node, at: path.isEmpty ? name : "\(path).\(name)", depth: depth + 1)
        }
      } else if depth > 0, let text = text(besides: known, of: node), !text.isEmpty {
        let isLong = text.unicodeScalars.count > limit.characters
        found.append((path, isLong ? "\(text.unicodeScalars.prefix(limit.characters))…" : text))
      }
    }
    if document.kind(of: row) == .object { add(row, at: "", depth: 0) }
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

  private func value(of alternative: ValueExpression.Alternative, at node: JSONNode) -> ReplyValue? {
    switch alternative {
    case .path(let path): pathValue(path, at: node)
    case .header(let name): headers.first(name).map(ReplyValue.text)
    case .link(let relation):
      LinkHeader.target(rel: relation, in: headers.all("Link")).map(ReplyValue.text)
    case .template(let template):
      template.filled(option: { options[$0] }, value: { pathValue($0, at: node)?.scalar }).map(
        ReplyValue.text)
    }
  }

  private func pathValue(_ path: JSONPath, at node: JSONNode) -> ReplyValue? {
    if path.isPlural { return .nodes(path.nodes(in: document, from: node), document) }
    return path.firstNode(in: document, from: node).map { .node($0, document) }
  }
}

/// A value found in a reply.
package enum ReplyValue: Sendable {
  case text(String)
  case node(JSONNode, JSONDocument)
  /// All values of a path with `[*]` or a slice.
  case nodes([JSONNode], JSONDocument)

  /// Null or "".
  package var isVoid: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .node(let node, let document):
      switch document.kind(of: node) {
      case .null: true
      case .string: document.withUTF8(of: node) { $0.isEmpty }
      default: false
      }
    case .nodes(let nodes, let document): nodes.allSatisfy { ReplyValue.node($0, document).isVoid }
    }
  }

  /// Void, false, {}, or [].
  package var meansNothing: Bool {
    guard case .node(let node, let document) = self else { return isVoid }
    return switch document.kind(of: node) {
    case .bool: document.bool(of: node) == false
    case .object, .array: document.count(of: node) == 0
    default: isVoid
    }
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
    case .node(let node, let document):
      document.kind(of: node) == .string ? document.text(of: node) : nil
    case .nodes(let nodes, let document): nodes.first.flatMap { ReplyValue.node($0, document).string }
    }
  }

  /// The text of a string, number, or boolean; nil for objects, arrays, and null.
  package var scalar: String? {
    switch self {
    case .text(let text): text
    case .node(let node, let document):
      switch document.kind(of: node) {
      case .string, .number, .bool: document.text(of: node)
      case .object, .array, .null: nil
      }
    case .nodes(let nodes, let document): nodes.lazy.compactMap { ReplyValue.node($0, document).scalar }.first
    }
  }

  /// For messages: "a number", "an object".
  package var kindName: String {
    switch self {
    case .text: "text"
    case .node(let node, let document): document.kind(of: node).phrase
    case .nodes: "multiple values"
    }
  }
}

/// `match = {path|header, equals|contains|starts_with|exists}`: ignores case; a list matches if any of its
/// elements does. Regular expressions are not supported, because replies are hostile input.
package struct Condition: Sendable, Hashable {
  package enum Test: Sendable, Hashable {
    case equals([String])
    case contains([String])
    case startsWith([String])
    /// Whether the value is present: not null, "", false, {}, or [].
    case exists(Bool)
  }

  package var value: ValueExpression
  package var test: Test

  package init(value: ValueExpression, test: Test) {
    self.value = value
    self.test = test
  }

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

extension ReplyValues {
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
    case .nodes(let nodes, let document)?: nodes.compactMap { ReplyValue.node($0, document).scalar }
    case let value?: value.scalar.map { [$0] } ?? []
    case nil: []
    }
  }
}
