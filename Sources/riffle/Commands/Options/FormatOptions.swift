import ArgumentParser
import Config
import Glibc
import Output
import Search

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
