package import ArgumentParser
import Config
import Glibc
package import Output
import Search
import Text

/// Options for how rows are written.
package struct FormatOptions: ParsableArguments, Sendable {
  @Option(
    name: [.customShort("f", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Output format (default: \(OutputFormat.standard(isTerminal: true).name) on a terminal, "
        + "else \(OutputFormat.standard(isTerminal: false).name); pick: "
        + "\(OutputFormat.standard(isTerminal: false).name); plan: jsonl).",
      valueName: "format"))
  package var format: OutputFormat?

  @Option(
    name: [.customShort("c", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Columns to write, in order: names, paths, *, "
        + "\(ReservedColumn.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "a,b,c"),
    completion: Completions.columns)
  package var columns: String?

  @Option(
    help: ArgumentHelp(
      "Format each row, as in '{name}: {@link}' (escapes: \\n, \\t, \\\\).", valueName: "template"))
  package var template: String?

  @Option(
    name: [.customShort("o", allowingJoined: true), .customLong("output")],
    help: ArgumentHelp(
      "Write to this file (- is stdout); its extension sets the default format.", valueName: "file"),
    completion: .file())
  package var outputName: String?

  @Flag(
    inversion: .prefixedNo,
    help: """
      Write or omit column headings (default: omitted for \
      \(OutputFormats.all.filter { !$0.hasHeaderInPipe }.map(\.name).joined(separator: ", ")) in a pipe).
      """)
  package var header: Bool?

  @Flag(help: "Escape csv cells that spreadsheets would read as formulas.")
  package var csvSafe = false

  @Flag(help: "Begin csv with a byte order mark, for Excel.")
  package var csvBom = false

  @Flag(help: "Add the row's link as the last column (\(FormatOption.link.formats.joined(separator: ", "))).")
  package var link = false

  @Flag(help: "End rows with NUL, for xargs -0 (\(FormatOption.null.formats.joined(separator: ", "))).")
  package var null = false

  package init() {}

  package mutating func validate() throws {
    if outputName?.isEmpty ?? false { throw ValidationError("missing file name for --output (- is stdout)") }
    if template != nil, columns != nil {
      throw ValidationError("--template and --columns cannot be used together")
    }
    if let format, template != nil, !format.needsTemplate {
      throw ValidationError("--template and --format \(format.name) cannot be used together")
    }
    if let format, template == nil, format.needsTemplate {
      throw ValidationError("--format \(format.name) needs a template, such as --template '{name}: {@link}'")
    }
    if format == nil, template == nil, let output {
      do { _ = try OutputFormats.format(forFile: output) } catch {
        throw ValidationError("cannot write \(output): \(error), or name a format with --format")
      }
    }
    if let problem { throw ValidationError(problem) }
  }

  /// The file to write; nil for stdout.
  package var output: String? { outputName == "-" ? nil : outputName }

  /// The first option that does not apply to the format; nil if all do.
  package func problem(with format: OutputFormat) -> String? {
    let given: [FormatOption: String?] = [
      .header: header.map { $0 ? "--header" : "--no-header" }, .csvSafe: csvSafe ? "--csv-safe" : nil,
      .csvByteOrderMark: csvBom ? "--csv-bom" : nil, .link: link ? "--link" : nil,
      .null: null ? "--null" : nil,
    ]
    for option in FormatOption.allCases where !format.options.contains(option) {
      if let word = given[option] ?? nil {
        return
          "\(word) cannot be used with \(format.name), only with \(Sentences.alternatives(option.formats))"
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
    var selection: ColumnSelection
    do throws(ColumnSelectionError) {
      rowTemplate = try template.map { text throws(ColumnSelectionError) in try RowTemplate(text) }
      selection = try self.selection(rowTemplate, source)
    } catch { throw CommandError("\(error)", .usage) }
    selection.addsLink = addsLink(settings, format)
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
    let hasMark = hasByteOrderMark(settings, format)
    options.hasByteOrderMark = hasMark && !isBegun && !options.isTerminal
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
    let format = format(settings, dependencies)
    let others = [
      hasByteOrderMark(settings, format) ? FormatOption.csvByteOrderMark : nil,
      addsLink(settings, format) ? .link : nil,
    ]
    return [
      format.name, columns ?? "", header.map { "\($0)" } ?? "",
      "\(csvSafe || settings.output.isCSVSafe)", "\(null)",
    ] + others.compactMap { $0?.rawValue }
  }

  // A setting applies to files only: a program that reads a pipe expects what it always got.

  private func hasByteOrderMark(_ settings: Settings, _ format: OutputFormat) -> Bool {
    (csvBom || output != nil && settings.output.hasByteOrderMark)
      && format.options.contains(.csvByteOrderMark)
  }

  private func addsLink(_ settings: Settings, _ format: OutputFormat) -> Bool {
    (link || output != nil && settings.output.addsLink == true) && format.options.contains(.link)
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

extension OutputFormat: ExpressibleByArgument {
  package init?(argument: String) {
    guard let format = OutputFormats.named(argument) else { return nil }
    self = format
  }

  package static var allValueStrings: [String] { OutputFormats.all.map(\.name) }
  package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
