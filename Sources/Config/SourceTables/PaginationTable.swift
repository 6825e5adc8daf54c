import Search

extension Pagination {
  /// `[pagination]`.
  init?(_ reader: inout TableReader) {
    let names = PaginationStyles.all.map { $0.name }
    reader.require("type", "one of \(names.joined(separator: ", "))")
    let style = reader.choice("type", among: names, later: ["merge"])
      .flatMap(PaginationStyles.named)
    if let style {
      // To write them is a misunderstanding.
      reader.refuse(
        PaginationStyles.meaninglessKeys(of: style), "has no meaning with type = \"\(style.name)\"")
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
      into: Self.slot(&reader), first: Self.first(&reader),
      advance: reader.choice("advance", of: Advance.self) ?? .received,
      size: reader.table("size") { PageSize(&$0) } ?? PageSize(),
      next: reader.expression("next"), more: reader.expression("more"), done: reader.expression("done"),
      pages: reader.expression("pages"), endsOnShortPage: Self.endsOnShortPage(&reader),
      endStatuses: reader.integers("end_status", in: 300...599), hosts: reader.hosts("hosts"),
      cap: reader.table("cap") { Cap(&$0) }, maxEmptyPages: reader.integer("max_empty_pages", in: 1...10_000))
    if more != nil, done != nil { reader.report("more and done exclude each other", for: "done") }
    reader.refuseForNow("carry", "expired_status", "repeat", "overlap")
  }

  /// `into = "query:x"`, or `param = "x"` for short.
  private static func slot(_ reader: inout TableReader) -> Slot? {
    let parameter = reader.string("param").map { Slot.query($0) }
    let into = reader.parsed("into") { try Slot(parsing: $0) }
    if parameter != nil, into != nil { reader.report("param and into exclude each other", for: "into") }
    return into ?? parameter
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

  private static func endsOnShortPage(_ reader: inout TableReader) -> Bool {
    let words = reader.strings("end_on")
    for word in words where word.text != "short" {
      let isKnown = word.text == "empty"
      reader.report(
        isKnown
          ? "\"empty\" is \(Wording.notSupported)"
          : Wording.badChoice(word.text, among: ["short"]), for: "end_on", at: word.position)
    }
    return !words.isEmpty
  }
}

extension PaginationSettings.PageSize {
  fileprivate init(_ reader: inout TableReader) {
    let parameter = reader.string("param").map { Slot.query($0) }
    let header = reader.string("header").map { Slot.header($0) }
    if parameter != nil, header != nil { reader.report("param and header exclude each other", for: "header") }
    self.init(
      slot: parameter ?? header, standard: reader.integer("default", in: 1...100_000),
      maximum: reader.integer("max", in: 1...100_000))
    if let standard, let maximum, standard > maximum {
      reader.report("default = \(standard) is above max = \(maximum)", for: "default")
    }
    reader.refuseForNow("body", "actual", "template")
  }
}

extension PaginationSettings.Cap {
  fileprivate init?(_ reader: inout TableReader) {
    let rows = reader.integer("rows", in: 1...1_000_000_000)
    let page = reader.integer("page", in: 0...1_000_000_000)
    let rule = reader.choice("rule", of: Rule.self) ?? .start
    reader.refuseForNow("offset", "unless")
    if rows != nil, page != nil { reader.report("rows and page exclude each other", for: "page") }
    if !["rows", "page", "offset"].contains(where: reader.contains) {
      reader.report("missing; a cap counts rows or pages", for: "rows")
    }
    if let rows {
      self.init(unit: .rows, count: rows, rule: rule)
    } else if let page {
      self.init(unit: .page, count: page, rule: rule)
    } else {
      return nil
    }
  }
}

extension Slot {
  fileprivate init(parsing text: String) throws(ValueProblem) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("query", 2): self = .query(parts[1])
    case ("header", 2): self = .header(parts[1])
    case ("body", 2): throw ValueProblem("\"body:\" is \(Wording.notSupported)")
    default:
      throw ValueProblem("expected \"query:NAME\" or \"header:NAME\", found \(Wording.quoted(text))")
    }
  }
}
