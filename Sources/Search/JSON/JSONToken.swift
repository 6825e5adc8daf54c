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
    text =
      switch document.kind(of: node) {
      case .string, .number: document.text(of: node)
      case .object, .array, .bool, .null: nil
      }
  }
}
