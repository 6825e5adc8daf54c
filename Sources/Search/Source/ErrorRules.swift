/// How a source tells its errors apart (`[errors]`).
package struct ErrorRules: Sendable {
  /// The service's own words.
  package var message: ValueExpression?
  /// Tells an error inside a reply of status 200; where `unless` is there too, the rows count and the error
  /// is a warning (rule 22).
  package var inside: [ErrorRule]
  package var rateLimited: [ErrorRule]
  /// Errors that pass by themselves.
  package var retry: [ErrorRule]
  /// Errors that asking again never mends.
  package var fatal: [ErrorRule]

  package init(
    message: ValueExpression? = nil, inside: [ErrorRule] = [], rateLimited: [ErrorRule] = [],
    retry: [ErrorRule] = [], fatal: [ErrorRule] = []
  ) {
    self.message = message
    self.inside = inside
    self.rateLimited = rateLimited
    self.retry = retry
    self.fatal = fatal
  }
}

/// One `[[errors.…]]` entry: statuses and a condition, both of which must hold.
package struct ErrorRule: Sendable, Hashable {
  /// Empty: any status of 400 or above, and an error inside a 200.
  package var statuses: [Int]
  package var condition: Condition?
  /// The rule does not hold where this value is.
  package var unless: ValueExpression?
  /// Where the reply names the wait.
  package var waitFrom: WaitField?
  /// The least wait this error asks for where the reply names none, in seconds.
  package var waitAtLeast: Double?

  package init(
    statuses: [Int] = [], condition: Condition? = nil, unless: ValueExpression? = nil,
    waitFrom: WaitField? = nil, waitAtLeast: Double? = nil
  ) {
    self.statuses = statuses
    self.condition = condition
    self.unless = unless
    self.waitFrom = waitFrom
    self.waitAtLeast = waitAtLeast
  }
}

/// `wait_from = {path|header, number_after}`: a wait in seconds, or words that name one.
package struct WaitField: Sendable, Hashable {
  package var value: ValueExpression
  /// The words before the number, in any case of letters; nil when the value is the number.
  package var numberAfter: String?

  package init(value: ValueExpression, numberAfter: String? = nil) {
    self.value = value
    self.numberAfter = numberAfter
  }

  /// The wait that a text names, in seconds; of a long text the beginning counts.
  package func seconds(in text: String) -> Double? {
    guard let words = numberAfter?.lowercased(), !words.isEmpty else { return WaitNumber.seconds(text) }
    let text = text.prefix(2_000).lowercased()
    return text.ranges(of: words).lazy.compactMap { WaitNumber.leadingSeconds(text[$0.upperBound...]) }.first
  }
}
