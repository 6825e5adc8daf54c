import Search

extension ErrorRules {
  static let table = KeyTable<ErrorRules>(
    "[errors]", "How to recognize errors.", ErrorRules.standard,
    [
      SourceKey("message", .response, \.message, "The error message of the service."),
      SourceKey("when", .tables(ErrorRule.inside), \.inside, "Errors in responses with a success status."),
      SourceKey("rate_limited", .tables(ErrorRule.repeatable), \.rateLimited, "Wait, then retry."),
      SourceKey("retry", .tables(ErrorRule.repeatable), \.retry, "Retry."),
      SourceKey("fatal", .tables(ErrorRule.fatal), \.fatal, "Do not retry."),
    ])
}

extension ErrorRule {
  fileprivate static let inside = KeyTable<ErrorRule>(
    "[[errors.when]]", "An error in a response with a success status.", ErrorRule.standard,
    [
      SourceKey(
        "match", .condition, \.condition,
        required: "the condition that marks an error in a successful response", "The condition for an error."),
      SourceKey("unless", .response, \.unless, "If it has a value, the response is not an error."),
    ])

  fileprivate static let repeatable = KeyTable<ErrorRule>(
    "[[errors.rate_limited]], [[errors.retry]]", "A rule with a status, a match or both.", ErrorRule.standard,
    keys + [
      SourceKey("wait_from", .table(WaitField.table), \.waitFrom, "Where the wait in seconds is."),
      SourceKey("wait_at_least", .wait, \.waitAtLeast, "Minimum wait. A number means seconds."),
    ], check: needsStatusOrMatch)

  fileprivate static let fatal = KeyTable<ErrorRule>(
    "[[errors.fatal]]", "A rule as in `[[errors.rate_limited]]`, without waits.", ErrorRule.standard, keys,
    check: needsStatusOrMatch)

  private static let keys: [SourceKey<ErrorRule>] = [
    SourceKey("status", .integers(100...599), \.statuses, "Any of these statuses."),
    SourceKey("match", .condition, \.condition, "The condition for the response."),
    SourceKey("unless", .response, \.unless, "If it has a value, the rule does not apply."),
  ]

  @Sendable private static func needsStatusOrMatch(_ reader: inout TableReader, _ rule: inout ErrorRule) {
    if !reader.contains("status"), !reader.contains("match") {
      reader.report("a rule needs status or match", for: nil)
    }
  }
}

extension KeyKind<Double> {
  /// Seconds as a number, or a duration as elsewhere.
  fileprivate static var wait: KeyKind {
    KeyKind(words: "a duration") { reader, key in
      if case .integer? = reader.value(key)?.content {
        return reader.integer(key, in: 0...86_400).map(Double.init)
      }
      return reader.duration(key, in: .zero ... .seconds(86_400)).map { $0 / .seconds(1) }
    }
  }
}

extension WaitField {
  fileprivate static let table = KeyTable<WaitField>(
    "wait_from", "Either path or header.", WaitField(value: .none),
    [
      SourceKey("path", .response, \.value, "A value in the body."),
      SourceKey("header", .header, \.value, "A header."),
      SourceKey("number_after", .text, \.numberAfter, "The text before the number."),
    ]
  ) { reader, field in
    reader.checkOnlyOne(of: ["path", "header"], missing: "a wait needs path or header")
    if field.numberAfter == "" {
      reader.report("expected the text before the number, found none", for: "number_after")
    }
  }
}

extension Limits {
  static let table = KeyTable<Limits>(
    "[limits]", "Rate limits reported by the service, and limits for riffle.", Limits.standard,
    [
      SourceKey("limit", .response, \.limit, "Number of requests allowed per window."),
      SourceKey("remaining", .response, \.remaining, "Number of requests left."),
      SourceKey("bucket", .response, \.bucket, "The name of the limit that the request counts toward."),
      SourceKey("backoff", .response, \.backoff, "Seconds to wait before the next request."),
      SourceKey("reset", into: resetTable, "When the window ends."),
      SourceKey(
        "min_interval", .duration(.zero ... .seconds(3_600)), \.minInterval, "Minimum time between requests."),
      SourceKey(
        "concurrency", .integer(1...64), \.concurrency, "Maximum number of parallel requests. Default: 4."),
    ])

  private static let resetTable = KeyTable<Limits>(
    "[limits.reset]", "The time of the reset.", Limits.standard,
    [
      SourceKey(
        "kind", .choice, \.resetKind,
        "The format of the time; `seconds` count from now. Default: detected from the number."),
      SourceKey(
        "from", .response, \.reset, required: "where the reset time is, like \"header:X-RateLimit-Reset\"",
        "Where the time is."),
    ])
}

extension Condition {
  fileprivate static let table = KeyTable<Condition>(
    "Conditions",
    "Either path or header, and one test. Case is ignored. With several values, one match is enough. With `[*]` in the path (`labels[*].name`), one matching element is enough.",
    .standard,
    [
      SourceKey("path", .response, \.value, "A value in the body."),
      SourceKey("header", .header, \.value, "A header."),
      SourceKey("equals", .scalars, "The value is equal.") { $0.test = .equals($1) },
      SourceKey("contains", .scalars, "The value contains the string.") { $0.test = .contains($1) },
      SourceKey("starts_with", .scalars, "The value starts with the string.") { $0.test = .startsWith($1) },
      SourceKey("exists", .bool, "Whether the value exists.") { $0.test = .exists($1) },
    ]
  ) { reader, _ in
    reader.checkOnlyOne(of: ["path", "header"], missing: "a condition needs path or header")
    reader.checkOnlyOne(
      of: ["equals", "contains", "starts_with", "exists"],
      missing: "a condition needs one of equals, contains, starts_with, exists")
  }
}

extension KeyKind<Condition> {
  /// `{path|header, equals|contains|starts_with|exists}`.
  static var condition: KeyKind { KeyKind.table(Condition.table).named("a condition") }
}

extension KeyKind<[String]> {
  /// One scalar or a list of scalars, as the texts that responses are compared with.
  fileprivate static var scalars: KeyKind {
    KeyKind(words: "a list of values") { reader, key in
      guard reader.value(key) != nil else { return nil }
      return reader.elements(key) { element in
        if case .float = element.content { return nil }
        return element.scalarText
      }
    }
  }
}

extension KeyKind<ValueExpression> {
  fileprivate static var header: KeyKind { KeyKind<String>.name.map { ValueExpression([.header($0)]) } }
}
