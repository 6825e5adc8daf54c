/// `match = {path|header, equals|contains|starts_with|exists}`: case-insensitive, a list means any.
/// There are no regular expressions: replies are hostile input.
package struct Condition: Sendable, Hashable {
  package enum Test: Sendable, Hashable {
    case equals([String])
    case contains([String])
    case startsWith([String])
    /// Whether the value is there: neither null, "", false, {} nor [].
    case exists(Bool)
  }

  package var value: ValueExpression
  package var test: Test

  package init(value: ValueExpression, test: Test) {
    self.value = value
    self.test = test
  }

  /// Whether the value (nil when absent) passes. O(value × words).
  package func holds(for value: String?) -> Bool {
    let text = value?.lowercased()
    switch test {
    case .exists(let expected): return (text != nil) == expected
    case .equals(let words): return words.contains { $0.lowercased() == text }
    case .contains(let words): return words.contains { text?.contains($0.lowercased()) ?? false }
    case .startsWith(let words): return words.contains { text?.hasPrefix($0.lowercased()) ?? false }
    }
  }

  /// Whether the reply passes.
  ///
  /// - Parameter reply: nil for a reply whose body cannot be read; its header fields still count.
  func holds(in reply: ReplyValues?, _ headers: HTTPFields) -> Bool {
    reply.map { $0.holds(self) } ?? holds(for: headers.value(of: value))
  }
}

extension ReplyValues {
  /// Whether a condition holds in the row at `node` (nil: the whole body); of several values
  /// (`errors[*].type`) one is enough.
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
