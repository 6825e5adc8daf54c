import HTTPValues
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

extension SearchInput {
  /// `[input]`.
  ///
  /// - Parameter standard: The defaults for missing keys.
  init(_ reader: inout TableReader, standard: SearchInput) {
    self = standard
    minLength = reader.integer("min_length", in: 0...1_000) ?? minLength
    maxLength = reader.integer("max_length", in: 1...1_000_000) ?? maxLength
    debounce = reader.duration("debounce", in: .zero ... .seconds(10)) ?? debounce
    isLive = reader.bool("live") ?? isLive
    placeholder = reader.string("placeholder") ?? placeholder
    examples = reader.strings("examples").map(\.text)
    filter = reader.choice("filter", of: Filter.self) ?? filter
    if let maxLength, maxLength < minLength {
      reader.report("max_length = \(maxLength) is less than min_length = \(minLength)", for: "max_length")
    }
  }
}

extension SourceOption {
  /// `[options.NAME]`.
  init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader) {
    let values = Self.scalars("values", &reader)
    let standard = Self.scalars("default", &reader).first
    if case .array? = reader.value("default")?.content {
      reader.report("expected one value, found an array", for: "default")
    }
    self.init(
      name: entry.key, title: reader.string("title"),
      kind: Self.kind(values + [standard].compactMap(\.self)), values: values.compactMap(\.scalarText),
      defaultValue: standard?.scalarText, charset: reader.parsed("charset") { try Charset($0) },
      maxLength: reader.integer("max_length", in: 1...10_000), key: Self.key(&reader))
    check(values, standard, &reader)
    if !Self.isName(entry.key) {
      reader.report("expected a name of letters, digits, - and _", for: nil, at: entry.position)
      return nil
    }
    if Placeholders.fixed.contains(entry.key) {
      reader.report(
        "{\(entry.key)} is a built-in placeholder. Choose another name", for: nil, at: entry.position)
      return nil
    }
  }

  /// One scalar or a list of scalars.
  private static func scalars(_ key: String, _ reader: inout TableReader) -> [TOMLValue] {
    guard let value = reader.value(key) else { return [] }
    let elements = if case .array(let elements) = value.content { elements } else { [value] }
    return elements.filter { element in
      if element.scalarText != nil { return true }
      reader.report(
        "expected a string, a number or a boolean, found \(element.oddName)", for: key, at: element.position)
      return false
    }
  }

  /// The common type of all values; text if they differ.
  private static func kind(_ values: [TOMLValue]) -> Kind {
    let kinds = Set(
      values.map { value in
        switch value.content {
        case .integer, .float: Kind.number
        case .bool: Kind.boolean
        case .string, .date, .array, .table: Kind.text
        }
      })
    return kinds.count == 1 ? kinds.first ?? .text : .text
  }

  /// Checks that the listed values and the default are allowed themselves.
  private func check(_ stated: [TOMLValue], _ standard: TOMLValue?, _ reader: inout TableReader) {
    if let standard, let text = standard.scalarText {
      if isClosed, !values.contains(text) {
        reader.report(Wording.badChoice(text, among: values), for: "default")
      } else if !values.contains(text) {
        check(text, for: "default", at: standard.position, &reader)
      }
    }
    for value in stated {
      if let text = value.scalarText { check(text, for: "values", at: value.position, &reader) }
    }
  }

  private func check(
    _ text: String, for key: String, at position: FilePosition, _ reader: inout TableReader
  ) {
    if let charset, !charset.covers(text) {
      reader.report(
        "\(Wording.quoted(text)) has characters outside charset \(charset)", for: key, at: position)
    }
    if let maxLength, text.count > maxLength {
      reader.report("\(Wording.quoted(text)) is longer than max_length", for: key, at: position)
    }
  }

  private static func key(_ reader: inout TableReader) -> Character? {
    guard let text = reader.string("key") else { return nil }
    guard text.utf8.count == 1, let key = text.utf8.first, key > 0x20, key < 0x7F else {
      reader.report("expected one ASCII character, found \(Wording.quoted(text))", for: "key")
      return nil
    }
    return text.first
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isBareKeyByte)
  }
}
