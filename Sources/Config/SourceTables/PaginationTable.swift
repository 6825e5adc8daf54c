import HTTPValues
import JSON
import Search

extension Pagination {
  /// `[pagination]`.
  init?(_ reader: inout TableReader) {
    var draft = PaginationDraft.table.value(&reader)
    guard let style = draft.style, reader.problems.isEmpty, !reader.isFragment else { return nil }
    if draft.settings.into == nil, style.placeholders.contains(where: reader.scope.requestNames.contains) {
      draft.settings.into = .placeholder
    }
    do { try self.init(style, draft.settings) } catch {
      reader.report(error.problem, for: error.key)
      return nil
    }
  }
}

/// The keys of `[pagination]` as they are read, before the style checks them.
struct PaginationDraft {
  var style: (any PaginationStyle.Type)?
  var settings = PaginationSettings.standard

  static let table = KeyTable<PaginationDraft>(
    "[pagination]", "How to get the next page.", PaginationDraft(), positionKeys + ownKeys + pageKeys
  ) { reader, draft in
    let into = reader.value("into")?.string.flatMap { try? Slot(parsing: $0) }
    if into != nil, reader.value("param")?.string != nil { reader.checkOnlyOne(of: ["param", "into"]) }
    if draft.settings.more != nil, draft.settings.done != nil { reader.checkOnlyOne(of: ["more", "done"]) }
    if let status = draft.settings.expiredStatuses.first(where: draft.settings.endStatuses.contains) {
      reader.report("\(status) is also in end_status", for: "expired_status")
    }
  }

  private static let positionKeys: [SourceKey<PaginationDraft>] = [
    SourceKey("type", "required", "One of the styles above.", read: readStyle),
    SourceKey("param", .parameter, \.settings.into, "Shorthand for `into = \"query:NAME\"`."),
    SourceKey(
      "into", .slot, \.settings.into,
      "Where to put the number or cursor: `query:NAME`, `body:a.b` or `header:NAME`. Not needed if `[request]` has its placeholder. With `merge`, the default is `query`."
    ),
    SourceKey(
      "first", .numberOrText, \.settings.first,
      "The value for the first page. Default: 1 with `page`, 0 with `offset`; with `cursor` the parameter is omitted."
    ),
  ]

  private static let ownKeys = PaginationStyles.all.flatMap { $0.ownKeys }.map(SourceKey.init(own:))

  private static let pageKeys: [SourceKey<PaginationDraft>] = [
    SourceKey("size", .table(PaginationSettings.PageSize.table), \.settings.size, "The page size."),
    SourceKey(
      "next", .response, \.settings.next,
      "The next position (`cursor`, `link`, `merge`). With `page` and `offset`, riffle checks only whether it exists."
    ),
    SourceKey(
      "more", .response, \.settings.more,
      "True if there are more pages: `true`, `\"true\"`, `\"yes\"` or a number other than 0. Anything else is false."
    ),
    SourceKey("done", .response, \.settings.done, "True on the last page, with values as for `more`."),
    SourceKey("pages", .response, \.settings.pages, "The number of pages."),
    SourceKey(
      "carry", .tables(PaginationSettings.Carry.table), \.settings.carry,
      "Other values to send with the next request."),
    SourceKey(
      "end_on", .endConditions, \.settings.endConditions,
      "Kinds of pages that end the list. By default, a short page does not."),
    SourceKey(
      "end_status", .integers(300...599), \.settings.endStatuses,
      "Statuses that mean the end of the list, after the first page."),
    SourceKey(
      "end_values", .texts, \.settings.endValues,
      "Values of `next` that mean that there is no next page, besides null, \"\", false, {} and []."),
    SourceKey(
      "expired_status", .integers(400...599), \.settings.expiredStatuses,
      "Statuses that mean the cursor has expired."),
    SourceKey(
      "repeat", .choice, \.settings.repetition,
      "Some services return the same position again. `stop`: request it once more, if the rows are new. `progress`: request it as long as the rows are new. `end`: the list has ended."
    ),
    SourceKey(
      "overlap", .integer(0...1_000), \.settings.overlap,
      "Number of rows at the start of a page that repeat the end of the previous page."),
    SourceKey(
      "hosts", .hosts, \.settings.hosts,
      "Other hosts that a next page may be on. riffle sends them no credential."),
    SourceKey(
      "cap", .table(PaginationSettings.Cap.table), \.settings.cap,
      "The point after which the service returns no more rows, whatever the total."),
    SourceKey(
      "max_empty_pages", .integer(1...10_000), \.settings.maxEmptyPages,
      "Maximum number of empty pages in a row. Default: 3 for each load in the pager, 100 in riffle search."),
  ]

  /// Also refuses the keys of other styles, which indicate a misunderstanding of this one.
  @Sendable private static func readStyle(_ reader: inout TableReader, _ draft: inout PaginationDraft) {
    let names = PaginationStyles.all.map { $0.name }
    reader.require("type", "expected one of \(names.joined(separator: ", "))")
    draft.style = reader.choice("type", among: names).flatMap(PaginationStyles.named)
    if let style = draft.style {
      reader.refuse(PaginationStyles.meaninglessKeys(of: style), "not allowed with type = \"\(style.name)\"")
    }
  }
}

extension SourceKey<PaginationDraft> {
  /// A key that belongs to one style.
  fileprivate init(own key: PaginationKey) {
    let kind: KeyKind<PaginationKey.Value> =
      switch key.kind {
      case .choice(let words): .word(words.map { ($0, .word($0)) })
      case .slot: KeyKind<Slot>.slot.map { .slot($0) }
      case .response: KeyKind<ValueExpression>.response.map { .response($0) }
      }
    self.init(key.name, kind, key.meaning) { $0.settings.own[key.name] = $1 }
  }
}

extension PaginationSettings.Carry {
  fileprivate static let table = KeyTable<Self>(
    "[[pagination.carry]]", "A value of each response to send with the next request.", .standard,
    [
      SourceKey(
        "from", .response, \.from, required: "where the value is in a response", "Where the value is."),
      SourceKey(
        "into", .slot, \.into, required: "where to put the value, like \"body:a.b\"", "Where to put it."),
    ])
}

extension PaginationSettings.PageSize {
  fileprivate static let table = KeyTable<Self>(
    "[pagination.size]", "The page size. It does not change during a run.", .standard,
    [
      SourceKey("param", .parameter, \.slot, "The query parameter."),
      SourceKey(
        "body", .parsed("a path like `a.b`") { try Slot(bodyPath: $0) }, \.slot, "The field of the body."),
      SourceKey("header", .parsed("a name") { try Slot(header: $0) }, \.slot, "The header."),
      SourceKey(
        "default", .integer(1...100_000), \.standard, "The page size, unless `--all` or `--limit` uses `max`."
      ),
      SourceKey(
        "max", .integer(1...100_000), \.maximum, "The largest page the service allows; used by `--all`."),
      SourceKey("actual", .response, \.actual, "The page size that the service reports."),
    ]
  ) { reader, size in
    reader.checkOnlyOne(of: ["param", "body", "header"])
    if size.slot == .body([]) { reader.report("expected a field of the body, like \"a.b\"", for: "body") }
    if let standard = size.standard, let maximum = size.maximum, standard > maximum {
      reader.report("default = \(standard) is greater than max = \(maximum)", for: "default")
    }
  }
}

extension PaginationSettings.Cap {
  fileprivate static let table = KeyTable<Self>(
    "[pagination.cap]", "One of rows, page or offset.", .standard,
    [
      SourceKey("rows", .integer(1...1_000_000_000), "The number of rows that can be loaded.") {
        ($0.unit, $0.count) = (.rows, $1)
      },
      SourceKey("page", .integer(0...1_000_000_000), "The last page.") { ($0.unit, $0.count) = (.page, $1) },
      SourceKey("offset", .integer(0...1_000_000_000), "The last offset.") {
        ($0.unit, $0.count) = (.offset, $1)
      },
      SourceKey(
        "rule", .choice, \.rule, "Whether the first or the last row of a page must be within the cap."),
      SourceKey(
        "unless", .parsed("`\"auth\"` or `\"secret:NAME\"`") { try CredentialName(parsing: $0) }, \.unless,
        "The credential that lifts the cap."),
    ]
  ) { reader, _ in
    reader.checkOnlyOne(of: ["rows", "page", "offset"], missing: "a cap needs rows, page or offset")
    let rule = reader.value("rule")?.string.flatMap(Rule.init)
    if rule != nil, ["rows", "page", "offset"].filter(reader.contains) == ["page"] {
      reader.report("not allowed with page: a page is either within the cap or not", for: "rule")
    }
  }
}

extension CredentialName {
  /// `auth` or `secret:NAME`.
  fileprivate init(parsing text: String) throws(ValueFormatError) {
    if text == "auth" {
      self = .authorization
    } else if text.hasPrefix("secret:"), text.count > 7 {
      self = .secret(String(text.dropFirst(7)))
    } else {
      throw ValueFormatError("expected \"auth\" or \"secret:NAME\", found \(Wording.quoted(text))")
    }
  }
}

extension KeyKind<Slot> {
  /// `param = "x"`, a shorthand for `into = "query:x"`.
  fileprivate static var parameter: KeyKind { KeyKind<String>.name.map { .query($0) } }
  fileprivate static var slot: KeyKind { .parsed("a target") { try Slot(parsing: $0) } }
}

extension KeyKind<JSONToken> {
  fileprivate static var numberOrText: KeyKind {
    KeyKind(words: "a number or a string") { reader, key in
      reader.value(key, expecting: "an integer or a string") { value in
        switch value.content {
        case .integer(let number): JSONToken(number)
        case .string(let text): JSONToken(text)
        case .float, .bool, .date, .array, .table: nil
        }
      }
    }
  }
}

extension KeyKind<Set<PaginationSettings.EndCondition>> {
  fileprivate static var endConditions: KeyKind {
    KeyKind(words: "`\"empty\"`, `\"short\"`") { reader, key in
      let conditions = reader.strings(key).compactMap { text in
        if let condition = PaginationSettings.EndCondition(rawValue: text.text) { return condition }
        let words = PaginationSettings.EndCondition.allCases.map(\.rawValue)
        reader.report(Wording.badChoice(text.text, among: words), for: key, at: text.position)
        return nil
      }
      return Set(conditions)
    }
  }
}

extension Slot {
  fileprivate init(parsing text: String) throws(ValueFormatError) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("query", 2): self = .query(parts[1])
    case ("header", 2): try self.init(header: parts[1])
    case ("body", 2): try self.init(bodyPath: parts[1])
    default:
      throw ValueFormatError(
        "expected \"query:NAME\", \"body:PATH\" or \"header:NAME\", found \(Wording.quoted(text))")
    }
  }

  /// `a.b`, a path of members from the body's root; `$` is the body itself.
  fileprivate init(bodyPath text: String) throws(ValueFormatError) {
    let path: JSONPath
    do { path = try JSONPath(text) } catch { throw ValueFormatError("\(error)") }
    guard let names = path.memberNames else {
      throw ValueFormatError("expected field names like \"a.b\", found \(Wording.quoted(text))")
    }
    self = .body(names)
  }

  /// A header that a source may set, so that no value from a response can change the host or the connection.
  fileprivate init(header name: String) throws(ValueFormatError) {
    if let problem = HeaderCheck.problem(name: name, value: "x") { throw ValueFormatError(problem) }
    self = .header(name)
  }
}
