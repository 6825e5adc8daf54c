import Search

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
