package import HTTPValues
package import JSON
private import Text

/// A configured API: one decoded TOML document. Pure data; requests are built from it in
/// `Search/Page/PageRequest`, and responses are read with it in `Search/Page/Page`.
package struct Source: Sendable {
  /// `[a-z0-9][a-z0-9-]*`. The name that the user types.
  package var id: String
  package var title: String
  package var homepage: String?
  package var subject: Subject?
  /// The day on which its documentation was last read, such as `2026-11-27`.
  package var documented: String?
  /// Whether somebody has confirmed it with requests to its service.
  package var isVerified = false
  package var aliases: [String] = []
  package var input = SearchInput.standard
  package var endpoint: Endpoint
  package var options: [SourceOption] = []
  package var parent: Parent?
  package var since: SinceRule?
  package var authorization: Authorization?
  package var secrets: [NamedSecret] = []
  package var pagination: Pagination
  /// How the list is cut into parts; nil if it cannot be.
  package var split: Split?
  package var rows = RowShape.standard
  /// The columns; if empty, they are made from the fields of the first page.
  package var columns: [Column] = []
  package var limits = Limits.standard
  package var errors = ErrorRules.standard
  package var detail = Detail.standard
  package var actions: [RowAction] = []
  /// The path with which the user named the source; nil if the user named it by its id.
  package var path: String?
}

/// What a source is about, in the order of lists.
package enum Subject: String, Sendable, Hashable, CaseIterable {
  case code, packages, operations, business, research, media, security, reference
}

extension Source {
  /// The name of the source on a command line, with the option that a source given by path needs for its credentials.
  package var commandName: String { path.map { "\($0) --trust" } ?? id }

  package init(id: String, title: String, endpoint: Endpoint, pagination: Pagination) {
    self.id = id
    self.title = title
    self.endpoint = endpoint
    self.pagination = pagination
  }

  /// Whether the request has a place for the query: a `{query}` anywhere, or a table `[request.when.query]`.
  package var placesQuery: Bool {
    endpoint.templates.contains { $0.names.contains("query") }
      || endpoint.additions.contains { $0.name == "query" }
  }

  /// Whether a request can choose the page size: it is sent as `size.param`, or a `{page_size}` or the end of the page
  /// stands in the request.
  package var placesPageSize: Bool {
    let names = ["page_size"] + pagination.placeholders.dropFirst()
    return pagination.settings.size.slot != nil
      || endpoint.templates.contains { $0.names.contains(where: names.contains) }
  }

  /// Whether only header fields indicate the end of the list.
  var hasEndInHeaders: Bool {
    let settings = pagination.settings
    let signs = [settings.next, settings.more, settings.done, settings.pages, rows.total].compactMap(\.self)
    return signs.contains(where: \.readsHeaders) && !signs.contains { !$0.paths.isEmpty }
  }

  /// The option with this name, else the only one whose name differs in case, `-` and `_` alone: `userId` for `userid`.
  package func option(named text: String) -> SourceOption? {
    func plain(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }
    if let option = options.first(where: { $0.name == text }) { return option }
    let alike = options.filter { plain($0.name) == plain(text) }
    return alike.count == 1 ? alike[0] : nil
  }

  /// Whether requests require a query.
  package var needsQuery: Bool { input.filter == .server && input.minLength > 0 && placesQuery }

  /// Whether the query selects rows, in the request or locally; otherwise every query requests the same rows.
  package var usesQuery: Bool { placesQuery || input.filter == .client }
}

/// The behavior of a source's query line (`[input]`).
package struct SearchInput: Sendable, Hashable {
  package static let standard = SearchInput()

  /// Queries with fewer characters, not counting surrounding spaces, send no request if `Source.needsQuery`.
  package var minLength = 1
  /// Queries with more characters are rejected before anything is sent.
  package var maxLength: Int?
  /// The time after the last key press before a live query is sent.
  package var debounce = Duration.milliseconds(300)
  /// Whether typing sends requests; otherwise Enter does.
  package var isLive = true
  package var filter = Filter.server
  package var placeholder = ""
  package var examples: [String] = []

  /// Where rows are matched against a query.
  package enum Filter: String, Sendable, CaseIterable {
    case server
    /// Locally, because the service cannot search.
    case client
  }
}

/// Where the rows of a response are, their form, and how they are identified (`[rows]`).
package struct RowShape: Sendable {
  package static let standard = RowShape()

  /// The path of the list of rows. A path that selects several values (`groups[*].items[*]`, `edges[*].node`,
  /// `t[1:]`) selects the rows themselves or, in the form `columnar`, the columns.
  package var path: JSONPath?
  /// The form of the rows; nil for objects, or for plain values if the source itself reads `$`.
  package var form: RowForm?
  /// Values that fail this condition are skipped. They count as received, not as duplicates.
  package var condition: Condition?
  /// Whether null in place of the rows is an error instead of an empty page.
  package var isRequired = false
  /// Whether a response without the rows' path, or with null there, is an empty page in any case.
  package var mayBeMissing = false
  /// Identifies a row; if nil, rows are never dropped as duplicates.
  package var key: ValueExpression?
  /// Whether the source does not declare the key: `id` or the link may be the same in different rows (rule 11).
  package var isKeyGuessed = false
  package var total: ValueExpression?
  /// The total is exact only if this value is true.
  package var totalExact: ValueExpression?
  /// The total is a lower bound if this condition holds.
  package var totalAtLeast: Condition?
  /// The separate request for the total, sent once, along with the first page, if a total is shown.
  package var totalRequest: TotalRequest?
  /// If one of these values is true, the service says that rows are missing, and the total is an estimate.
  package var incomplete: ValueExpression?
  /// The URL of the row's web page.
  package var link: ValueExpression?

  /// Whether each row has an enclosing object, which `^` reads.
  package var hasEnclosing: Bool {
    switch form {
    case .list?, .scalars?, nil: path?.isPlural ?? false
    case .map?, .columns?, .columnar?, .object?, .objectOrList?: false
    }
  }
}

/// The form of the rows of a response (`shape`).
package enum RowForm: Sendable, Hashable {
  /// The objects of a list.
  case list
  /// The values of an object; `@key` is the name of each.
  case map
  /// The arrays of a list. With `names` for their positions they are read as objects, otherwise by index.
  case columns(ColumnNames?)
  /// A table stored by column: the arrays of a list, each with one value for every row.
  case columnar(ColumnNames?)
  /// The strings, numbers, and booleans of a list; `$` is the row.
  case scalars
  /// One object, which is the only row.
  case object
  /// A list of objects, or one object in place of a list with one.
  case objectOrList
}

/// The names of the values of a row that is an array (`names`).
package enum ColumnNames: Sendable, Hashable {
  case stated([String])
  /// The path of the names in the response: a list of strings, or several strings.
  case path(JSONPath)
}

/// A request for the number of rows (`[rows.total_request]`) if pages lack it, sent once, to the origin.
package struct TotalRequest: Sendable {
  package var endpoint: Endpoint
  /// The path of the number in the response.
  package var total: ValueExpression

  package init(endpoint: Endpoint, total: ValueExpression) {
    self.endpoint = endpoint
    self.total = total
  }
}

/// The details of a row in the pager (`[detail]`).
package struct Detail: Sendable {
  package static let standard = Detail()

  /// Shown below each other; if empty, the columns of the source.
  package var fields: [Column] = []
  /// A long string of the row, shown below the fields.
  package var body: Column?
  package var request: DetailRequest?
}

/// A request for a more complete row (`[detail.request]`). It is sent only to the origin of the source.
package struct DetailRequest: Sendable, Hashable {
  package typealias Parameter = Named<ValueTemplate>

  /// The URL: a value of the row, or composed from its values.
  package var url: ValueExpression
  /// The path of the row in the response; nil for the response itself.
  package var path: JSONPath?
  /// Query parameters; they override those of the URL. A parameter without a value is left out.
  package var parameters: [Parameter] = []

  package init(url: ValueExpression) { self.url = url }
}

/// An action for a row, or for the marked rows, with a key of its own (`[actions.NAME]` of a source or of the
/// settings).
package struct RowAction: Sendable, Hashable {
  package enum Effect: Sendable, Hashable {
    /// Opens an http or https URL.
    case open(ValueExpression)
    /// Copies a string as one sanitized line.
    case copy(ValueExpression)
    /// Runs a program.
    case run(RowCommand)
  }

  package var name: String
  /// The key to press after `,`.
  package var key: Character
  package var effect: Effect
  /// The description in the help; nil for a default.
  package var summary: String?
  /// The reason why the action may not be performed; nil if it may.
  package var refusal: String?

  package init(name: String, key: Character, effect: Effect, summary: String? = nil) {
    self.name = name
    self.key = key
    self.effect = effect
    self.summary = summary
  }
}

extension RowAction {
  /// The program that it runs; nil for other actions.
  package var program: RowCommand? { if case .run(let program) = effect { program } else { nil } }
}

/// Where `config.toml` sets the default of an option.
package struct OptionSetting: Sendable, Hashable, CustomStringConvertible {
  /// `[sources.github-api]`
  package let table: String
  /// `options.server = "…"`
  package let line: String

  package init(table: String, line: String) { (self.table, self.line) = (table, line) }

  /// `options.server = "…" under [sources.github-api]`
  package var description: String { "\(line) under \(table)" }
}

/// A value that the user can choose for a source (`[options.NAME]`), placed by `{NAME}`.
package struct SourceOption: Sendable, Hashable {
  /// The type of the value in a request body.
  package enum Kind: String, Sendable, Hashable { case text, number, boolean }

  package var name: String
  package var title: String?
  package var kind = Kind.text
  /// The allowed values. With a `charset` these are only suggestions; if empty, any text is allowed.
  package var values: [String]
  /// The value if none is chosen; nil if the user must choose one.
  package var defaultValue: String?
  package var charset: Charset?
  /// The maximum length in characters; nil for none.
  package var maxLength: Int?
  /// The key to press after `,` to cycle through the values.
  package var key: String?
  /// The setting with its default; nil if the source is in no catalog.
  package var setting: OptionSetting?

  package init(
    name: String, title: String? = nil, kind: Kind = .text, values: [String] = [],
    defaultValue: String? = nil, charset: Charset? = nil, maxLength: Int? = nil, key: String? = nil
  ) {
    self.name = name
    self.title = title
    self.kind = kind
    self.values = values
    self.defaultValue = defaultValue ?? values.first
    self.charset = charset
    self.maxLength = maxLength
    self.key = key
  }

  /// The value in a run: the chosen one, or else the default. A name that refers to a URL is replaced by it.
  func value(_ chosen: [String: String], _ addresses: [String: String] = [:]) -> String? {
    (chosen[name] ?? defaultValue).map { addresses[$0] ?? $0 }
  }

  /// Whether only `values` are allowed.
  package var isClosed: Bool { charset == nil && !values.isEmpty }

  /// The reason why a value is not allowed, with a remedy; nil if it is allowed.
  package func refusal(of value: String) -> OptionDiagnostic? {
    if values.contains(value) { return nil }
    let problem = "cannot be \(JSONText.quoted(value))"
    if isClosed { return OptionDiagnostic(problem: problem, remedy: advice(on: value)) }
    if let charset, !charset.covers(value) {
      return OptionDiagnostic(problem: problem, remedy: "use only the characters \(charset)")
    }
    if let maxLength, value.count > maxLength {
      return OptionDiagnostic(
        problem: "is longer than \(maxLength) characters", remedy: "choose a shorter value")
    }
    if isOfKind(value) { return nil }
    return OptionDiagnostic(problem: problem, remedy: kind == .number ? "use a number" : "use true or false")
  }

  private func advice(on value: String) -> String {
    let nearest = NearestName.nearest(to: value, among: values.filter { !$0.isEmpty })
    return NearestName.question(nearest.map(JSONText.quoted))
      ?? "choose one of \(values.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", "))"
  }

  private func isOfKind(_ value: String) -> Bool {
    switch kind {
    case .text: true
    case .number: (try? JSONDocument(Array(value.utf8)))?.root.kind == .number
    case .boolean: value == "true" || value == "false"
    }
  }
}

/// The reason why an option cannot have a value: the problem, as the end of a sentence about the value, and the remedy.
package struct OptionDiagnostic: Sendable, Hashable {
  package let problem: String
  package let remedy: String
}

/// The characters allowed in an option's value: single ones and ranges, `a-z0-9-`; an outer `-` is literal.
package struct Charset: Sendable, Hashable, CustomStringConvertible {
  /// The character set as written.
  package let description: String
  private let ranges: [ClosedRange<Unicode.Scalar>]

  package init(_ text: String) throws(CharsetError) {
    guard !text.isEmpty else { throw CharsetError(description: "contains no characters") }
    description = text
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.popFirst() {
      guard rest.first == "-", let last = rest.dropFirst().first else {
        ranges.append(first...first)
        continue
      }
      guard first <= last else { throw CharsetError(description: "range \(first)-\(last) is reversed") }
      ranges.append(first...last)
      rest = rest.dropFirst(2)
    }
    self.ranges = ranges
  }

  package func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar) } }

  /// Whether the text contains only these characters.
  package func covers(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(contains) }

  /// Whether each range is contained in a range of the other set.
  package func isSubset(of other: Charset) -> Bool {
    ranges.allSatisfy { range in
      other.ranges.contains { $0.contains(range.lowerBound) && $0.contains(range.upperBound) }
    }
  }
}

/// The reason why a string is not a valid character set, as the end of a sentence about it.
package struct CharsetError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
}

extension Source {
  /// The value of each option: the chosen one, or else its default.
  ///
  /// - Parameter chosen: Values by name (`--set`). Names that the source does not know are ignored.
  /// - Throws: If a value is missing or not allowed (a usage error).
  package func optionValues(_ chosen: [String: String]) throws(OptionError) -> [String: String] {
    var values: [String: String] = [:]
    for option in options {
      guard let value = option.value(chosen) else {
        throw missing(option)
      }
      if let refusal = refusal(of: value, for: option) {
        throw OptionError(
          message: "option \(option.name) of source \(id) \(refusal.problem)", remedy: refusal.remedy)
      }
      values[option.name] = value
    }
    return values
  }

  /// The error of a run without a value for an option that has no default. A server that a required credential goes to
  /// can only be chosen in the settings.
  package func missing(_ option: SourceOption) -> OptionError {
    let argument = "add --set \(option.name)=…"
    let isSecret = authorization.map { !$0.isOptional } ?? false
    let remedy = option.setting.map { setting in
      "\(isSecret && choosesServer(option) ? "" : "\(argument), or ")write \(setting) in config.toml"
    }
    return OptionError(
      message: "source \(id) requires option \(option.name)\(option.title.map { " (\($0))" } ?? "")",
      remedy: remedy ?? argument)
  }

  /// Whether the scheme or the host of the requests contains the option.
  package func choosesServer(_ option: SourceOption) -> Bool {
    endpoint.url.addressPlaceholders.contains {
      $0.placeholder.name == option.name && $0.part != .path && $0.part != .query
    }
  }

  /// The value of each option in a run. A name that refers to a URL (the embedded server) is replaced by it.
  package func optionValues(of query: Query, in run: RunContext) -> [String: String] {
    options.reduce(into: [:]) { $0[$1.name] = $1.value(query.options, run.addresses) }
  }

  private func refusal(of value: String, for option: SourceOption) -> OptionDiagnostic? {
    if let refusal = option.refusal(of: value) { return refusal }
    guard option.name == endpoint.url.baseName else { return nil }
    // The value is not included, because it may contain a password.
    return BaseAddress.problem(of: value).map {
      OptionDiagnostic(problem: "is not a base URL: \($0)", remedy: "write it like https://example.org")
    }
  }
}

/// An option whose value is missing or not allowed.
package struct OptionError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String
  package let remedy: String

  package var description: String { Sentences.joined([message, remedy]) }
}

/// A value for the scheme and host of a URL: http or https, optionally with a path, nothing else.
package enum BaseAddress {
  /// The problem with the string, as the end of a sentence about it; nil if it is valid.
  package static func problem(of text: String) -> String? {
    let url: WebURL
    do { url = try WebURL(text) } catch { return "\(error.reason)" }
    if url.hasUserinfo { return "it contains a user name or password" }
    return url.query == nil && !text.utf8.contains(UInt8(ascii: "#"))
      ? nil : "it contains a query or fragment"
  }
}

/// The name of a source: `[a-z0-9][a-z0-9-]*`.
package enum SourceName {
  package static func isValid(_ text: String) -> Bool {
    text.utf8.first != UInt8(ascii: "-") && !text.isEmpty && text.utf8.allSatisfy(isNameByte)
  }

  /// Names derived from a URL, shortest first: `github` for `api.github.com`, then with the last part of its
  /// path, then with numbers up to 99.
  package static func suggestions(for url: WebURL) -> [String] {
    let host = name(of: hostWords(url))
    let base = host.isEmpty ? "source" : host
    let part = url.path.split(separator: "/").last.map { name(of: [String($0)]) } ?? ""
    return [base] + (part.isEmpty ? [] : ["\(base)-\(part)"]) + numbered(base).dropFirst()
  }

  /// A name, then the same with numbers up to 99.
  package static func numbered(_ name: String) -> [String] { [name] + (2...99).map { "\(name)-\($0)" } }

  /// The labels of the host that identify the service.
  private static func hostWords(_ url: WebURL) -> [String] {
    var words = url.host.split(separator: ".").map(String.init)
    guard url.origin.hostClass == .global, words.last?.contains(where: \.isLetter) == true else {
      return words
    }
    if words.count > 2, words.last?.utf8.count == 2, shared.contains(words[words.count - 2]) {
      words.removeLast()
    }
    if words.count > 1 { words.removeLast() }
    while words.count > 1, let first = words.first, prefixes.contains(first) { words.removeFirst() }
    return words
  }

  private static let shared: Set = ["co", "com", "org", "net", "ac", "gov", "or", "ne"]
  private static let prefixes: Set = ["www", "api", "rest", "data"]

  private static func name(of words: [String]) -> String {
    let text = words.joined(separator: "-").lowercased().utf8.map { isNameByte($0) ? $0 : UInt8(ascii: "-") }
    let parts = text.split(separator: UInt8(ascii: "-")).map { String(decoding: $0, as: UTF8.self) }
    return String(parts.joined(separator: "-").prefix(40))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
