import ArgumentParser
import Config
import Glibc
import Output
import Search

struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search in a script: rows to stdout, messages to stderr.",
    discussion: """
      Without --limit or --all one page is written. Rows are written page by page as they arrive.

        riffle search unicode arrow --all --format jsonl | jq -r .name
        riffle search github swift tui -n 50 -f csv -c full_name,stargazers_count > repos.csv

      Exit status: 0 done, 1 failed, 3 stopped after some rows, 4 not authorised, 5 rate limited, 64 wrong \
      usage, 74 the output cannot be written, 78 wrong configuration.
      """)

  @OptionGroup var request: RequestOptions

  @Option(
    name: [.customShort("n"), .long],
    help: ArgumentHelp("Write this many rows, as many pages as that takes.", valueName: "rows"))
  var limit: Int?

  @Flag(name: [.short, .long], help: "Write every row, to the end of the list.")
  var all = false

  @Option(help: ArgumentHelp("Ask for no more pages than this.", valueName: "pages"))
  var maxPages: Int?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("\(FormatName.list) (table on a terminal, tsv in a pipe).", valueName: "format"))
  var format: FormatName?

  @Option(
    name: [.customShort("c"), .long],
    help: ArgumentHelp(
      "Columns by name or path, in this order; * for all, @link, @key, @page.", valueName: "a,b,c"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "Write each row as this text; implies --format template. \\n and \\t are line end and tab.",
      valueName: "'{name}: {@link}'"))
  var template: String?

  @Flag(help: "End rows with NUL instead of a line end, for xargs -0 (csv, tsv, jsonl, template).")
  var null = false

  @Flag(help: "Keep a spreadsheet from taking csv cells for formulas.")
  var csvSafe = false

  @Flag(
    inversion: .prefixedNo, help: "A heading line in csv and tsv (csv has one; tsv has one on a terminal).")
  var header: Bool?

  mutating func validate() throws {
    for (name, value) in [("limit", limit), ("max-pages", maxPages)] {
      if let value, value < 1 { throw ValidationError("--\(name) \(value): at least 1 is needed") }
    }
    if template != nil, columns != nil {
      throw ValidationError("--template names its columns itself; leave --columns out")
    }
    if format?.rawValue == "template", template == nil {
      throw ValidationError("--format template needs --template '{name}: {@link}'")
    }
  }

  /// What `browse` does without a terminal.
  static func standingIn(for request: RequestOptions) throws -> SearchCommand {
    var command = try SearchCommand.parse([])
    command.request = request
    return command
  }

  var demand: Demand {
    if let limit { return .rows(limit) }
    return all ? .everything : .pages(1)
  }

  func run() throws {
    let world = World.live()
    let message = Message(request, world)
    do {
      guard fcntl(STDOUT_FILENO, F_GETFD) >= 0 else { throw Complaint("stdout is closed", .output) }
      signal(SIGPIPE, SIG_IGN)
      let run = try PreparedRun(request, world, mode: .oneShot(demand, maxPages: maxPages))
      for note in run.notes { message.note(note) }
      let sink = OutputSink(try writer(run, world), descriptor: STDOUT_FILENO)
      let shot = OneShot(prepared: run, world: world, demand: demand, sink: sink, descriptor: STDOUT_FILENO)
      try finish(blocking { await shot.run() }, message)
    } catch let complaint as Complaint {
      message.failure(complaint.message)
      throw ExitCode(complaint.status.rawValue)
    }
  }

  private func finish(_ state: OneShotState?, _ message: Message) throws {
    guard let state else { return }
    let report = state.report
    for note in report.notes { message.note(note) }
    if let failure = report.failure { message.failure(failure) }
    if case .interrupted(let signal)? = state.ending { Signals.raise(signal) }
    if report.status != .done { throw ExitCode(report.status.rawValue) }
  }

  private func writer(_ run: PreparedRun, _ world: World) throws(Complaint) -> OutputWriter {
    let name = formatName(run.settings, world)
    if name == "template", template == nil {
      throw Complaint("format template needs --template '{name}: {@link}'", .usage)
    }
    guard let type = OutputFormats.named(name) else {
      throw Complaint("format \"\(name)\" is unknown; there are \(FormatName.list)", .usage)
    }
    do throws(ColumnSelectionError) {
      let rowTemplate = try template.map { text throws(ColumnSelectionError) in
        try RowTemplate(Self.unescaped(text))
      }
      return OutputWriter(
        type, selection: try selection(rowTemplate, run.source), sheet: sheet(name, rowTemplate, world))
    } catch {
      throw Complaint("\(error)", .usage)
    }
  }

  /// `\\n` and `\\t` typed in a shell's quotes are a line end and a tab.
  private static func unescaped(_ text: String) -> String {
    text.replacing("\\n", with: "\n").replacing("\\t", with: "\t")
  }

  private func formatName(_ settings: Settings, _ world: World) -> String {
    if template != nil { return "template" }
    return format?.rawValue ?? settings.output.format ?? (world.isOutputTerminal ? "table" : "tsv")
  }

  private func selection(
    _ template: RowTemplate?, _ source: Source
  ) throws(ColumnSelectionError) -> ColumnSelection {
    if let template { return try ColumnSelection(template.columns, of: source) }
    if let columns { return try ColumnSelection(parsing: columns, of: source) }
    return ColumnSelection(columnsOf: source)
  }

  private func sheet(_ format: String, _ template: RowTemplate?, _ world: World) -> Sheet {
    Sheet(
      hasHeader: header ?? (format != "tsv" || world.isOutputTerminal), isTerminal: world.isOutputTerminal,
      width: world.isOutputTerminal ? world.outputColumns : nil, isCSVSafe: csvSafe,
      rowEnd: null ? 0 : UInt8(ascii: "\n"), utcOffset: world.utcOffset, literals: template?.literals ?? [])
  }
}

/// A format on the command line.
struct FormatName: RawRepresentable, ExpressibleByArgument, Sendable {
  let rawValue: String

  init?(rawValue: String) {
    guard OutputFormats.named(rawValue) != nil else { return nil }
    self.rawValue = rawValue
  }

  static var allValueStrings: [String] { OutputFormats.all.map { $0.name } }
  static var list: String { allValueStrings.joined(separator: " ") }
}
