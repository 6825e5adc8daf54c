/// A reply whose values can be asked for by expression: body, header fields, address, and the options it was
/// asked with.
package struct ReplyValues: Sendable {
  package let document: JSONDocument
  package let headers: HTTPFields
  package let url: WebURL
  /// The value of each option of the source.
  package let options: [String: String]

  package init(
    document: JSONDocument, headers: HTTPFields, url: WebURL, options: [String: String] = [:]
  ) {
    self.document = document
    self.headers = headers
    self.url = url
    self.options = options
  }

  /// The same reply with another body.
  func with(_ document: JSONDocument) -> ReplyValues {
    ReplyValues(document: document, headers: headers, url: url, options: options)
  }

  /// The first alternative that is neither null, "" nor absent, read from `node` (nil: the whole body).
  package func value(of expression: ValueExpression, at node: JSONNode? = nil) -> ReplyValue? {
    for alternative in expression.alternatives {
      if let value = value(of: alternative, at: node ?? document.rootNode), !value.isVoid { return value }
    }
    return nil
  }

  /// As `value`, but also nil for what means "no next": false, {} and [] (rule 2).
  package func presentValue(of expression: ValueExpression, at node: JSONNode? = nil) -> ReplyValue? {
    value(of: expression, at: node).flatMap { $0.meansNothing ? nil : $0 }
  }

  package func text(of expression: ValueExpression, at node: JSONNode? = nil) -> String? {
    value(of: expression, at: node)?.scalar
  }

  /// The address of a row, as `WebURL.link` lets one be; nil for anything else.
  package func link(_ expression: ValueExpression, at node: JSONNode) -> String? {
    text(of: expression, at: node).flatMap(WebURL.link)
  }

  /// Whether the value is `true`, the text "true" or "yes" in any case of letters, or a number other than 0, also as
  /// text. Nothing else is: no other text, no list and no object.
  package func isTrue(_ expression: ValueExpression) -> Bool {
    guard let text = text(of: expression)?.lowercased() else { return false }
    if ["true", "yes"].contains(text) { return true }
    // Neither "nan" nor "0x1", which are numbers to Swift.
    guard text.utf8.allSatisfy({ "0123456789+-.e".utf8.contains($0) }) else { return false }
    return Double(text).map { $0 != 0 } ?? false
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

  /// Void, false, {} or [].
  package var meansNothing: Bool {
    guard case .node(let node, let document) = self else { return isVoid }
    return switch document.kind(of: node) {
    case .bool: document.bool(of: node) == false
    case .object, .array: document.count(of: node) == 0
    default: isVoid
    }
  }

  /// The value as it can be put into the next request; nil for several values that are none.
  package var token: JSONToken? {
    switch self {
    case .text(let text): JSONToken(text)
    case .node(let node, let document): JSONToken(node, in: document)
    case .nodes(let nodes, let document): nodes.first.map { JSONToken($0, in: document) }
    }
  }

  /// A string's text; nil for anything else.
  package var string: String? {
    switch self {
    case .text(let text): text
    case .node(let node, let document):
      document.kind(of: node) == .string ? document.text(of: node) : nil
    case .nodes(let nodes, let document): nodes.first.flatMap { ReplyValue.node($0, document).string }
    }
  }

  /// The text of a string, number or boolean; nil for objects, arrays and null.
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
    case .nodes: "several values"
    }
  }
}

extension JSONKind {
  /// With its article, for messages.
  package var phrase: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "true or false"
    case .null: "null"
    }
  }
}

extension HTTPFields {
  /// The first header alternative of an expression that is there and not "": what can be read of a reply
  /// whose body is no JSON.
  func value(of expression: ValueExpression) -> String? {
    for case .header(let name) in expression.alternatives {
      if let value = first(name), !value.isEmpty { return value }
    }
    return nil
  }
}
