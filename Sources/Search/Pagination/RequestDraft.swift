/// The request for one page before it is built. A style puts its position here.
package struct RequestDraft: Sendable, Hashable {
  /// If set, replaces the URL, its parameters, and its path: a link is followed unchanged (rule 16).
  package var target: WebURL?
  /// Query parameters that replace those with the same name.
  package var parameters: [Item] = []
  package var headers: [Item] = []
  /// Values for the body; they override the values that the source puts there.
  package var body: [BodyItem] = []

  /// A name and a value, not yet encoded or validated.
  package struct Item: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  /// A value, and the member names that lead to its location in the body.
  package struct BodyItem: Sendable, Hashable {
    package let path: [String]
    package let value: JSONToken
  }

  /// Puts a value into the slot. A value that a query or a header cannot carry is left out.
  package mutating func put(_ value: JSONToken, into slot: Slot) {
    switch slot {
    case .query(let name): if let text = value.text { parameters.append(Item(name: name, value: text)) }
    case .header(let name): if let text = value.text { headers.append(Item(name: name, value: text)) }
    case .body(let path): body.append(BodyItem(path: path, value: value))
    }
  }
}
