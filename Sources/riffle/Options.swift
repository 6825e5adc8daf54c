import App
package import ArgumentParser
import Config
import Output

/// Options that affect the request, shared by all commands that request a source; see `RequestOptions`.
struct RequestArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Name or alias of a source, path of its TOML file, or @NAME for a saved search.", valueName: "source"),
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
      "Longest wait before a retry, such as 60s, 5m or unlimited (default: 2m).", valueName: "duration"))
  var maxWait: String?

  @Option(
    help: ArgumentHelp("Time limit for each page, including its body (default: 60s).", valueName: "duration"))
  var timeout: String?

  @Option(help: ArgumentHelp("Retry a failed page up to this many times.", valueName: "count"))
  var retries: Int?

  @OptionGroup var settings: ConfigOption

  @Option(
    help: ArgumentHelp("Record the session to a new file, for riffle replay.", valueName: "file"),
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

  mutating func validate() throws {
    try Bound.check(["page-size": pageSize, "concurrency": concurrency], atLeast: 1)
    try Bound.check(["retries": retries], atLeast: 0)
  }

  var options: RequestOptions {
    var options = RequestOptions()
    options.source = source
    options.words = words
    options.set = set
    options.param = param
    options.requestHeader = requestHeader
    options.pageSize = pageSize
    options.concurrency = concurrency
    options.maxWait = maxWait
    options.timeout = timeout
    options.retries = retries
    options.config = settings.config
    options.record = record
    options.trust = trust
    options.insecure = insecure
    options.color = color
    options.quiet = quiet
    return options
  }
}

/// The option to request the rows again.
struct WatchArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Refresh at this interval, such as 60s; at least 5s.", valueName: "duration"))
  var watch: String?

  func applied(to options: RequestOptions) -> RequestOptions {
    var options = options
    options.watch = watch
    return options
  }
}

/// The option of all commands that read settings.
struct ConfigOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Read settings from this file instead of config.toml.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?
}

/// Options for which rows are written, and in what order.
struct RowArguments: ParsableArguments {
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
      "Sort all rows before writing or applying --limit. May be repeated.", valueName: "name[:desc],..."))
  var sort: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keep only rows that match: words and terms such as 'stars>1000'.", valueName: "filter"))
  var filter: String?

  @Option(help: ArgumentHelp("Start at this page, for sources with numbered pages.", valueName: "page"))
  var fromPage: Int?

  @Flag(
    help: "Write the rows under each row of the source's parent, list after list; page counts are per list.")
  var each = false

  @Option(
    help:
      "With --each: stop at a list that cannot be loaded (default), or skip it and end with status 3. A 401, a lost network and a wait over --max-wait stop in any case."
  )
  var onParentError: ParentErrorChoice?

  mutating func validate() throws {
    try Bound.check(["limit": limit, "max-pages": maxPages, "from-page": fromPage], atLeast: 1)
    if each, fromPage != nil { throw ValidationError("--each and --from-page cannot be used together") }
    if !each, onParentError != nil { throw ValidationError("--on-parent-error needs --each") }
    if let fromPage, fromPage > 1_000_000_000 {
      throw ValidationError("invalid value \"\(fromPage)\" for --from-page: must be at most 1000000000")
    }
    if limit != nil, all, sort.isEmpty { throw ValidationError("--limit and --all cannot be used together") }
  }

  var options: RowOptions {
    var options = RowOptions()
    options.limit = limit
    options.all = all
    options.maxPages = maxPages
    options.sort = sort
    options.filter = filter
    options.each = each
    options.onParentError = onParentError ?? .stop
    options.fromPage = fromPage
    return options
  }
}

/// Options for the output format.
struct FormatArguments: ParsableArguments {
  @Option(
    name: [.customShort("f", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Output format (default: \(OutputFormat.standard(isTerminal: true).name) on a terminal, "
        + "else \(OutputFormat.standard(isTerminal: false).name)).",
      valueName: "format"))
  var format: OutputFormat?

  @Option(
    name: [.customShort("c", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Columns to write, in order: names, paths, *, @link, @key, @page, @parent.", valueName: "a,b,c"),
    completion: Completions.columns)
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "Format each row with this template (escapes: \\n, \\t, \\\\).", valueName: "'{name}: {@link}'"))
  var template: String?

  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output")],
    help: ArgumentHelp(
      "Write to this file (- is stdout); its extension sets the default format.", valueName: "file"),
    completion: .file())
  var outputName: String?

  @Flag(
    inversion: .prefixedNo,
    help: """
      Write or omit column headings (default: omitted for \
      \(OutputFormats.all.filter { !$0.hasHeaderInPipe }.map(\.name).joined(separator: ", ")) in a pipe).
      """)
  var header: Bool?

  @Flag(help: "Escape csv cells that spreadsheets would read as formulas.")
  var csvSafe = false

  @Flag(help: "End rows with NUL, for xargs -0 (\(FormatOption.null.formats.joined(separator: ", "))).")
  var null = false

  mutating func validate() throws {
    if template != nil, columns != nil {
      throw ValidationError("--template and --columns cannot be used together")
    }
    if let format, template != nil, !format.needsTemplate {
      throw ValidationError("--template and --format \(format.name) cannot be used together")
    }
    if let format, template == nil, format.needsTemplate {
      throw ValidationError("--format \(format.name) needs a template, such as --template '{name}: {@link}'")
    }
    if format == nil, template == nil, let output = options.output {
      do { _ = try OutputFormats.format(forFile: output) } catch {
        throw ValidationError("cannot write \(output): \(error)")
      }
    }
    if let problem = options.problem { throw ValidationError(problem) }
  }

  var options: FormatOptions {
    var options = FormatOptions()
    options.format = format
    options.columns = columns
    options.template = template
    options.outputName = outputName
    options.header = header
    options.csvSafe = csvSafe
    options.null = null
    return options
  }
}

/// The option to continue a file; only a search does.
struct ResumeArguments: ParsableArguments {
  @Flag(help: "Resume an interrupted run of --output.")
  var resume = false
}

extension OutputFormat: ExpressibleByArgument {
  package init?(argument: String) {
    guard let format = OutputFormats.named(argument) else { return nil }
    self = format
  }

  package static var allValueStrings: [String] { OutputFormats.all.map(\.name) }
  package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// Options for what is reported in addition to the rows.
struct ReportArguments: ParsableArguments {
  @Flag(
    help: "Print the number of rows the service reports, not the rows. --each needs --all or --limit then.")
  var count = false

  @Flag(help: "Print the first request as a curl command; send nothing.")
  var dryRun = false

  @Flag(help: "Exit with status 1 if there are no rows.")
  var failEmpty = false

  @Flag(help: "Exit with status 3 if rows may be missing, not only if they are.")
  var failIncomplete = false

  @Option(help: ArgumentHelp("Write run statistics as JSON to this file (- is stderr).", valueName: "file"))
  var stats: String?

  @Flag(name: [.short, .long], help: "Log each request to stderr: status, size, time, rate limit.")
  var verbose = false

  @Option(help: "Show progress on stderr (default: auto, on a terminal only).")
  var progress: ProgressChoice?

  var options: ReportOptions {
    var options = ReportOptions()
    options.count = count
    options.dryRun = dryRun
    options.failEmpty = failEmpty
    options.failIncomplete = failIncomplete
    options.stats = stats
    options.verbose = verbose
    options.progress = progress
    return options
  }
}

/// The smallest value of options that are numbers.
enum Bound {
  /// - Throws: For the first option whose value is given and too small.
  static func check(_ options: KeyValuePairs<String, Int?>, atLeast least: Int) throws {
    for case (let name, let value?) in options where value < least {
      throw ValidationError("invalid value \"\(value)\" for --\(name): must be at least \(least)")
    }
  }
}

extension ColorChoice: ExpressibleByArgument {}
extension ProgressChoice: ExpressibleByArgument {}
extension ParentErrorChoice: ExpressibleByArgument {}
extension NameValue: ExpressibleByArgument {}
