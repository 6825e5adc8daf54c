/// The request of one page before it is built: a style puts its position here.
package struct RequestDraft: Sendable, Hashable {
  /// Replaces address, parameters and path when set: a link is followed unchanged (rule 16).
  package var target: WebURL?
  /// Query parameters that take the place of those with the same name.
  package var parameters: [Item] = []
  package var headers: [Item] = []
  /// Values put into the body, over what the source places there.
  package var body: [BodyItem] = []

  /// A value with its name, not encoded or checked yet.
  package struct Item: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  /// A value and the member names that lead to its place in the body.
  package struct BodyItem: Sendable, Hashable {
    package let path: [String]
    package let value: JSONToken
  }

  /// Puts a value where the slot says. What a query or a header cannot carry is left out.
  package mutating func put(_ value: JSONToken, into slot: Slot) {
    switch slot {
    case .query(let name): if let text = value.text { parameters.append(Item(name: name, value: text)) }
    case .header(let name): if let text = value.text { headers.append(Item(name: name, value: text)) }
    case .body(let path): body.append(BodyItem(path: path, value: value))
    }
  }
}
