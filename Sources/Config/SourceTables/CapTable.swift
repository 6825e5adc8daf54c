import Search

extension PaginationSettings.Cap {
  /// `cap = {rows|page|offset, rule, unless}`.
  init?(_ reader: inout TableReader) {
    let limits = Unit.allCases.map { unit in
      (unit, reader.integer(unit.rawValue, in: unit == .rows ? 1...1_000_000_000 : 0...1_000_000_000))
    }
    let rule = reader.choice("rule", of: Rule.self)
    let unless = reader.parsed("unless") { try CredentialName(parsing: $0) }
    let present = Unit.allCases.map(\.rawValue).filter(reader.contains)
    if present.isEmpty {
      reader.report("missing: a cap needs rows, page or offset", for: "rows")
    }
    if present.count > 1 {
      reader.report("\(present.joined(separator: " and ")) cannot be used together", for: present[1])
    }
    if rule != nil, present == [Unit.page.rawValue] {
      reader.report("not allowed with page: a page is either within the cap or not", for: "rule")
    }
    guard let (unit, count) = limits.first(where: { $0.1 != nil }), let count else { return nil }
    self.init(unit: unit, count: count, rule: rule ?? .start, unless: unless)
  }
}

extension CredentialName {
  /// `auth` or `secret:NAME`.
  fileprivate init(parsing text: String) throws(ValueProblem) {
    if text == "auth" {
      self = .authorization
    } else if text.hasPrefix("secret:"), text.count > 7 {
      self = .secret(String(text.dropFirst(7)))
    } else {
      throw ValueProblem("expected \"auth\" or \"secret:NAME\", found \(Wording.quoted(text))")
    }
  }
}
