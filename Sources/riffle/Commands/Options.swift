import ArgumentParser
import Config
import Glibc
import Output
import Search

/// Options that affect the request, shared by all commands that request a source.
struct RequestOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Name or alias of a source, or path of its TOML file.", valueName: "source"),
    completion: Completions.sources)
  var source: String?

  @Argument(help: ArgumentHelp("Words to search for.", valueName: "query"))
  var words: [String] = []

  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: ArgumentHelp("Set an option of the source. May be repeated.", valueName: "name=value"),
    completion: Completions.settings)
  var set: [NameValue] = []

  @Option(
    help: ArgumentHelp("Add a query parameter to every request. May be repeated.", valueName: "name=value"))
  var param: [NameValue] = []

  @Option(
    name: [.customShort("H", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Add a request header; $NAME is replaced by that variable. May be repeated.", valueName: "'Name: value'"
    ))
  var requestHeader: [String] = []

  @Option(help: ArgumentHelp("Request this many rows per page.", valueName: "rows"))
  var pageSize: Int?

  @Option(help: ArgumentHelp("Load this many numbered pages at once.", valueName: "pages"))
  var concurrency: Int?

  @Option(
    help: ArgumentHelp(
      "Longest wait before a retry, such as 60s, 5m or unlimited (default: 2m).",
      valueName: "duration"))
  var maxWait: String?

  @Option(
    help: ArgumentHelp("Time limit for each page, including its body (default: 60s).", valueName: "duration"))
  var timeout: String?

  @Option(help: ArgumentHelp("Retry a failed page up to this many times.", valueName: "count"))
  var retries: Int?

  @Option(
    help: ArgumentHelp("Read settings from this file instead of config.toml.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Record the session to a new file, for riffle replay.", valueName: "file"),
    completion: .file())
  var record: String?

  @Flag(help: "Let a source given by path use credentials.")
  var trust = false

  @Flag(help: "Do not check TLS certificates; others can read and change traffic.")
  var insecure = false

  @Option(help: "When to use color.")
  var color: ColorChoice?

  @Flag(name: [.short, .long], help: "Print errors only.")
  var quiet = false

  static let insecureWarning =
    "--insecure: certificates are not checked. Others can read and change the traffic"

  mutating func validate() throws {
    for (name, value, least) in [
      ("page-size", pageSize, 1), ("concurrency", concurrency, 1), ("retries", retries, 0),
    ] {
      if let value, value < least {
        throw ValidationError("invalid value \"\(value)\" for --\(name): must be at least \(least)")
      }
    }
  }
}

/// Options for which rows are written, and in what order.
struct RowOptions: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp("Write up to this many rows, loading pages as needed.", valueName: "rows"))
  var limit: Int?

  @Flag(name: [.short, .long], help: "Write all rows.")
  var all = false

  @Option(help: ArgumentHelp("Load at most this many pages.", valueName: "pages"))
  var maxPages: Int?

  @Option(
    help: ArgumentHelp(
      "Sort all rows before writing or applying --limit. May be repeated.",
      valueName: "name[:desc],..."))
  var sort: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keep only rows with these words (\"a phrase\", -not, name:word).",
      valueName: "words"))
  var filter: String?

  @Option(help: ArgumentHelp("Start at this page, for sources with numbered pages.", valueName: "page"))
  var fromPage: Int?

  mutating func validate() throws {
    for (name, value) in [("limit", limit), ("max-pages", maxPages), ("from-page", fromPage)] {
      if let value, value < 1 {
        throw ValidationError("invalid value \"\(value)\" for --\(name): must be at least 1")
      }
    }
    if let fromPage, fromPage > 1_000_000_000 {
      throw ValidationError("invalid value \"\(fromPage)\" for --from-page: must be at most 1000000000")
    }
    if limit != nil, all, !isSorted {
      throw ValidationError("--limit and --all cannot be used together")
    }
  }

  var isSorted: Bool { !sort.isEmpty }

  /// Nil if nothing is specified. A sorted run needs all rows before it knows the first ones.
  var demand: Demand? {
    if all || isSorted && limit != nil { return .everything }
    return limit.map { .rows($0) }
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
      throw CommandError(
        "--from-page cannot be used: source \(run.source.id) has no page numbers",
        .usage)
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

/// Options for the output format.
struct FormatOptions: ParsableArguments {
  @Option(
    name: [.customShort("f", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Output format (default: table on a terminal, else tsv).",
      valueName: "format"))
  var format: FormatName?

  @Option(
    name: [.customShort("c", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Columns to write, in order: names, paths, *, @link, @key, @page.", valueName: "a,b,c"),
    completion: Completions.columns)
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "Format each row with this template (escapes: \\n, \\t, \\\\).",
      valueName: "'{name}: {@link}'"))
  var template: String?

  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output")],
    help: ArgumentHelp(
      "Write to this file (- is stdout); its extension sets the default format.",
      valueName: "file"),
    completion: .file())
  var outputName: String?

  @Flag(help: "Resume an interrupted run of --output.")
  var resume = false

  @Flag(
    inversion: .prefixedNo,
    help: "Write or omit column headings (default: omitted for tsv in a pipe).")
  var header: Bool?

  @Flag(help: "Escape csv cells that spreadsheets would read as formulas.")
  var csvSafe = false

  @Flag(help: "End rows with NUL, for xargs -0 (csv, tsv, jsonl, template).")
  var null = false

  mutating func validate() throws {
    if template != nil, columns != nil {
      throw ValidationError("--template and --columns cannot be used together")
    }
    if let format, template != nil, format.rawValue != "template" {
      throw ValidationError("--template and --format \(format.rawValue) cannot be used together")
    }
    if format?.rawValue == "template", template == nil {
      throw ValidationError("--format template needs a template, such as --template '{name}: {@link}'")
    }
    if format == nil, template == nil, let output {
      do { _ = try OutputFormats.name(forFile: output) } catch {
        throw ValidationError("cannot write \(output): \(error)")
      }
    }
    if let problem = namedFormat.flatMap(problem) { throw ValidationError(problem) }
  }

  /// The file to write; nil for stdout.
  var output: String? { outputName == "-" ? nil : outputName }

  /// The first option that does not apply to the format; nil if all do.
  func problem(with format: String) -> String? {
    let options = OutputFormats.named(format)?.options ?? []
    let given: [FormatOption: String?] = [
      .header: header.map { $0 ? "--header" : "--no-header" }, .csvSafe: csvSafe ? "--csv-safe" : nil,
      .null: null ? "--null" : nil,
    ]
    for option in FormatOption.allCases where !options.contains(option) {
      if let word = given[option] ?? nil {
        return "\(word) cannot be used with \(format), only with \(option.formats.joined(separator: ", "))"
      }
    }
    return nil
  }

  /// The output format given on the command line, if any.
  private var namedFormat: String? {
    if template != nil { return "template" }
    return format?.rawValue ?? output.flatMap { (try? OutputFormats.name(forFile: $0)) ?? nil }
  }
}

/// The name of an output format on the command line.
struct FormatName: RawRepresentable, ExpressibleByArgument, Sendable {
  let rawValue: String

  init?(rawValue: String) {
    guard OutputFormats.named(rawValue) != nil else { return nil }
    self.rawValue = rawValue
  }

  static var allValueStrings: [String] { OutputFormats.all.map { $0.name } }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  static var list: String { allValueStrings.joined(separator: ", ") }
}

extension FormatOptions {
  /// The writer for the output document.
  ///
  /// - Parameters:
  ///   - world: Determines whether the document goes to a terminal, and the terminal's width.
  ///   - record: The progress record of the document being resumed.
  func writer(
    for source: Source, _ settings: Settings, _ dependencies: Dependencies, resuming record: ResumeRecord?
  ) throws(CommandError) -> OutputWriter {
    let name = formatName(settings, dependencies)
    guard let type = OutputFormats.named(name) else {
      throw CommandError("unknown format \"\(name)\". Use one of: \(FormatName.list)", .usage)
    }
    if name == "template", template == nil {
      throw CommandError("format template needs a template, such as --template '{name}: {@link}'", .usage)
    }
    if let problem = problem(with: name) { throw CommandError(problem, .usage) }
    let rowTemplate: RowTemplate?
    let selection: ColumnSelection
    do throws(ColumnSelectionError) {
      rowTemplate = try template.map { text throws(ColumnSelectionError) in
        try RowTemplate(text)
      }
      selection = try self.selection(rowTemplate, source)
    } catch {
      throw CommandError("\(error)", .usage)
    }
    let settled = record?.columns ?? []
    guard selection.columns(settled: settled).count == settled.count else {
      throw ResumeJournal.refusal(of: output ?? "", "the columns of source \(source.id) have changed")
    }
    let isBegun = record.map { $0.progress.bytes > 0 } ?? false
    return OutputWriter(
      type, selection: selection,
      outputOptions: outputOptions(name, rowTemplate, settings, dependencies, isBegun: isBegun),
      settled: settled)
  }

  /// Whether the command line names an output format.
  var namesFormat: Bool { namedFormat != nil }

  private func formatName(_ settings: Settings, _ dependencies: Dependencies) -> String {
    namedFormat ?? settings.output.format ?? (isTerminal(dependencies) ? "table" : "tsv")
  }

  /// Whether the rows are written to a terminal.
  private func isTerminal(_ dependencies: Dependencies) -> Bool {
    output == nil && dependencies.isOutputTerminal
  }

  /// Opens the output target; a file is created if it does not exist.
  func target() throws(CommandError) -> OutputTarget {
    try output.map { name throws(CommandError) in try OutputTarget.file(name) } ?? .standardOutput
  }

  /// Whether the run can be resumed: it writes a file, in a format whose rows are independent of each other.
  func isResumable(_ settings: Settings, _ dependencies: Dependencies) -> Bool {
    output != nil && OutputFormats.named(formatName(settings, dependencies))?.isResumable == true
  }

  /// Everything that affects how rows are written to a file.
  func identity(_ settings: Settings, _ dependencies: Dependencies) -> [String] {
    [
      formatName(settings, dependencies), columns ?? "", header.map { "\($0)" } ?? "",
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

  private func outputOptions(
    _ format: String, _ template: RowTemplate?, _ settings: Settings, _ dependencies: Dependencies,
    isBegun: Bool
  ) -> OutputOptions {
    let isTerminal = isTerminal(dependencies)
    let hasHeader = header ?? (format != "tsv" || isTerminal || output != nil)
    return OutputOptions(
      hasHeader: hasHeader && !isBegun, isTerminal: isTerminal,
      width: isTerminal ? dependencies.outputColumns : nil, isCSVSafe: csvSafe || settings.output.isCSVSafe,
      rowEnd: null ? 0 : UInt8(ascii: "\n"), zone: dependencies.zone, literals: template?.literals ?? [])
  }
}

/// Options for what is reported in addition to the rows.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Print the number of rows the service reports, not the rows.")
  var count = false

  @Flag(help: "Print the first request as a curl command; send nothing.")
  var dryRun = false

  @Flag(help: "Exit with status 1 if there are no rows.")
  var failEmpty = false

  @Option(
    help: ArgumentHelp(
      "Write run statistics as JSON to this file (- is stderr).", valueName: "file"))
  var stats: String?

  @Flag(name: [.short, .long], help: "Log each request to stderr: status, size, time, rate limit.")
  var verbose = false

  @Option(help: "Show progress on stderr (default: auto, on a terminal only).")
  var progress: ProgressChoice?
}

/// When progress is shown.
enum ProgressChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
  case auto, always, never
}

extension ReportOptions {
  /// The progress style; nil to show none.
  func progressStyle(_ dependencies: Dependencies, isQuiet: Bool) -> ProgressDisplay.Style? {
    let columns = dependencies.isErrorTerminal ? dependencies.columns(of: STDERR_FILENO) ?? 80 : nil
    switch progress ?? .auto {
    case .never: return nil
    case .always: return columns.map { .overwriting(columns: $0) } ?? .lines
    case .auto where isQuiet: return nil
    case .auto where verbose: return .longWaits
    // On a terminal, rows and progress would overwrite each other.
    case .auto where dependencies.isOutputTerminal: return .longWaits
    case .auto: return columns.map { .overwriting(columns: $0) } ?? .longWaits
    }
  }
}

/// A `name=value` argument.
struct NameValue: ExpressibleByArgument, Sendable {
  let name: String
  let value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }
}
