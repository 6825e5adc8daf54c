package import Search

/// Decodes a source from its document, or reports all its problems.
package enum SourceDecoder {
  /// - Parameter input: The defaults for `[input]`.
  package static func source(
    _ document: TOMLDocument, input: SearchInput = SearchInput()
  ) throws(ConfigError) -> Source {
    try source(document.root, file: document.file, input: input)
  }

  /// - Parameter root: A complete document with overlays merged.
  static func source(
    _ root: TOMLTable, file: String, input: SearchInput = SearchInput()
  ) throws(ConfigError) -> Source {
    var reader = TableReader(document: root, file: file)
    let source = source(&reader, standard: input)
    reader.finish()
    guard let source, reader.problems.isEmpty else { throw ConfigError(reader.problems) }
    return source
  }

  /// Problems of a document that can be found without the one it extends.
  static func problems(ofPart root: TOMLTable, file: String) -> [ConfigProblem] {
    var reader = TableReader(document: root, file: file, isPartial: true)
    _ = source(&reader, standard: SearchInput())
    reader.finish()
    return reader.problems
  }

  private static func source(_ reader: inout TableReader, standard: SearchInput) -> Source? {
    let identity = SourceIdentity(&reader)
    let title = reader.string("title")
    let homepage = homepage(&reader)
    let input = reader.table("input") { SearchInput(&$0, standard: standard) } ?? standard
    let pagination = pagination(&reader)
    let size = pagination?.settings.size
    let placeholders = Placeholders(
      options: reader.namedTables("options", SourceOption.init),
      secrets: reader.namedTables("secrets", NamedSecret.init),
      hasPageSize: size == nil || size?.standard ?? size?.maximum != nil, isPartial: reader.isPartial)
    reader.require("request", "the table that describes the request")
    let endpoint = reader.table("request") {
      Endpoint(&$0, placeholders: placeholders, pagination: pagination?.settings)
    }
    let authorization = reader.table("auth") { Authorization(&$0) }
    let scope = RowScope(placeholders: placeholders, endpoint: endpoint)
    let rows = reader.table("rows") { RowShape(&$0, scope) } ?? RowShape.standard
    let columns = Column.all(&reader, scope)
    let limits = reader.table("limits") { Limits(&$0) } ?? Limits()
    let errors = reader.table("errors") { ErrorRules(&$0) } ?? ErrorRules()
    let detail = reader.table("detail") { Detail(&$0, columns: columns, scope) } ?? Detail()
    let actions = RowAction.all(&reader, scope)
    guard let identity, let endpoint, let pagination else { return nil }
    return Source(
      id: identity.id, title: title ?? identity.id, homepage: homepage, aliases: identity.aliases,
      input: input, endpoint: endpoint, options: placeholders.options, authorization: authorization,
      secrets: placeholders.secrets, pagination: pagination, rows: rows, columns: columns, limits: limits,
      errors: errors, detail: detail, actions: actions)
  }

  /// The default is a single page.
  private static func pagination(_ reader: inout TableReader) -> Pagination? {
    if reader.contains("pagination") { return reader.table("pagination") { Pagination(&$0) } }
    _ = reader.value("pagination")
    return try? Pagination(SinglePage.self, PaginationSettings())
  }

  private static func homepage(_ reader: inout TableReader) -> String? {
    reader.parsed("homepage") { text in
      _ = try WebURL(text)
      return text
    }
  }
}
