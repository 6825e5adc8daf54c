import Search

extension ErrorRules {
  /// `[errors]`.
  init(_ reader: inout TableReader) {
    self.init(
      message: reader.expression("message"), inside: reader.tables("when") { ErrorRule(inside: &$0) },
      rateLimited: reader.tables("rate_limited") { ErrorRule(repeatable: &$0) },
      retry: reader.tables("retry") { ErrorRule(repeatable: &$0) },
      fatal: reader.tables("fatal") { ErrorRule(&$0) })
  }
}

extension ErrorRule {
  /// `[[errors.fatal]]`, and the keys shared by all entries.
  fileprivate init(_ reader: inout TableReader) {
    self.init(
      statuses: reader.integers("status", in: 100...599), condition: reader.table("match") { Condition(&$0) },
      unless: reader.expression("unless"))
    if !reader.contains("status"), !reader.contains("match") {
      reader.report("missing: a rule needs status or match", for: "match")
    }
  }

  /// `[[errors.when]]`: an error in a successful reply.
  fileprivate init(inside reader: inout TableReader) {
    reader.require("match", "the condition that marks an error in a successful reply")
    self.init(condition: reader.table("match") { Condition(&$0) }, unless: reader.expression("unless"))
  }

  /// `[[errors.rate_limited]]` and `[[errors.retry]]`: retried after a wait.
  fileprivate init(repeatable reader: inout TableReader) {
    self.init(&reader)
    waitFrom = reader.table("wait_from") { WaitField(&$0) }
    waitAtLeast = Self.waitAtLeast(&reader)
  }

  /// Seconds as a number, or a duration as elsewhere.
  private static func waitAtLeast(_ reader: inout TableReader) -> Double? {
    if case .integer? = reader.value("wait_at_least")?.content {
      return reader.integer("wait_at_least", in: 0...86_400).map(Double.init)
    }
    return reader.duration("wait_at_least", in: .zero ... .seconds(86_400)).map { $0 / .seconds(1) }
  }
}

extension WaitField {
  /// `wait_from = {path|header, number_after}`.
  fileprivate init?(_ reader: inout TableReader) {
    let value = reader.pathOrHeader("a wait")
    let words = reader.string("number_after")
    if words?.isEmpty ?? false {
      reader.report("expected the text before the number, found none", for: "number_after")
    }
    guard let value else { return nil }
    self.init(value: value, numberAfter: words)
  }
}
