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

  /// Whether the reply satisfies the condition.
  ///
  /// - Parameter reply: Nil if the body cannot be parsed; header fields are used in any case.
  func holds(in reply: ReplyValues?, _ headers: HTTPFields) -> Bool {
    reply.map { $0.holds(self) } ?? holds(for: headers.value(of: value))
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
