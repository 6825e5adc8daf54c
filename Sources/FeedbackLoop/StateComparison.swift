/// Compares two states of one system, whose type may not be `Equatable`.
enum StateComparison {
  /// Whether two values are equal, as far as can be known.
  ///
  /// Values that are not `Equatable` are compared by their parts, objects by their identity. Parts that cannot be
  /// compared, such as functions, count as equal, as does everything after the first 1,000 parts.
  static func areEqual(_ first: Any, _ second: Any) -> Bool {
    var budget = 1_000
    return areEqual(first, second, &budget)
  }

  private static func areEqual(_ first: Any, _ second: Any, _ budget: inout Int) -> Bool {
    if let first = first as? any Equatable { return isEqual(first, second) }
    budget -= 1
    guard budget > 0 else { return true }
    let (one, other) = (Mirror(reflecting: first), Mirror(reflecting: second))
    guard one.subjectType == other.subjectType, one.children.count == other.children.count else {
      return false
    }
    if one.displayStyle == .class { return (first as AnyObject) === (second as AnyObject) }
    if one.displayStyle == .enum, one.children.isEmpty { return "\(first)" == "\(second)" }
    for (part, counterpart) in zip(one.children, other.children) {
      guard part.label == counterpart.label, areEqual(part.value, counterpart.value, &budget) else {
        return false
      }
    }
    return true
  }

  private static func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
    (second as? Value) == first
  }
}
