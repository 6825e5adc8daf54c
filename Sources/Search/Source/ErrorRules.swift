/// How a source recognizes and classifies errors (`[errors]`).
package struct ErrorRules: Sendable {
  /// The service's error message.
  package var message: ValueExpression?
  /// Recognizes an error in a reply with status 200. If `unless` is present too, the rows count and the error
  /// is a warning (rule 22).
  package var inside: [ErrorRule]
  package var rateLimited: [ErrorRule]
  /// Transient errors.
  package var retry: [ErrorRule]
  /// Errors that a retry cannot resolve.
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

/// An `[[errors.…]]` entry: statuses and a condition, both of which must hold.
package struct ErrorRule: Sendable, Hashable {
  /// If empty: any status of 400 or above, and an error inside a 200.
  package var statuses: [Int]
  package var condition: Condition?
  /// The rule does not hold if this value is present.
  package var unless: ValueExpression?
  /// Where the reply contains the wait.
  package var waitFrom: WaitField?
  /// The minimum wait in seconds if the reply contains none.
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

/// `wait_from = {path|header, number_after}`: a wait in seconds, or a message that contains one.
package struct WaitField: Sendable, Hashable {
  package var value: ValueExpression
  /// The words before the number, ignoring case; nil if the value is the number.
  package var numberAfter: String?

  package init(value: ValueExpression, numberAfter: String? = nil) {
    self.value = value
    self.numberAfter = numberAfter
  }

  /// The wait in a text, in seconds; only the beginning of a long text is searched.
  package func seconds(in text: String) -> Double? {
    guard let words = numberAfter?.lowercased(), !words.isEmpty else { return WaitSeconds.seconds(text) }
    let text = text.prefix(2_000).lowercased()
    return text.ranges(of: words).lazy.compactMap { WaitSeconds.leadingSeconds(text[$0.upperBound...]) }.first
  }
}
