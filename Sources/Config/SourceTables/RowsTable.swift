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
