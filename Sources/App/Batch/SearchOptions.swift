import Config
import Glibc
package import Output
import Search

/// Which rows are written, and in what order.
package struct RowOptions: Sendable {
  package var limit: Int?
  package var all = false
  package var maxPages: Int?
  package var sort: [String] = []
  package var filter: String?
  package var fromPage: Int?

  package init() {}

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
}

extension FormatOptions {
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
      format, selection: selection,
      outputOptions: outputOptions(format, rowTemplate, settings, dependencies, isBegun: isBegun),
      settled: settled, sort: sort, limit: limit)
  }

  private func format(_ settings: Settings, _ dependencies: Dependencies) -> OutputFormat {
    namedFormat ?? settings.output.format.flatMap(OutputFormats.named)
      ?? .standard(isTerminal: isTerminal(dependencies))
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

  private func outputOptions(
    _ format: OutputFormat, _ template: RowTemplate?, _ settings: Settings, _ dependencies: Dependencies,
    isBegun: Bool
  ) -> OutputOptions {
    let isTerminal = isTerminal(dependencies)
    let hasHeader = header ?? (format.hasHeaderInPipe || isTerminal || output != nil)
    var options = OutputOptions()
    options.hasHeader = hasHeader && !isBegun
    options.isTerminal = isTerminal
    options.width = isTerminal ? dependencies.outputColumns : nil
    options.isCSVSafe = csvSafe || settings.output.isCSVSafe
    if null { options.rowEnd = 0 }
    options.zone = dependencies.zone
    options.literals = template?.literals ?? []
    return options
  }
}

/// What is reported in addition to the rows.
package struct ReportOptions: Sendable {
  package var count = false
  package var dryRun = false
  package var failEmpty = false
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
