import JSON
import Search

extension RowShape {
  /// The default without `[rows]`.
  static let standard = RowShape(key: standardKey(of: nil, link: nil))

  /// `[rows]`.
  init(_ reader: inout TableReader, _ scope: RowScope) {
    let form = RowForm(&reader)
    let link = reader.expression("link", placing: scope.options)
    self.init(
      path: Self.path(&reader, form), form: form, isRequired: reader.bool("required") ?? false,
      key: reader.expression("key") ?? Self.standardKey(of: form, link: link),
      total: reader.expression("total"), totalExact: reader.expression("total_exact"),
      totalAtLeast: reader.table("total_at_least") { Condition(&$0) },
      totalRequest: reader.table("total_request") { TotalRequest(&$0, scope) },
      incomplete: reader.expression("incomplete"), link: link)
  }

  /// The default row key: the row's `id`, else its link; in a map its name.
  private static func standardKey(of form: RowForm?, link: ValueExpression?) -> ValueExpression? {
    let texts = form == .map ? ["id", "@key"] : ["id"]
    guard let key = try? ValueExpression(parsing: texts) else { return link }
    let id = key.alternatives.prefix(1)
    return ValueExpression(id + (link?.alternatives ?? []) + key.alternatives.dropFirst())
  }

  private static func path(_ reader: inout TableReader, _ form: RowForm?) -> JSONPath? {
    let path = reader.parsed("path") { try JSONPath($0) }
    switch form {
    case .columns?, .columnar?: return path
    case .list?, .map?, .scalars?, nil: break
    }
    if path?.isPlural ?? false {
      reader.report("selects multiple values. Use the path of the list itself", for: "path")
    }
    return path
  }
}

extension RowForm {
  /// `shape`, and `names` if the shape has them.
  fileprivate init?(_ reader: inout TableReader) {
    let shape = reader.choice("shape", among: ["list", "map", "columns", "columnar", "scalars"])
    if shape != "columns", shape != "columnar", reader.contains("names") {
      reader.refuse(["names"], "requires shape = \"columns\" or \"columnar\"")
    }
    switch shape {
    case "list"?: self = .list
    case "map"?: self = .map
    case "columns"?: self = .columns(ColumnNames(&reader))
    case "columnar"?: self = .columnar(ColumnNames(&reader))
    case "scalars"?: self = .scalars
    default: return nil
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

extension TotalRequest {
  /// `[rows.total_request]`.
  fileprivate init?(_ reader: inout TableReader, _ scope: RowScope) {
    reader.refuse(
      ["headers", "timeout", "graphql", "variables", "safe", "user_agent", "when"],
      "not allowed here. Expected one of method, url, params, body, total")
    reader.require("total", "where the total is in the reply")
    let total = reader.expression("total")
    let endpoint = Endpoint(&reader, placeholders: scope.placeholders, pagination: nil)
    guard let total, let endpoint else { return nil }
    if let problem = scope.problem(of: scope.placeholders.sample(endpoint.url)) {
      reader.report(problem, for: "url")
    }
    self.init(endpoint: endpoint, total: total)
  }
}

extension Detail {
  /// `[detail]`.
  ///
  /// - Parameter columns: The source's columns; a field with the name of a column is formatted the same way.
  init(_ reader: inout TableReader, columns: [Column], _ scope: RowScope) {
    self.init(
      fields: Self.fields(&reader, columns, scope), body: reader.table("body") { Self.body(&$0, scope) },
      request: reader.table("request") { DetailRequest(&$0, scope) })
  }

  private static func fields(
    _ reader: inout TableReader, _ columns: [Column], _ scope: RowScope
  ) -> [Column] {
    var names: Set<String> = []
    return reader.strings("fields").compactMap { text in
      guard let value = reader.expression(text, for: "fields", placing: scope.options) else { return nil }
      if let column = columns.first(where: { $0.value == value }) {
        names.insert(column.name)
        return column
      }
      let name = Column.identifier(value.lastName ?? text.text, taken: &names)
      return Column(name: name, title: Column.title(name: name), value: value)
    }
  }

  private static func body(_ reader: inout TableReader, _ scope: RowScope) -> Column? {
    reader.require("path", "the path of the text")
    let value = reader.expression("path", placing: scope.options)
    let format = reader.choice("format", among: ["text", "markdown", "html", "json"])
    return value.map {
      Column(
        name: "body", title: "Body", value: $0, format: format.flatMap(ColumnFormat.named) ?? .text,
        markup: format == "html" ? .stripped : .kept)
    }
  }
}

extension DetailRequest {
  /// `[detail.request]`.
  fileprivate init?(_ reader: inout TableReader, _ scope: RowScope) {
    reader.require("url", "the address of the row, like \"=https://api.example.org/items/{id}\"")
    let url = reader.expression("url", placing: scope.options)
    if let problem = url.flatMap(scope.problem(of:)) { reader.report(problem, for: "url") }
    let parameters = Self.parameters(&reader, Set(scope.options.map(\.name)))
    guard let url else { return nil }
    self.init(url: url, parameters: parameters)
  }

  private static func parameters(_ reader: inout TableReader, _ options: Set<String>) -> [Parameter] {
    reader.members("params").compactMap { entry -> Parameter? in
      guard let text = entry.value.string else {
        reader.report(
          "expected a string, found \(entry.value.kindName)", forMember: entry, of: "params")
        return nil
      }
      do {
        let template = try ValueTemplate(text, options: options)
        if template.isConstant, LiteralSecret.isLikely(parameter: entry.key) {
          reader.report(LiteralSecret.problem, forMember: entry, of: "params")
        }
        return Parameter(name: entry.key, value: template)
      } catch {
        reader.report("\(error)", forMember: entry, of: "params")
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
  static func all(_ reader: inout TableReader, _ scope: RowScope) -> [RowAction] {
    var names: [Character: String] = [:]
    return reader.namedTables("actions") { entry, reader in
      let action = RowAction(entry.key, &reader, scope)
      if let action, let other = names.updateValue(action.name, forKey: action.key) {
        reader.report("is already the key of action \(Wording.quoted(other))", for: "key")
      }
      return action
    }
  }

  private init?(_ name: String, _ reader: inout TableReader, _ scope: RowScope) {
    reader.require("key", "the character to press after \",\"")
    let key = Self.key(&reader)
    let effect = Self.effect(&reader, scope)
    guard let key, let effect else { return nil }
    self.init(name: name, key: key, effect: effect)
  }

  private static func key(_ reader: inout TableReader) -> Character? {
    guard let text = reader.string("key") else { return nil }
    if let key = text.first, text.count == 1,
      key.isLetter || key.isNumber || key.isPunctuation || key.isSymbol
    {
      return key
    }
    reader.report("expected one character, like \"c\", found \(Wording.quoted(text))", for: "key")
    return nil
  }

  private static func effect(_ reader: inout TableReader, _ scope: RowScope) -> Effect? {
    let address = reader.expression("open", placing: scope.options)
    let text = reader.expression("copy", placing: scope.options)
    switch (reader.contains("open"), reader.contains("copy")) {
    case (true, true): reader.report("open and copy cannot be used together", for: "copy")
    case (false, false): reader.report("missing: an action needs open or copy", for: "open")
    default: break
    }
    if address?.templates.contains(where: { !$0.isAddress }) ?? false {
      reader.report("expected an address that starts with http:// or https://", for: "open")
    }
    return address.map { .open($0) } ?? text.map { .copy($0) }
  }
}
