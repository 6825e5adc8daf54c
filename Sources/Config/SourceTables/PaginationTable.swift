import JSON
import Search

extension Pagination {
  /// `[pagination]`.
  init?(_ reader: inout TableReader) {
    let names = PaginationStyles.all.map { $0.name }
    reader.require("type", "expected one of \(names.joined(separator: ", "))")
    let style = reader.choice("type", among: names).flatMap(PaginationStyles.named)
    if let style {
      // These keys indicate a misunderstanding of the style.
      reader.refuse(
        PaginationStyles.meaninglessKeys(of: style), "not allowed with type = \"\(style.name)\"")
    }
    let settings = PaginationSettings(&reader)
    guard let style, reader.problems.isEmpty, !reader.isPartial else { return nil }
    do { try self.init(style, settings) } catch {
      reader.report(error.problem, for: error.key)
      return nil
    }
  }
}

extension PaginationSettings {
  fileprivate init(_ reader: inout TableReader) {
    self.init(
      into: Slot.position(&reader), first: Self.first(&reader),
      advance: reader.choice("advance", of: Advance.self) ?? .received,
      size: reader.table("size") { PageSize(&$0) } ?? PageSize(),
      next: reader.expression("next"), more: reader.expression("more"), done: reader.expression("done"),
      pages: reader.expression("pages"), carry: reader.tables("carry") { Carry(&$0) },
      endConditions: Self.endConditions(&reader), endStatuses: reader.integers("end_status", in: 300...599),
      expiredStatuses: reader.integers("expired_status", in: 400...599),
      repetition: reader.choice("repeat", of: Repetition.self) ?? .stop,
      overlap: reader.integer("overlap", in: 0...1_000) ?? 0, hosts: reader.hosts("hosts"),
      cap: reader.table("cap") { Cap(&$0) }, maxEmptyPages: reader.integer("max_empty_pages", in: 1...10_000))
    if more != nil, done != nil { reader.report("more and done cannot be used together", for: "done") }
    if let status = expiredStatuses.first(where: endStatuses.contains) {
      reader.report("\(status) is also in end_status", for: "expired_status")
    }
  }

  /// A number or a text.
  private static func first(_ reader: inout TableReader) -> JSONToken? {
    guard let value = reader.value("first") else { return nil }
    switch value.content {
    case .integer(let number): return JSONToken(number)
    case .string(let text): return JSONToken(text)
    case .float, .bool, .date, .array, .table:
      reader.report("expected an integer or a string, found \(value.kindName)", for: "first")
      return nil
    }
  }

  private static func endConditions(_ reader: inout TableReader) -> Set<EndCondition> {
    var signs: Set<EndCondition> = []
    for word in reader.strings("end_on") {
      if let sign = EndCondition(rawValue: word.text) {
        signs.insert(sign)
      } else {
        reader.report(
          Wording.badChoice(word.text, among: EndCondition.allCases.map(\.rawValue)), for: "end_on",
          at: word.position)
      }
    }
    return signs
  }
}

extension PaginationSettings.Carry {
  fileprivate init?(_ reader: inout TableReader) {
    reader.require("from", "where the value is in a reply")
    reader.require("into", "where to put the value, like \"body:a.b\"")
    let from = reader.expression("from")
    let into = reader.parsed("into") { try Slot(parsing: $0) }
    guard let from, let into else { return nil }
    self.init(from: from, into: into)
  }
}

extension PaginationSettings.PageSize {
  fileprivate init(_ reader: inout TableReader) {
    let slot = Slot.size(&reader)
    let template = reader.parsed("template") { try Self.template($0) }
    self.init(
      slot: slot, standard: reader.integer("default", in: 1...100_000),
      maximum: reader.integer("max", in: 1...100_000), actual: reader.expression("actual"),
      template: template)
    if let standard, let maximum, standard > maximum {
      reader.report("default = \(standard) is greater than max = \(maximum)", for: "default")
    }
    if template != nil, slot == nil {
      reader.report("not used anywhere. Add param, body or header", for: "template")
    }
  }

  /// A template that contains the page size.
  private static func template(_ text: String) throws(ValueProblem) -> Template {
    let template: Template
    do { template = try Template(text) } catch { throw ValueProblem("\(error)") }
    guard template.names == ["page_size"] else {
      throw ValueProblem("expected a string with {page_size}, found \(Wording.quoted(text))")
    }
    return template
  }
}

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

extension Slot {
  /// `into = "query:x"`, or the shorthand `param = "x"`.
  static func position(_ reader: inout TableReader) -> Slot? {
    let parameter = reader.string("param").map { Slot.query($0) }
    let into = reader.parsed("into") { try Slot(parsing: $0) }
    if parameter != nil, into != nil { reader.report("param and into cannot be used together", for: "into") }
    return into ?? parameter
  }

  /// `param = "x"`, `body = "a.b"` or `header = "x"`.
  static func size(_ reader: inout TableReader) -> Slot? {
    let parameter = reader.string("param").map { Slot.query($0) }
    let body = reader.parsed("body") { try Slot(bodyPath: $0) }
    let header = reader.parsed("header") { try Slot(header: $0) }
    let present = ["param", "body", "header"].filter(reader.contains)
    if present.count > 1 {
      reader.report("\(present.joined(separator: " and ")) cannot be used together", for: present[1])
    }
    if body == .body([]) { reader.report("expected a member of the body, like \"a.b\"", for: "body") }
    return parameter ?? body ?? header
  }

  init(parsing text: String) throws(ValueProblem) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("query", 2): self = .query(parts[1])
    case ("header", 2): try self.init(header: parts[1])
    case ("body", 2): try self.init(bodyPath: parts[1])
    default:
      throw ValueProblem(
        "expected \"query:NAME\", \"body:PATH\" or \"header:NAME\", found \(Wording.quoted(text))")
    }
  }

  /// `a.b`, a path of members from the body's root; `$` is the body itself.
  private init(bodyPath text: String) throws(ValueProblem) {
    let path: JSONPath
    do { path = try JSONPath(text) } catch { throw ValueProblem("\(error)") }
    guard let names = path.memberNames else {
      throw ValueProblem("expected member names like \"a.b\", found \(Wording.quoted(text))")
    }
    self = .body(names)
  }

  /// A header that a source may set, so that no value from a reply can change the host or the connection.
  private init(header name: String) throws(ValueProblem) {
    if let problem = HeaderCheck.problem(name: name, value: "x") { throw ValueProblem(problem) }
    self = .header(name)
  }
}
