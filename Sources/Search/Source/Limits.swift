/// Where a service says how much it still allows, and how gently to ask (`[limits]`).
package struct Limits: Sendable {
  package var limit: ValueExpression?
  package var remaining: ValueExpression?
  package var reset: ValueExpression?
  package var resetKind: ResetKind?
  /// A body field that asks for a pause in seconds.
  package var backoff: ValueExpression?
  /// The least time between two requests of one run.
  package var minInterval: Duration
  /// How many addressable pages may be asked at once.
  package var concurrency: Int

  package init(
    limit: ValueExpression? = nil, remaining: ValueExpression? = nil, reset: ValueExpression? = nil,
    resetKind: ResetKind? = nil, backoff: ValueExpression? = nil, minInterval: Duration = .zero,
    concurrency: Int = 4
  ) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
    self.resetKind = resetKind
    self.backoff = backoff
    self.minInterval = minInterval
    self.concurrency = concurrency
  }
}

/// The unit of a reset field.
package enum ResetKind: String, Sendable, CaseIterable {
  case epoch
  case epochMilliseconds = "epoch_ms"
  case seconds
  case iso8601
  case httpDate = "http-date"
}

/// How a source tells its errors apart (`[errors]`).
package struct ErrorRules: Sendable {
  /// The service's own words.
  package var message: ValueExpression?
  package var rateLimited: [ErrorRule]

  package init(message: ValueExpression? = nil, rateLimited: [ErrorRule] = []) {
    self.message = message
    self.rateLimited = rateLimited
  }
}

/// One `[[errors.…]]` entry: statuses and a condition, both of which must hold.
package struct ErrorRule: Sendable {
  /// Empty: any status of 400 or above.
  package var statuses: [Int]
  package var condition: Condition?
  /// The least wait this error asks for, in seconds.
  package var waitAtLeast: Double?

  package init(statuses: [Int] = [], condition: Condition? = nil, waitAtLeast: Double? = nil) {
    self.statuses = statuses
    self.condition = condition
    self.waitAtLeast = waitAtLeast
  }
}

/// `match = {path|header, equals|contains|starts_with|exists}`: case-insensitive, a list means any.
/// There are no regular expressions: replies are hostile input.
package struct Condition: Sendable {
  package enum Test: Sendable, Hashable {
    case equals([String])
    case contains([String])
    case startsWith([String])
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
}
