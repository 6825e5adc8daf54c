/// Where a page number, a cursor or a page size goes: `query:x`, `header:x` or `body:a.b`.
package enum Slot: Sendable, Hashable {
  case query(String)
  case header(String)
  /// The member names from the body's root on; none of them means the body itself.
  case body([String])

  /// Whether it can carry more than text and numbers.
  package var takesAnyValue: Bool { if case .body = self { true } else { false } }

  /// A value of a reply as this slot can carry it (rule 2): in a body any value as it came, elsewhere only
  /// text and numbers.
  ///
  /// - Parameter key: the key of `[pagination]` that led to the value.
  func token(of value: ReplyValue, from key: String) throws(PaginationProblem) -> JSONToken {
    guard let token = value.token, takes(token) else {
      throw PaginationProblem(key: key, "gave \(value.kindName), which no query or header can carry")
    }
    return token
  }

  /// The same of a value that was kept.
  func check(_ token: JSONToken, from key: String) throws(PaginationProblem) {
    if !takes(token) { throw PaginationProblem(key: key, "gave a value that no query or header can carry") }
  }

  private func takes(_ token: JSONToken) -> Bool { token.text != nil || takesAnyValue }
}

extension JSONPath {
  /// The names of a path that leads through members alone; nil for any other. `$` has none.
  package var memberNames: [String]? {
    var names: [String] = []
    for step in steps {
      guard case .member(let key) = step else { return nil }
      names.append(key.name)
    }
    return names
  }
}
