import JSON
import Search

extension RowShape {
  /// Without `[rows]`.
  static var undeclared: RowShape {
    var shape = standard
    shape.key = standardKey(of: nil, link: nil)
    return shape
  }

  /// `[rows]`.
  static let table = KeyTable<RowShape>(
    "[rows]", "Where the rows are.", RowShape.standard,
    [
      SourceKey(
        "shape", .word(forms), \.form,
        "`list`: a list of objects. `map`: an object whose values are the rows (`@key` is their key). `columns`: one list of values per row. `columnar`: one list of values per column. `scalars`: a list of plain values."
      ),
      SourceKey(
        "names", "names, or a path", "With `columns` and `columnar`: the names of the values.",
        read: readNames),
      SourceKey("link", .row, \.link, "The link of a row, http or https."),
      SourceKey(
        "path", .path, \.path,
        "The path of the list of rows. Default: the reply itself. In `columns`, a slice or `[*]` selects the rows: `table[1:]`."
      ),
      SourceKey(
        "required", .bool, \.isRequired,
        "Whether a reply without the path is an error, not an empty page."),
      SourceKey("key", .reply, \.key, "The unique key of a row. Default: `id`, or else the link."),
      SourceKey("total", .reply, \.total, "The total number of rows."),
      SourceKey("total_exact", .reply, \.totalExact, "True if the total is exact."),
      SourceKey("total_at_least", .condition, \.totalAtLeast, "When the total is a lower bound."),
      SourceKey(
        "total_request", "a table", "A separate request for the total.",
        tables: { [EndpointDraft.totalTable.manual] }
      ) { $1.totalRequest = $0.table("total_request") { EndpointDraft.totalRequest(&$0) } },
      SourceKey("incomplete", .reply, \.incomplete, "True if the service stopped the search early."),
    ]
  ) { reader, rows in
    switch rows.form {
    case .columns?, .columnar?: break
    case .list?, .map?, .scalars?, nil:
      if rows.path?.isPlural ?? false {
        reader.report("selects multiple values. Use the path of the list itself", for: "path")
      }
    }
    rows.key = rows.key ?? standardKey(of: rows.form, link: rows.link)
  }

  private static let forms: [(String, RowForm)] = [
    ("list", .list), ("map", .map), ("columns", .columns(nil)), ("columnar", .columnar(nil)),
    ("scalars", .scalars),
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
    case .list?, .map?, .scalars?, nil:
      if reader.contains("names") {
        reader.refuse(["names"], "requires shape = \"columns\" or \"columnar\"")
      }
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

extension Detail {
  /// `[detail]`.
  static let table = KeyTable<Detail>(
    "[detail]", "The detail view of a row.", Detail.standard,
    [
      SourceKey("fields", "expressions", "The fields shown, in order. Default: all columns.") {
        $1.fields = Detail.fields(&$0)
      },
      SourceKey("body", .table(bodyTable), \.body, "A long text shown below the fields."),
      SourceKey("request", .table(DetailRequest.table), \.request, "A request for more data about the row."),
    ])

  /// A field with the name of a column is formatted the same way.
  private static func fields(_ reader: inout TableReader) -> [Column] {
    var names: Set<String> = []
    return reader.strings("fields").compactMap { text in
      guard let value = reader.expression(text, for: "fields", placing: reader.scope.options) else {
        return nil
      }
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
        "url", .row, \.url,
        required: "the address of the row, like \"=https://api.example.org/items/{id}\"",
        "The address, like `\"=https://api.example.org/items/{id}\"`."),
      SourceKey(
        "params", KeyKind(words: "a table") { DetailRequest.parameters(&$0, $1) }, \.parameters,
        "Query parameters."),
    ]
  ) { reader, request in
    if let problem = reader.scope.problem(of: request.url) { reader.report(problem, for: "url") }
  }

  private static func parameters(_ reader: inout TableReader, _ key: String) -> [Parameter] {
    let options = Set(reader.scope.options.map(\.name))
    return reader.members(key).compactMap { entry -> Parameter? in
      guard let text = entry.value.string else {
        reader.report("expected a string, found \(entry.value.kindName)", forMember: entry, of: key)
        return nil
      }
      do {
        let template = try ValueTemplate(text, options: options)
        if template.isConstant, LiteralSecret.isLikely(parameter: entry.key) {
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

extension ValueTemplate {
  /// Whether the request has no placeholders.
  fileprivate var isConstant: Bool {
    pieces.allSatisfy { if case .literal = $0 { true } else { false } }
  }
}

extension RowAction {
  /// The actions of `[actions.NAME]`. Their keys must be distinct.
  static func all(_ reader: inout TableReader) -> [RowAction] {
    var names: [Character: String] = [:]
    return reader.namedTables("actions") { entry, reader in
      var action = table.value(&reader)
      action.name = entry.key
      guard action.key != table.standard.key, action.effect != table.standard.effect else { return nil }
      if let other = names.updateValue(action.name, forKey: action.key) {
        reader.report("is already the key of action \(Wording.quoted(other))", for: "key")
      }
      return action
    }
  }

  /// `[actions.NAME]`.
  static let table = KeyTable<RowAction>(
    "[actions.NAME]", "An action on a row, with a key pressed after `,`.",
    RowAction(name: "", key: "\0", effect: .copy(.none)),
    [
      SourceKey(
        "key", KeyKind(words: "one character") { RowAction.key(&$0, $1) }, \.key,
        required: "the character to press after \",\"", "The key."),
      SourceKey("open", .address, "The address to open.") { $0.effect = .open($1) },
      SourceKey("copy", .row, "The text to copy.") { $0.effect = .copy($1) },
    ]
  ) { reader, _ in
    reader.checkOnlyOne(of: ["open", "copy"], missing: "an action needs open or copy")
  }

  private static func key(_ reader: inout TableReader, _ name: String) -> Character? {
    guard let text = reader.string(name) else { return nil }
    if let key = text.first, text.count == 1,
      key.isLetter || key.isNumber || key.isPunctuation || key.isSymbol
    {
      return key
    }
    reader.report("expected one character, like \"c\", found \(Wording.quoted(text))", for: name)
    return nil
  }
}

extension KeyKind<ValueExpression> {
  fileprivate static var address: KeyKind {
    KeyKind(words: "an expression") { reader, key in
      let address = reader.expression(key, placing: reader.scope.options)
      if address?.templates.contains(where: { !$0.isAddress }) ?? false {
        reader.report("expected an address that starts with http:// or https://", for: key)
      }
      return address
    }
  }
}
