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

extension Limits {
  /// `[limits]`.
  init(_ reader: inout TableReader) {
    self.init(
      limit: reader.expression("limit"), remaining: reader.expression("remaining"),
      bucket: reader.expression("bucket"), backoff: reader.expression("backoff"))
    if let (reset, kind) = reader.table("reset", Self.reset) {
      self.reset = reset
      resetKind = kind
    }
    minInterval = reader.duration("min_interval", in: .zero ... .seconds(3_600)) ?? minInterval
    concurrency = reader.integer("concurrency", in: 1...64) ?? concurrency
  }

  private static func reset(_ reader: inout TableReader) -> (ValueExpression, ResetKind?)? {
    reader.require("from", "where the reset time is, like \"header:X-RateLimit-Reset\"")
    let kind = reader.choice("kind", of: ResetKind.self)
    return reader.expression("from").map { ($0, kind) }
  }
}

extension Condition {
  /// `match = {path|header, equals|contains|starts_with|exists}`.
  init?(_ reader: inout TableReader) {
    let value = reader.pathOrHeader("a condition")
    let test = Self.test(&reader)
    guard let value, let test else { return nil }
    self.init(value: value, test: test)
  }

  private static func test(_ reader: inout TableReader) -> Test? {
    let tests: [(key: String, test: Test?)] = [
      ("equals", words("equals", &reader).map { .equals($0) }),
      ("contains", words("contains", &reader).map { .contains($0) }),
      ("starts_with", words("starts_with", &reader).map { .startsWith($0) }),
      ("exists", reader.bool("exists").map { .exists($0) }),
    ]
    let present = tests.filter { reader.contains($0.key) }
    if present.isEmpty {
      reader.report(
        "missing: a condition needs one of \(tests.map(\.key).joined(separator: ", "))", for: "equals")
    } else if present.count > 1 {
      reader.report(
        "\(present.map(\.key).joined(separator: " and ")) cannot be used together", for: present[1].key)
    }
    return present.first?.test
  }

  /// One scalar or a list of scalars, as the texts that replies are compared with.
  private static func words(_ key: String, _ reader: inout TableReader) -> [String]? {
    guard let value = reader.value(key) else { return nil }
    let elements = if case .array(let elements) = value.content { elements } else { [value] }
    return elements.compactMap { element in
      switch element.content {
      case .string(let text): return text
      case .integer(let number): return String(number)
      case .bool(let flag): return String(flag)
      case .float, .date, .array, .table:
        reader.report("expected a string, found \(element.kindName)", for: key, at: element.position)
        return nil
      }
    }
  }
}

extension TableReader {
  /// The value given by `path` or `header`, exactly one of which is required.
  ///
  /// - Parameter subject: What uses the value, for messages.
  mutating func pathOrHeader(_ subject: String) -> ValueExpression? {
    let path = expression("path")
    let header = string("header").map { ValueExpression([.header($0)]) }
    switch ["path", "header"].filter(contains).count {
    case 0: report("missing: \(subject) needs path or header", for: "path")
    case 1: break
    default: report("path and header cannot be used together", for: "header")
    }
    return path ?? header
  }
}
