import Search

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
