import HTTPValues
import JSON
import Search
private import Text

extension RowShape {
  /// Without `[rows]`.
  static var undeclared: RowShape {
    var shape = standard
    shape.key = standardKey(of: nil, link: nil)
    shape.isKeyGuessed = true
    return shape
  }

  static let table = KeyTable<RowShape>(
    "[rows]", "Where the rows are.", RowShape.standard,
    [
      SourceKey(
        "shape", .word(forms), \.form,
        "`list`: a list of objects. `map`: an object whose values are the rows (`@key` is the name of the field). `columns`: one list of values per row. `columnar`: one list of values per column. `scalars`: a list of plain values. `object`: one object, the only row. `object or list`: a list of objects, or one object in place of a list of one."
      ),
      SourceKey(
        "names", "a list of names, or a path", "With `columns` and `columnar`: the names of the values.",
        read: readNames),
      SourceKey("link", .row, \.link, "The link of a row, http or https."),
      SourceKey(
        "path", .path, \.path,
        "The path of the list of rows. Default: the response itself. A slice or `[*]` selects the rows themselves: `table[1:]`, `edges[*].node`, `groups[*].items[*]`."
      ),
      SourceKey(
        "where", .condition, \.condition,
        "Only values that meet this condition are rows. Others are omitted, and not counted as duplicates."),
      SourceKey(
        "missing", .word([("error", false), ("empty", true)]), \.mayBeMissing,
        "The meaning of a response without the path: `error`, or `empty` for a page without rows."),
      SourceKey(
        "required", .bool, \.isRequired, "Whether null in place of the rows is an error, not an empty page."),
      SourceKey(
        "id", .response, \.key,
        "The unique row id. Default: `id`, or else the link. With the default, a row is a duplicate only if the entire row is equal."
      ),
      SourceKey("total", .response, \.total, "The total number of rows."),
      SourceKey("total_exact", .response, \.totalExact, "True if the total is exact."),
      SourceKey("total_at_least", .condition, \.totalAtLeast, "When the total is a lower bound."),
      SourceKey(
        "total_request", "a table", "A separate request for the total.",
        tables: [TotalDraft.table.manual]
      ) { $1.totalRequest = $0.table("total_request") { TotalDraft.request(&$0) } },
      SourceKey(
        "incomplete", .response, \.incomplete,
        "True if the service says that rows are missing; one of several values is enough."),
    ]
  ) { reader, rows in
    switch rows.form {
    case .map?, .object?:
      if rows.path?.isPlural ?? false {
        reader.report("selects multiple values. Use the path of one object", for: "path")
      }
    case .columns?, .columnar?:
      if rows.condition != nil { reader.report("not allowed with this shape", for: "where") }
    case .list?, .scalars?, .objectOrList?, nil: break
    }
    if !reader.isFragment { reader.scope.hasEnclosing = rows.hasEnclosing }
    for (key, value) in [("id", rows.key), ("link", rows.link)] where reader.scope.hasEnclosing == false {
      if let problem = value.flatMap(reader.scope.enclosingProblem) { reader.report(problem, for: key) }
    }
    rows.isKeyGuessed = rows.key == nil
    rows.key = rows.key ?? standardKey(of: rows.form, link: rows.link)
  }

  private static let forms: [(String, RowForm)] = [
    ("list", .list), ("map", .map), ("columns", .columns(nil)), ("columnar", .columnar(nil)),
    ("scalars", .scalars), ("object", .object), ("object or list", .objectOrList),
  ]

  /// The default row key: the row's `id`, else its link; in a map its name.
  private static func standardKey(of form: RowForm?, link: ValueExpression?) -> ValueExpression? {
    let texts = form == .map ? ["id", "@key"] : ["id"]
    guard let key = try? ValueExpression(parsing: texts) else { return link }
    let id = key.alternatives.prefix(1)
    return ValueExpression(id + (link?.alternatives ?? []) + key.alternatives.dropFirst())
  }

  @Sendable private static func readNames(_ reader: inout TableReader, _ rows: inout RowShape) {
    switch rows.form {
    case .columns?: rows.form = .columns(ColumnNames(&reader))
    case .columnar?: rows.form = .columnar(ColumnNames(&reader))
    case .list?, .map?, .scalars?, .object?, .objectOrList?, nil:
      reader.refuse(["names"], "requires shape = \"columns\" or \"columnar\"")
    }
  }
}

extension ColumnNames {
  /// `names = ["id", "name"]`, or the path to them.
  fileprivate init?(_ reader: inout TableReader) {
    guard case .array(let elements)? = reader.value("names")?.content else {
      guard let path = reader.parsed("names", { try JSONPath($0) }) else { return nil }
      self = .path(path)
      return
    }
    let names = reader.strings("names")
    if elements.isEmpty { reader.report("expected at least one name, found none", for: "names") }
    for (index, name) in names.enumerated() where names[..<index].contains(where: { $0.text == name.text }) {
      reader.report("\(Wording.quoted(name.text)) is listed twice", for: "names", at: name.position)
    }
    self = .stated(names.map(\.text))
  }
}

// MARK: Columns

extension Column {
  /// The columns of `[[columns]]`. Their names must be distinct.
  static func all(_ reader: inout TableReader) -> [Column] {
    var names: Set<String> = []
    return reader.tables("columns") { reader in
      var column = table.value(&reader)
      column.complete(&reader, names: &names)
      return column
    }
  }

  static let table = KeyTable<Column>(
    "[[columns]]",
    "The columns, in order. By default, all fields of the first page are columns, and tables show six of them.",
    Column(name: "", value: .none),
    [
      SourceKey(
        "path", .row, \.value, required: "the path of the value in a row", "Where the value is in a row."),
      SourceKey("title", .text, \.title, "The heading. Default: made from the name."),
      SourceKey(
        "name", .text.named("`a-z0-9_`"), \.name,
        "The name for `--columns` and `--sort`. Default: the last field of the path."),
      SourceKey(
        "format", .word(ColumnFormat.all.map { ($0.name, $0) }).named("a format"), \.format,
        "One of the column formats below. Default: `text`."),
      SourceKey(
        "html", .choice, \.markup, "How to handle HTML: keep it, strip tags, or decode entities only."),
      SourceKey("when", .condition, \.condition, "If this condition is not met, the value is empty."),
      SourceKey("zone", "`\"UTC\"` or `\"+09:00\"`", "The time zone of times without one.") {
        $1.zone = Column.zone(&$0, $1.format) ?? 0
      },
      SourceKey(
        "align", .word([("left", .leading), ("right", .trailing), ("center", .center)]), \.alignment,
        "The alignment. Default: depends on the format."),
      SourceKey("width", .table(WidthLimits.table), "The width, in terminal columns.") {
        $0.width = $1.width
      },
      SourceKey("wrap", .bool, \.isWrapped, "Whether to wrap long cells."),
      SourceKey(
        "priority", .integer(0...1_000), \.priority,
        "Columns with higher numbers are hidden first on a narrow screen."),
      SourceKey(
        "color", .color, \.color,
        "A role of `riffle-config`(5), or one per value: `{ map = { open = \"success\" } }`."),
      SourceKey("join", .text, \.separator, "Separator between the elements of a list. Default: `\", \"`."),
      SourceKey("empty", .text, \.empty, "Text shown for an empty value."),
    ])

  /// The given name, which must be unique; else one derived from the path or the title, with a number if it
  /// is taken.
  private mutating func complete(_ reader: inout TableReader, names: inout Set<String>) {
    let givenTitle = reader.value("title")?.string
    if reader.value("name")?.string != nil {
      if name.isEmpty || Self.identifier(name) != name {
        reader.report("expected a name of a–z, 0–9 and _, like \"\(Self.identifier(name))\"", for: "name")
      } else if names.contains(name) {
        reader.report("another column is already named \"\(name)\"", for: "name")
      }
      names.insert(name)
    } else {
      name = Self.identifier(value.lastName ?? givenTitle ?? "value", taken: &names)
    }
    title = givenTitle ?? Self.title(name: name)
    if !reader.contains("align") { alignment = format.alignment }
  }

  /// The title for `full_name` is "Full name".
  static func title(name: String) -> String {
    let words = name.split(separator: "_").joined(separator: " ")
    return words.isEmpty ? name : words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Seconds east of UTC; only allowed if the format parses times.
  private static func zone(_ reader: inout TableReader, _ format: ColumnFormat) -> Int? {
    guard let text = reader.string("zone") else { return nil }
    if format.isExact {
      let times = ColumnFormat.all.filter { !$0.isExact }.map { "\"\($0.name)\"" }
      reader.report("requires format = \(Sentences.alternatives(times))", for: "zone")
    }
    guard let zone = Timestamp.zone(text) else {
      reader.report(
        "expected \"UTC\" or an offset like \"+09:00\", found \(Wording.quoted(text))", for: "zone")
      return nil
    }
    return zone
  }
}

extension KeyKind<ColumnColor> {
  /// `color = "accent"`, or `color = { map = { open = "success" } }`.
  fileprivate static var color: KeyKind {
    KeyKind(words: "a role, or a table", tables: [ColumnColor.table.manual]) { reader, key in
      guard case .table? = reader.value(key)?.content else {
        return KeyKind<Role>.choice.read(&reader, key).map { .always($0) }
      }
      return reader.table(key) { ColumnColor.table.value(&$0) }
    }
  }
}

extension ColumnColor {
  fileprivate static let table = KeyTable<ColumnColor>(
    "[columns.color]", "A role for each value.", .byText([:]),
    [
      SourceKey(
        "map", KeyKind(words: "a table") { roles(&$0, $1) },
        required: "a role for each value, like { open = \"success\" }", "`open = \"success\"`, ignoring case."
      ) { $0 = .byText($1) }
    ])

  private static func roles(_ reader: inout TableReader, _ key: String) -> [String: Role]? {
    var roles: [String: Role] = [:]
    for (entry, name) in reader.textMembers(key) {
      if let role = Role(rawValue: name) {
        roles[entry.key.lowercased()] = role
      } else {
        reader.report(
          Wording.badChoice(name, among: Role.allCases.map(\.rawValue)), forMember: entry, of: key)
      }
    }
    return roles
  }
}

/// `width = {fixed}` or `{min, max, weight}`, in terminal columns.
private struct WidthLimits {
  var fixed: Int?
  var least: Int?
  var most: Int?
  var weight = 0

  var width: ColumnWidth { fixed.map { .fixed($0) } ?? .flexible(min: least, max: most, weight: weight) }

  static let table = KeyTable<WidthLimits>(
    "[columns.width]", "Either `fixed` alone, or any of the others.", WidthLimits(),
    [
      SourceKey("fixed", .integer(1...1_000), \.fixed, "Exact width."),
      SourceKey("min", .integer(1...1_000), \.least, "Minimum width."),
      SourceKey("max", .integer(1...1_000), \.most, "Maximum width, while other columns need the space."),
      SourceKey("weight", .integer(0...1_000), \.weight, "Share of the remaining space."),
    ]
  ) { reader, limits in
    if limits.fixed != nil, ["min", "max", "weight"].contains(where: reader.contains) {
      reader.report("fixed cannot be used together with min, max or weight", for: "fixed")
    } else if let least = limits.least, let most = limits.most, least > most {
      reader.report("min = \(least) is greater than max = \(most)", for: "min")
    }
  }
}

// MARK: Details and actions

extension Detail {
  static let table = KeyTable<Detail>(
    "[detail]", "The detail view of a row.", Detail.standard,
    [
      SourceKey("fields", "a list of expressions", "The fields shown, in order. Default: all columns.") {
        $1.fields = Detail.fields(&$0)
      },
      SourceKey("body", .table(bodyTable), \.body, "A long text shown below the fields."),
      SourceKey("request", .table(DetailRequest.table), \.request, "A request for more data about the row."),
    ])

  /// A field with the name of a column is formatted the same way.
  private static func fields(_ reader: inout TableReader) -> [Column] {
    var names: Set<String> = []
    return reader.strings("fields").compactMap { text in
      guard let value = reader.expression(text, for: "fields", placing: reader.scope.options)
      else { return nil }
      if let column = reader.scope.columns.first(where: { $0.value == value }) {
        names.insert(column.name)
        return column
      }
      let name = Column.identifier(value.lastName ?? text.text, taken: &names)
      return Column(name: name, title: Column.title(name: name), value: value)
    }
  }

  private static let bodyTable = KeyTable<Column>(
    "[detail.body]", "A long text of the row.", Column(name: "body", title: "Body", value: .none),
    [
      SourceKey("path", .row, \.value, required: "the path of the text", "Where the text is."),
      SourceKey("format", .word(formats), "The format of the text.") { ($0.format, $0.markup) = $1 },
    ])

  private static let formats: [(String, (ColumnFormat, Column.Markup))] = [
    ("text", (.text, .kept)), ("markdown", (.markdown, .kept)), ("html", (.text, .stripped)),
    ("json", (.json, .kept)),
  ]
}

extension DetailRequest {
  fileprivate static let table = KeyTable<DetailRequest>(
    "[detail.request]", "A request for more data about the row, to the same origin only.",
    DetailRequest(url: .none),
    [
      SourceKey(
        "url", .row, \.url, required: "the URL of the row, like \"=https://api.example.org/items/{id}\"",
        "The URL, like `\"=https://api.example.org/items/{id}\"`."),
      SourceKey(
        "path", .path, \.path,
        "The path of the row in the response, like `data`. Default: the response itself."),
      SourceKey(
        "params", KeyKind(words: "a table") { DetailRequest.parameters(&$0, $1) }, \.parameters,
        "Query parameters."),
    ]
  ) { reader, request in
    if let problem = reader.scope.problem(of: request.url) { reader.report(problem, for: "url") }
  }

  private static func parameters(_ reader: inout TableReader, _ key: String) -> [Parameter] {
    let options = Set(reader.scope.options.map(\.name))
    return reader.textMembers(key).compactMap { entry, text in
      do {
        let template = try ValueTemplate(text, options: options)
        let isConstant = template.pieces.allSatisfy { if case .literal = $0 { true } else { false } }
        if isConstant, SecretName.isLikely(parameter: entry.key) {
          reader.report(LiteralSecret.problem, forMember: entry, of: key)
        }
        return Parameter(name: entry.key, value: template)
      } catch {
        reader.report("\(error)", forMember: entry, of: key)
        return nil
      }
    }
  }
}
