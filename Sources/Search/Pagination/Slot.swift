/// Where a page number, a cursor, or a page size is sent: `query:x`, `header:x`, or `body:a.b`.
package enum Slot: Sendable, Hashable {
  case query(String)
  case header(String)
  /// The member names from the body's root; empty for the body itself.
  case body([String])

  /// Whether the slot can hold values other than strings and numbers.
  package var takesAnyValue: Bool { if case .body = self { true } else { false } }

  /// A value of a reply in a form that this slot can hold (rule 2): any value unchanged in a body, elsewhere
  /// only strings and numbers.
  ///
  /// - Parameter key: The key of `[pagination]` that produced the value.
  func token(of value: ReplyValue, from key: String) throws(PaginationProblem) -> JSONToken {
    guard let token = value.token, takes(token) else {
      throw PaginationProblem(
        key: key, "returned \(value.kindName), which cannot be sent in a query or header")
    }
    return token
  }

  /// The same validation for a stored value.
  func check(_ token: JSONToken, from key: String) throws(PaginationProblem) {
    if !takes(token) {
      throw PaginationProblem(key: key, "returned a value that cannot be sent in a query or header")
    }
  }

  private func takes(_ token: JSONToken) -> Bool { token.text != nil || takesAnyValue }
}

extension JSONPath {
  /// The names of a path that consists of members only; empty for `$`, nil for any other path.
  package var memberNames: [String]? {
    var names: [String] = []
    for step in steps {
      guard case .member(let key) = step else { return nil }
      names.append(key.name)
    }
    return names
  }
}
