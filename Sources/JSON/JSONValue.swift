/// A value of a JSON document together with the document. Convenient, but every copy retains the document, so
/// code that visits every row uses `JSONNode` instead.
package struct JSONValue: Sendable {
  package let document: JSONDocument
  package let node: JSONNode

  package init(document: JSONDocument, node: JSONNode) {
    self.document = document
    self.node = node
  }

  package var kind: JSONKind { document.kind(of: node) }

  /// The range of the value in the document's bytes, including the quotes of a string.
  package var byteRange: Range<Int> { document.byteRange(of: node) }

  /// The value of the last member with this name; nil if there is none or this is not an object.
  package subscript(name: String) -> JSONValue? {
    document.member(of: node, named: JSONKey(name)).map(sibling)
  }

  /// The element at an index, from the end if negative; nil if out of range or this is not an array.
  package subscript(index: Int) -> JSONValue? { document.element(of: node, at: index).map(sibling) }

  /// The elements of an array in order; empty if this is not an array.
  package var elements: [JSONValue] { document.elements(of: node).map(sibling) }

  /// The members of an object, each name once, in order of first occurrence, with its last value; empty if
  /// this is not an object.
  package var members: [(name: String, value: JSONValue)] {
    var places: [JSONKey: Int] = [:]
    var members: [(name: String, value: JSONValue)] = []
    for member in document.members(of: node) {
      let name = document.string(of: member.name) ?? ""
      let key = JSONKey(name)
      if let place = places[key] {
        members[place].value = sibling(member.value)
      } else {
        places[key] = members.count
        members.append((name, sibling(member.value)))
      }
    }
    return members
  }

  /// The number of elements or members, as written; 0 for a scalar.
  package var count: Int { document.count(of: node) }

  /// The decoded text of a string; nil for anything else.
  package var string: String? { document.string(of: node) }

  /// The text of a number exactly as written.
  package var numberText: String? { document.numberText(of: node) }
  package var bool: Bool? { document.bool(of: node) }
  package var isNull: Bool { kind == .null }

  /// A scalar as plain text; nil for null, objects, and arrays.
  package var text: String? { document.text(of: node) }

  private func sibling(_ node: JSONNode) -> JSONValue { JSONValue(document: document, node: node) }
}

/// A single JSON value as text: a part of a request body, or a cursor that is sent back in a body unchanged.
package struct JSONToken: Sendable, Hashable {
  /// The value as JSON on one line, with numbers as written.
  package let json: String
  /// The value for a query or a header: the text of a string or a number; nil for anything else.
  package let text: String?

  package init(_ text: String) {
    self.json = JSONText.quoted(text)
    self.text = text
  }

  package init(_ number: Int) {
    self.json = String(number)
    self.text = json
  }

  package init(_ flag: Bool) {
    self.json = flag ? "true" : "false"
    self.text = nil
  }

  /// A number as JSON text, or `true` or `false`.
  package init(literal: String) {
    self.json = literal
    self.text = literal
  }

  package init(_ node: JSONNode, in document: JSONDocument) {
    json = String(decoding: document.compactBytes(of: node), as: UTF8.self)
    text = document.string(of: node) ?? document.numberText(of: node)
  }
}

/// Encodes the token as a string with its JSON text, because numbers must stay as written.
extension JSONToken: Codable {
  package init(from decoder: any Decoder) throws {
    let json = try decoder.singleValueContainer().decode(String.self)
    guard let document = try? JSONDocument(Array(json.utf8)) else {
      throw JSONCodingError("\(JSONText.quoted(json)) is not JSON", at: decoder.codingPath)
    }
    self.init(document.rootNode, in: document)
  }

  package func encode(to encoder: any Encoder) throws {
    var text = encoder.singleValueContainer()
    try text.encode(json)
  }
}
