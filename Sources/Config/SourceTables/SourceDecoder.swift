import HTTPValues
package import Search
import Text

/// Decodes a source from its document, or reports all its problems.
package enum SourceDecoder {
  /// - Parameter input: The defaults for `[input]`.
  package static func source(
    _ document: TOMLDocument, input: SearchInput = .standard
  ) throws(ConfigError) -> Source {
    try source(document.root, file: document.file, input: input)
  }

  /// - Parameter root: A complete document with overlays merged.
  static func source(
    _ root: TOMLTable, file: String, input: SearchInput = .standard
  ) throws(ConfigError) -> Source {
    var reader = TableReader(document: root, file: file)
    let source = source(&reader, standard: input)
    reader.finish()
    guard let source, reader.problems.isEmpty else { throw ConfigError(reader.problems) }
    return source
  }

  /// Problems of a document that can be found without the one it extends.
  static func problems(ofPart root: TOMLTable, file: String) -> [ConfigDiagnostic] {
    var reader = TableReader(document: root, file: file, isFragment: true)
    _ = source(&reader, standard: .standard)
    reader.finish()
    return reader.problems
  }

  private static func source(_ reader: inout TableReader, standard: SearchInput) -> Source? {
    let identity = SourceIdentity(&reader)
    let heading = SourceHeading.table.value(&reader)
    var input = standard
    _ = reader.table("input") { SearchInput.table.read(&$0, into: &input) }
    reader.scope.requestNames = Self.requestNames(&reader)
    let pagination = pagination(&reader)
    let size = pagination?.settings.size
    let parent = reader.table("parent") { Parent.table.value(&$0) }
    let options = reader.namedTables("options", SourceOption.init)
    reader.scope.placeholders = Placeholders(
      options: options + [parent?.option(declared: options)].compactMap(\.self),
      secrets: reader.namedTables("secrets", NamedSecret.init),
      hasPageSize: size == nil || size?.standard ?? size?.maximum != nil,
      isFragment: reader.isFragment || parent?.name.isEmpty ?? false)
    reader.require("request", "the table that describes the request")
    let endpoint = reader.table("request") {
      $0.scope.placeholders.positions = pagination?.placeholders ?? []
      return EndpointDraft.table.value(&$0).endpoint(&$0, pagesInBody: pagination?.putsIntoBody ?? false)
    }
    let authorization = reader.table("auth") { Authorization(&$0) }
    if let endpoint { reader.scope.setOrigin(of: endpoint) }
    let rows = reader.table("rows") { RowShape.table.value(&$0) } ?? .undeclared
    if !reader.isFragment { reader.scope.hasEnclosing = rows.hasEnclosing }
    let split = reader.table("split") { Split.table.value(&$0) }
    if let split, let endpoint, let pagination { split.check(endpoint, pagination, rows, &reader) }
    let own = Column.all(&reader)
    let columns = own.isEmpty ? [] : own + (parent?.columns ?? [])
    reader.scope.columns = columns
    let since = reader.table("since") { SinceRule.table.value(&$0) }
    let limits = reader.table("limits") { Limits.table.value(&$0) } ?? .standard
    let errors = reader.table("errors") { ErrorRules.table.value(&$0) } ?? .standard
    let detail = reader.table("detail") { Detail.table.value(&$0) } ?? .standard
    let actions = RowAction.all(&reader)
    guard let identity, let endpoint, let pagination else { return nil }
    if let parent, !reader.isFragment, !parent.name.isEmpty,
      !endpoint.templates.contains(where: { $0.names.contains(parent.name) }),
      let name = reader.value("parent")?.table?["name"]
    {
      reader.report(
        "{\(parent.name)} is not used in [request], so all lists would be the same",
        inside: ["parent", "name"],
        at: name.position)
    }
    var source = Source(
      id: identity.id, title: heading.title ?? identity.id, endpoint: endpoint, pagination: pagination)
    source.homepage = heading.homepage
    source.subject = heading.subject
    source.documented = heading.documented
    source.isVerified = heading.isVerified
    source.aliases = identity.aliases
    source.input = input
    source.options = reader.scope.options
    source.parent = parent
    source.authorization = authorization
    source.secrets = reader.scope.placeholders.secrets
    source.split = split
    source.rows = rows
    source.columns = columns
    source.since = since
    source.limits = limits
    source.errors = errors
    source.detail = detail
    source.actions = actions
    return source
  }

  /// The placeholders in `[request]` that are not options.
  private static func requestNames(_ reader: inout TableReader) -> Set<String> {
    let entries = (reader.value("request")?.table?.entries ?? []).filter { $0.key != "graphql" }
    let options = reader.value("options")?.table?.entries.map(\.key) ?? []
    return Set(entries.flatMap(\.value.placeholders)).subtracting(options)
  }

  /// The default is a single page.
  private static func pagination(_ reader: inout TableReader) -> Pagination? {
    if reader.contains("pagination") { return reader.table("pagination") { Pagination(&$0) } }
    _ = reader.value("pagination")
    return try? Pagination(SinglePage.self, .standard)
  }

  /// All tables of a document, for the manual.
  static let tables: [TableManual] = {
    let top = TableManual(
      title: "Top level", meaning: "Settings before the first table.",
      keys: SourceIdentity.table.manual.keys + SourceHeading.table.manual.keys)
    let tables = [
      top, SearchInput.table.manual, EndpointDraft.table.manual, OptionDraft.table.manual,
      Parent.table.manual,
      Authorization.manual, NamedSecret.manual, PaginationDraft.table.manual, Split.table.manual,
      RowShape.table.manual,
      Column.table.manual, SinceRule.table.manual, Limits.table.manual, ErrorRules.table.manual,
      Detail.table.manual,
      RowAction.table.manual,
    ]
    var titles: Set<String> = []
    return tables.flatMap(\.all).filter { titles.insert($0.title).inserted }
  }()
}

extension TOMLValue {
  /// The names of the placeholders in its strings. Recursion is bounded by the depth of a document.
  fileprivate var placeholders: [String] {
    switch content {
    case .string(let text): (try? Template(body: text))?.names ?? []
    case .array(let elements): elements.flatMap(\.placeholders)
    case .table(let table): table.entries.flatMap(\.value.placeholders)
    case .integer, .float, .bool, .date: []
    }
  }
}

/// The keys before the first table that do not identify the source.
private struct SourceHeading {
  var title: String?
  var homepage: String?
  var subject: Subject?
  var documented: String?
  var isVerified = false

  static let table = KeyTable<SourceHeading>(
    "", "", SourceHeading(),
    [
      SourceKey("title", .text, \.title, "The title to display. Default: the id."),
      SourceKey("homepage", .parsed("a URL", checked), \.homepage, "The documentation of the API."),
      SourceKey("subject", .choice, \.subject, "The heading under which the list of sources shows it."),
      SourceKey(
        "documented", .parsed("a day", day), \.documented,
        "The day on which the documentation was read: `\"2026-11-27\"`."),
      SourceKey(
        "verified", .bool, \.isVerified,
        "Whether somebody has confirmed it with `riffle sources check NAME --live`. Not inherited with `extends`."
      ),
    ])

  @Sendable private static func day(_ text: String) throws -> String {
    if text.utf8.count == 10, Timestamp(iso8601: text) != nil { return text }
    throw ValueFormatError("expected a day like \"2026-11-27\", found \(Wording.quoted(text))")
  }

  @Sendable private static func checked(_ address: String) throws -> String {
    _ = try WebURL(address)
    return address
  }
}

extension SearchInput {
  static let table = KeyTable<SearchInput>(
    "[input]", "Query input.", SearchInput.standard,
    [
      SourceKey(
        "min_length", .integer(0...1_000), \.minLength,
        "Minimum number of characters in a query. Default: 1."),
      SourceKey(
        "max_length", .integer(1...1_000_000), \.maxLength, "Maximum number of characters in a query."),
      SourceKey(
        "debounce", .duration(.zero ... .seconds(10)), \.debounce,
        "Pause in typing before a live search. Default: the setting."),
      SourceKey("live", .bool, \.isLive, "Whether to search while typing. Default: the setting."),
      SourceKey("placeholder", .text, \.placeholder, "Hint shown in an empty query line."),
      SourceKey("examples", .texts, \.examples, "Example queries."),
      SourceKey(
        "filter", .choice, \.filter,
        "`client` if the service cannot search. riffle then loads all rows and filters them."),
    ]
  ) { reader, input in
    if let maxLength = input.maxLength, maxLength < input.minLength {
      reader.report(
        "max_length = \(maxLength) is less than min_length = \(input.minLength)", for: "max_length")
    }
  }
}

private struct OptionDraft {
  var values: [TOMLValue] = []
  var standard: TOMLValue?
  var title: String?
  var charset: Charset?
  var maxLength: Int?
  var key: String?

  static let table = KeyTable<OptionDraft>(
    "[options.NAME]",
    "An option of the source: set with `--set NAME=value`, used as `{NAME}` in the request. Required if it has neither a default nor values.",
    OptionDraft(),
    [
      SourceKey(
        "values", KeyKind(words: "a list of values") { scalars(&$0, $1) }, \.values, "The allowed values."),
      SourceKey(
        "default", KeyKind(words: "a value") { standard(&$0, $1) }, \.standard,
        "The default. If not set, the first of `values`."),
      SourceKey("title", .text, \.title, "The title to display."),
      SourceKey(
        "charset", .parsed("characters like `a-z0-9-`") { try Charset($0) }, \.charset,
        "The allowed characters. Required (or `values`) for an option that is part of the host."),
      SourceKey("max_length", .integer(1...10_000), \.maxLength, "Maximum number of characters."),
      SourceKey(
        "key", KeyKind(words: "one character") { character(&$0, $1) }, \.key,
        "In the pager, the comma key (`,`) followed by this key selects the next of `values`."),
    ])

  /// One scalar or a list of scalars.
  private static func scalars(_ reader: inout TableReader, _ key: String) -> [TOMLValue] {
    let elements = reader.value(key)?.elements ?? []
    return elements.filter { element in
      if element.scalarText != nil { return true }
      reader.report(
        "expected a string, a number or a boolean, found \(element.oddName)", for: key, at: element.position)
      return false
    }
  }

  private static func standard(_ reader: inout TableReader, _ key: String) -> TOMLValue? {
    let standard = scalars(&reader, key).first
    if case .array? = reader.value(key)?.content {
      reader.report("expected one value, found an array", for: key)
    }
    return standard
  }

  private static func character(_ reader: inout TableReader, _ key: String) -> String? {
    guard let text = reader.string(key) else { return nil }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte > 0x20, byte < 0x7F else {
      reader.report("expected one ASCII character, found \(Wording.quoted(text))", for: key)
      return nil
    }
    return text
  }
}

extension SourceOption {
  /// `[options.NAME]`.
  init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader) {
    let draft = OptionDraft.table.value(&reader)
    let (values, standard) = (draft.values, draft.standard)
    self.init(
      name: entry.key, title: draft.title, kind: Self.kind(values + [standard].compactMap(\.self)),
      values: values.compactMap(\.scalarText), defaultValue: standard?.scalarText, charset: draft.charset,
      maxLength: draft.maxLength, key: draft.key)
    check(values, standard, &reader)
    guard reader.hasName(entry) else { return nil }
    if Placeholders.fixed.contains(entry.key) {
      reader.report(
        "{\(entry.key)} is a built-in placeholder. Choose another name", for: nil, at: entry.position)
      return nil
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
    if let name = Placeholders.first(in: text) {
      reader.report(
        "{\(name)} is not replaced in the value of an option. Write it in [request]", for: key, at: position)
    }
    if let maxLength, text.count > maxLength {
      reader.report("\(Wording.quoted(text)) is longer than max_length", for: key, at: position)
    }
  }
}
