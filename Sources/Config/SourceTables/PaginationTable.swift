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
