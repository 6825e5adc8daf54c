package import Config
import Glibc
import HTTPValues
import JSON
package import Output
import Search
import Text

/// What affects the request, shared by all commands that request a source.
package struct RequestOptions: Sendable {
  /// A name, an alias, or the path of a file.
  package var source: String?
  package var words: [String] = []
  package var set: [NameValue] = []
  package var param: [NameValue] = []
  package var requestHeader: [String] = []
  package var pageSize: Int?
  package var concurrency: Int?
  package var maxWait: String?
  package var timeout: String?
  package var retries: Int?
  /// The interval at which the rows are requested again; nil if they are not.
  package var watch: String?
  package var config: String?
  package var record: String?
  package var trust = false
  package var insecure = false
  package var color: ColorChoice?
  package var quiet = false

  package init() {}

  static let insecureWarning =
    "--insecure: certificates are not checked. Others can read and change the traffic"
}

/// A `name=value` argument.
package struct NameValue: Sendable {
  let name: String
  let value: String

  init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }
}

extension RequestOptions {
  /// The options that correspond to settings, as the topmost settings layer.
  var settingValues: [String: SettingValue] {
    var values: [String: SettingValue] = [:]
    values["search.page_size"] = pageSize.map(SettingValue.integer)
    values["search.concurrency"] = concurrency.map(SettingValue.integer)
    values["search.retries"] = retries.map(SettingValue.integer)
    values["search.max_wait"] = maxWait.map(SettingValue.text)
    values["search.timeout"] = timeout.map(SettingValue.text)
    values["pager.watch"] = watch.map(SettingValue.text)
    values["output.color"] = color.map { .text($0.rawValue) }
    return values
  }

  /// - Parameter open: The options whose values come from the rows of parents; they are empty in the query.
  func query(for source: Source, leaving open: Set<String> = []) throws(CommandError) -> Query {
    var options: [String: String] = [:]
    for pair in set {
      guard source.options.contains(where: { $0.name == pair.name }) else {
        throw CommandError(unknownOption(pair.name, of: source), .usage)
      }
      options[pair.name] = pair.value
    }
    if let parent = source.parent, !open.contains(parent.name), options[parent.name] == nil,
      source.options.contains(where: { $0.name == parent.name && $0.defaultValue == nil })
    {
      throw CommandError(
        "source \(source.id) has a list for each \(parent.name). Choose one with --set \(parent.name)=…, or add --each to search for all",
        .usage)
    }
    var settled = source
    settled.options.removeAll { open.contains($0.name) }
    do { _ = try settled.optionValues(options) } catch { throw CommandError("\(error)", .usage) }
    for name in open { options[name] = "" }
    let text = words.joined(separator: " ")
    if !source.usesQuery, text.contains(where: { $0 != " " }) {
      throw CommandError(
        "source \(source.id) takes no query: its request has no {query}. Omit the query; filter rows with --filter, "
          + "or with & in the pager", .usage)
    }
    if let limit = source.input.maxLength, text.count > limit {
      throw CommandError(
        "the query is too long: source \(source.id) accepts at most \(limit) characters", .usage)
    }
    return Query(text, options: options)
  }

  private func unknownOption(_ name: String, of source: Source) -> String {
    let names = source.options.map(\.name)
    let advice =
      NearestName.question(name, among: names)
      ?? (names.isEmpty ? "It has no options" : "Its options are: \(names.joined(separator: ", "))")
    return "unknown option \"\(name)\" of source \(source.id). \(advice)"
  }
}

/// Which rows are written, and in what order.
package struct RowOptions: Sendable {
  package var limit: Int?
  package var all = false
  package var maxPages: Int?
  package var sort: [String] = []
  package var filter: String?
  package var fromPage: Int?
  /// Whether the lists under all rows of the parent are written.
  package var each = false
  package var onParentError = ParentErrorChoice.stop

  package init() {}

  var isSorted: Bool { !sort.isEmpty }

  /// Nil if nothing is specified. A sorted run needs all rows before it knows the first ones.
  var demand: Demand? {
    if all || isSorted && limit != nil { return .everything }
    return limit.map { .rows($0) }
  }

  /// How much is loaded, by default what the settings say, else as many pages as allowed, one by default.
  func demand(_ settings: Settings) -> Demand {
    demand ?? settings.search.limit.map { isSorted ? .everything : .rows($0) } ?? .pages(mostPages ?? 1)
  }

  /// The maximum number of sorted rows written; nil for all.
  func sortedLimit(_ settings: Settings) -> Int? {
    isSorted ? limit ?? (all ? nil : settings.search.limit) : nil
  }

  /// The maximum number of pages requested; nil for no limit.
  var mostPages: Int? { maxPages ?? (filter != nil && limit != nil && !isSorted ? 10 : nil) }

  /// The sort order; nil if the rows are not sorted.
  func rowSort(of source: Source) throws(CommandError) -> RowSort? {
    guard isSorted else { return nil }
    do { return try RowSort(parsing: sort, of: source) } catch {
      throw CommandError("--sort: \(error)", .usage)
    }
  }

  /// The position given by `--from-page`; nil for the first page.
  func resumePoint(_ run: Run) throws(CommandError) -> ResumePoint? {
    guard let fromPage, fromPage > 1 else { return nil }
    guard let start = ResumePoint(page: fromPage, of: run.source, pageSize: run.pageSize) else {
      throw CommandError("--from-page cannot be used: source \(run.source.id) has no page numbers", .usage)
    }
    if let pagingCap = run.source.pagination.pagingCap(pageSize: run.pageSize, with: run.credentialNames),
      !pagingCap.admits(start.next, received: start.received)
    {
      throw CommandError(
        "page \(fromPage) is beyond the last page that source \(run.source.id) serves"
          + (pagingCap.rows.map { " (at most \($0) rows)" } ?? ""), .usage)
    }
    return start
  }
}

/// What happens if the list of a parent cannot be loaded.
package enum ParentErrorChoice: String, CaseIterable, Sendable { case stop, skip }

/// How rows are written.
package struct FormatOptions: Sendable {
  package var format: OutputFormat?
  package var columns: String?
  package var template: String?
  /// A path, or `-` for stdout.
  package var outputName: String?
  package var resume = false
  package var header: Bool?
  package var csvSafe = false
  package var null = false

  package init() {}

  /// The file to write; nil for stdout.
  package var output: String? { outputName == "-" ? nil : outputName }

  /// The first option that does not apply to the format; nil if all do.
  package func problem(with format: OutputFormat) -> String? {
    let given: [FormatOption: String?] = [
      .header: header.map { $0 ? "--header" : "--no-header" }, .csvSafe: csvSafe ? "--csv-safe" : nil,
      .null: null ? "--null" : nil,
    ]
    for option in FormatOption.allCases where !format.options.contains(option) {
      if let word = given[option] ?? nil {
        return
          "\(word) cannot be used with \(format.name), only with \(option.formats.joined(separator: ", "))"
      }
    }
    return nil
  }

  /// The first option that does not apply to the format given on the command line; nil if all do.
  package var problem: String? { namedFormat.flatMap(problem) }

  package var namedFormat: OutputFormat? {
    if template != nil { return .template }
    return format ?? output.flatMap { (try? OutputFormats.format(forFile: $0)) ?? nil }
  }
  /// The writer for the output document.
  ///
  /// - Parameters:
  ///   - dependencies: Determines whether the document goes to a terminal, and the terminal's width.
  ///   - record: The progress record of the document being resumed.
  ///   - limit: The maximum number of sorted rows; nil for all.
  func writer(
    for source: Source, _ settings: Settings, _ dependencies: Dependencies,
    resuming record: ResumeRecord? = nil, sort: RowSort? = nil, limit: Int? = nil
  ) throws(CommandError) -> OutputWriter {
    let format = format(settings, dependencies)
    if format.needsTemplate, template == nil {
      throw CommandError(
        "format \(format.name) needs a template, such as --template '{name}: {@link}'", .usage)
    }
    if let problem = problem(with: format) { throw CommandError(problem, .usage) }
    let rowTemplate: RowTemplate?
    let selection: ColumnSelection
    do throws(ColumnSelectionError) {
      rowTemplate = try template.map { text throws(ColumnSelectionError) in try RowTemplate(text) }
      selection = try self.selection(rowTemplate, source)
    } catch { throw CommandError("\(error)", .usage) }
    let settled = record?.columns ?? []
    guard selection.columns(settled: settled).count == settled.count else {
      throw ResumeJournal.refusal(of: output ?? "", "the columns of source \(source.id) have changed")
    }
    let isBegun = record.map { $0.progress.bytes > 0 } ?? false
    var options = OutputOptions()
    options.isTerminal = isTerminal(dependencies)
    let hasHeader = header ?? (format.hasHeaderInPipe || options.isTerminal || output != nil)
    options.hasHeader = hasHeader && !isBegun
    options.width = options.isTerminal ? dependencies.output.columns : nil
    let colors = CommandColors(settings.output.color, dependencies)
    if output == nil, colors.isOutputColored { options.heading = { colors.output(.header, $0) } }
    options.isCSVSafe = csvSafe || settings.output.isCSVSafe
    if null { options.rowEnd = 0 }
    options.zone = dependencies.zone
    options.literals = rowTemplate?.literals ?? []
    return OutputWriter(
      format, selection: selection, outputOptions: options, settled: settled, sort: sort, limit: limit)
  }

  func format(_ settings: Settings, _ dependencies: Dependencies) -> OutputFormat {
    namedFormat ?? settings.output.format.flatMap(OutputFormats.named)
      ?? .standard(isTerminal: isTerminal(dependencies))
  }

  /// Whether the rows are written to a terminal.
  private func isTerminal(_ dependencies: Dependencies) -> Bool {
    output == nil && dependencies.output.isTerminal
  }

  /// Opens the output target; a file is created if it does not exist.
  func target(_ dependencies: Dependencies) throws(CommandError) -> OutputTarget {
    try output.map { name throws(CommandError) in try OutputTarget.file(name) }
      ?? .stream(dependencies.output)
  }

  /// Whether the run can be resumed: it writes a file, in a format whose rows are independent of each other.
  func isResumable(_ settings: Settings, _ dependencies: Dependencies) -> Bool {
    output != nil && format(settings, dependencies).isResumable
  }

  /// Everything that affects how rows are written to a file.
  func identity(_ settings: Settings, _ dependencies: Dependencies) -> [String] {
    [
      format(settings, dependencies).name, columns ?? "", header.map { "\($0)" } ?? "",
      "\(csvSafe || settings.output.isCSVSafe)", "\(null)",
    ]
  }

  /// Whether `--output` names a file that does not exist.
  var outputIsMissing: Bool { output.map { access($0, F_OK) != 0 && errno == ENOENT } ?? false }

  private func selection(
    _ template: RowTemplate?, _ source: Source
  ) throws(ColumnSelectionError) -> ColumnSelection {
    if let template { return try ColumnSelection(template.columns, of: source) }
    if let columns { return try ColumnSelection(parsing: columns, of: source) }
    return ColumnSelection(columnsOf: source)
  }

}

/// What is reported in addition to the rows.
package struct ReportOptions: Sendable {
  package var count = false
  package var dryRun = false
  package var failEmpty = false
  package var failIncomplete = false
  /// The file for statistics, or `-` for stderr.
  package var stats: String?
  package var verbose = false
  package var progress: ProgressChoice?

  package init() {}
}

/// When progress is shown.
package enum ProgressChoice: String, CaseIterable, Sendable {
  case auto, always, never
}

// MARK: - Additions to each request

/// The values of `--param` and `--request-header`, which override the source's in every request of a run.
struct RequestAdditions: Sendable {
  private var parameters: [Endpoint.Field] = []
  private var headers: [Endpoint.Field] = []
  /// Values that must not be displayed, by placeholder name.
  private(set) var secrets: [String: Credentials.Finding] = [:]
  /// The same values as shell words that read the variables they were given as. Literal values stay hidden.
  private(set) var shellWords: [String: ShellWord] = [:]

  /// - Throws: If a header is malformed, or names an environment variable that is not set.
  init(_ options: RequestOptions, environment: [String: String]) throws(CommandError) {
    for pair in options.param {
      let isSecret = SecretName.isLikely(parameter: pair.name)
      let value = try template(pair.value, isSecret ? "--param \(pair.name)" : nil)
      parameters.append(Endpoint.Field(name: pair.name, value: value))
    }
    for text in options.requestHeader { headers.append(try header(text, environment)) }
  }

  /// The source with the additions applied.
  ///
  /// - Throws: If the pagination writes to the same parameter or header, so that an addition would never be
  ///   sent.
  func applied(to original: Source) throws(CommandError) -> Source {
    for (option, name, slot) in parameters.map({ ("--param", $0.name, Slot.query($0.name)) })
      + headers.map({ ("--request-header", $0.name, Slot.header($0.name)) })
    {
      guard let ownership = original.ownership(of: slot) else { continue }
      throw CommandError("cannot set \(option) \(JSONText.quoted(name)): \(ownership)", .usage)
    }
    var source = original
    let own = Set(headers.map { $0.name.lowercased() })
    source.endpoint.parameters.removeAll { field in parameters.contains { $0.name == field.name } }
    source.endpoint.parameters += parameters
    source.endpoint.linkParameters = parameters
    source.endpoint.headers.removeAll { own.contains($0.name.lowercased()) }
    source.endpoint.headers += headers
    switch source.authorization?.place {
    case .header(let name)? where own.contains(name.lowercased()): source.authorization = nil
    case .query(let name)? where parameters.contains { $0.name == name }: source.authorization = nil
    case .header?, .query?, .member?, .field?, nil: break
    }
    return source
  }

  /// Parses `Name: value`; `$NAME` in the value is read from the environment and treated as a secret.
  private mutating func header(
    _ text: String, _ environment: [String: String]
  ) throws(CommandError) -> Endpoint.Field {
    guard let colon = text.firstIndex(of: ":") else {
      throw CommandError("--request-header \(JSONText.quoted(text)): expected 'Name: value'", .usage)
    }
    let name = String(text[..<colon])
    let written = String(text[text.index(after: colon)...].drop { $0 == " " })
    var (value, word, variables) = ("", ShellWord(""), [String]())
    var end = written.startIndex
    for match in written.matches(of: /\$([A-Za-z0-9_]+)/) {
      let (text, name) = (String(written[end..<match.range.lowerBound]), String(match.1))
      guard let found = environment[name], !found.isEmpty else {
        throw CommandError("--request-header: environment variable \(name) is not set", .usage)
      }
      value += text + found
      word = word + ShellWord(text) + .variable(name)
      variables.append(name)
      end = match.range.upperBound
    }
    value += written[end...]
    word = word + ShellWord(String(written[end...]))
    if let problem = HeaderCheck.problem(name: name, value: value) {
      throw CommandError("--request-header \(JSONText.quoted(name)): \(problem)", .usage)
    }
    let isLiteral = variables.isEmpty
    let provenance =
      isLiteral ? "--request-header \(name)" : variables.map { "env:\($0)" }.joined(separator: ", ")
    let isSecret = !isLiteral || SecretName.isLikely(header: name)
    let template = try template(value, isSecret ? provenance : nil, isLiteral ? nil : word)
    return Endpoint.Field(name: name, value: template)
  }

  /// A template for the text; with a provenance, the text becomes a secret.
  ///
  /// - Parameter word: The shell word that reads the secret; nil if the value is literal, in which case an
  ///   environment variable stands in for it.
  private mutating func template(
    _ text: String, _ provenance: String?, _ word: ShellWord? = nil
  ) throws(CommandError) -> Template {
    var pattern = text.replacing("{", with: "{{").replacing("}", with: "}}")
    if let provenance {
      let name = "command-line-\(secrets.count)"
      secrets[name] = Credentials.Finding(secret: Secret(text), provenance: provenance)
      shellWords[name] = word ?? .variable("SECRET")
      pattern = "{secret:\(name)}"
    }
    do { return try Template(pattern) } catch { throw CommandError("\(error)", .usage) }
  }
}

extension Source {
  /// Why the command line cannot set a slot that the pagination writes: what the pagination puts there, and
  /// which option sets it; nil if the slot is free.
  func ownership(of slot: Slot) -> String? {
    if isSame(slot, pagination.settings.size.slot) || placesPageSize(in: slot) {
      return "it is the page size. Use --page-size"
    }
    if pagination.style.slots.contains(where: { isSame(slot, $0) }) {
      let advice = pagination.style.numbering == nil ? "" : ". Use --from-page to start at another page"
      return "source \(id) sets it for each page\(advice)"
    }
    let isCarried = pagination.style.carriedSlots.contains { isSame(slot, $0) }
    return isCarried ? "source \(id) takes it from the previous page" : nil
  }

  private func placesPageSize(in slot: Slot) -> Bool {
    endpoint.parameters.contains { isSame(slot, .query($0.name)) && $0.value.names.contains("page_size") }
      || endpoint.headers.contains { isSame(slot, .header($0.name)) && $0.value.names.contains("page_size") }
  }

  /// Header names are case-insensitive (RFC 9110, section 5.1).
  private func isSame(_ slot: Slot, _ other: Slot?) -> Bool {
    if case .header(let name) = slot, case .header(let other)? = other {
      return name.lowercased() == other.lowercased()
    }
    return slot == other
  }
}
