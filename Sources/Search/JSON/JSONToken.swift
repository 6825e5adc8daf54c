/// One JSON value on its own, as text: what a request body is made of, and how a cursor goes back into a
/// body just as it came.
package struct JSONToken: Sendable, Hashable {
  /// The value as JSON on one line, a number by its own digits.
  package let json: String
  /// What a query or a header can carry: the text of a string or a number; nil for anything else.
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

  /// A number by its digits as JSON has them, or `true` or `false`.
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
