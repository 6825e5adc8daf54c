import ArgumentParser
import Glibc
import Output
import Search
import Text

/// `riffle search`: prints rows.
struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.search.rawValue,
    abstract: "Search and write the rows to stdout, for scripts.",
    discussion: """
      Without --limit or --all, one page is written. Rows are written page by page as they arrive; messages go to \
      stderr. With --filter and --limit, at most 10 pages are loaded unless --max-pages is given.

        riffle search unicode arrow --all --format jsonl | jq -r .name
        riffle search github swift tui -n 50 -f csv -c full_name > repos.csv
        riffle search unicode arrow --all --sort name:desc --columns name,@link

      Exit status: 0 success, 1 failure, 3 stopped after some rows, 4 not authorized, 5 rate limited, 64 usage \
      error, 74 output error, 78 configuration error.
      """)

  @OptionGroup(title: "Request") var request: RequestArguments
  @OptionGroup(title: "Rows") var rows: RowArguments
  @OptionGroup(title: "Output") var form: FormatArguments
  @OptionGroup(title: "Reporting") var report: ReportArguments

  mutating func validate() throws {
    if let file = form.options.output, let stats = report.stats, FileIdentity(file) == FileIdentity(stats) {
      throw ValidationError("--output and --stats cannot use the same file")
    }
    guard report.count else { return }
    if form.options.output != nil { throw ValidationError("--count and --output cannot be used together") }
    if rows.filter != nil, !rows.all, rows.limit == nil {
      throw ValidationError("--count with --filter needs --all or --limit")
    }
  }

  /// The search that replaces `browse` when there is no terminal.
  static func substitute(for request: RequestArguments) throws -> SearchCommand {
    var command = try SearchCommand.parse([])
    command.request = request
    return command
  }

  func run() throws {
    let (request, rows, form, report) = (request.options, rows.options, form.options, report.options)
    Allocator.keepMemoryForNextPages()
    let dependencies = Dependencies.live()
    let message = Message(request, dependencies)
    do {
      if form.output == nil { try Descriptor.requireStandardOutput() }
      signal(SIGPIPE, SIG_IGN)
      let run = try Run(
        request, dependencies,
        mode: .oneShot(
          rows.demand, maxPages: rows.mostPages, isSorted: rows.isSorted, fromPage: rows.fromPage != nil),
        filter: rows.filter.map { RowFilter($0) })
      if report.dryRun {
        let command = try curlCommand(of: run, dependencies)
        warn(of: run, message)
        return try Descriptor.print(command.text)
      }
      let plan = try OutputPlan(
        form: form, rows: rows, isCounting: report.count, run: run, dependencies: dependencies)
      let recording = try request.recording(dependencies)
      // All checks have passed.
      warn(of: run, message)
      if rows.isSorted { message.note("sorting: output starts once all rows are loaded") }
      if plan.isComplete, let file = form.output {
        message.note("\(file) is already complete: \(Digits.counted(plan.rowsBefore, "row"))")
      }
      let log: @Sendable (String) -> Void = { message.note($0) }
      let shot = OneShot(
        prepared: run, dependencies: dependencies, demand: demand(of: run), plan: plan,
        awaitsTotal: report.count && rows.demand == nil, reportsTotal: report.stats != nil,
        failsEmpty: report.failEmpty,
        reportRequest: report.verbose ? log : nil,
        progress: progress(dependencies), recording: recording)
      let (state, recordingFailure) = blocking { await shot.run() }
      // The remaining messages may have no reader.
      if let signal = state.interruption {
        Signals.raise(signal, after: ShutdownGracePeriod.limit, by: dependencies.clock)
      } else {
        Signals.release(OneShot.signals)
      }
      if let keys = plan.sink.lateKeys { message.note(keys) }
      if let recordingFailure { message.note("recording stopped: \(recordingFailure)") }
      try RunSummary(options: report, cap: run.reachableRows, message: message).conclude(state).leave()
    } catch let error as CommandError {
      message.failure(error.message)
      throw ExitCode(error.status.rawValue)
    }
  }

  /// If the total has a request of its own, counting needs no page.
  private func demand(of run: Run) -> Demand {
    let (rows, report) = (rows.options, report.options)
    let isTotalEnough = report.count && rows.demand == nil && run.source.rows.totalRequest != nil
    return isTotalEnough ? .rows(0) : run.demand
  }

  private func warn(of run: Run, _ message: Message) {
    if request.insecure { message.failure(RequestOptions.insecureWarning) }
    for note in run.notes { message.note(note) }
  }

  private func curlCommand(of run: Run, _ dependencies: Dependencies) throws(CommandError) -> CurlCommand {
    let start = try rows.options.resumePoint(run)
    do { return try run.curlCommand(resuming: start, dependencies) } catch {
      throw CommandError(error.fullMessage, .usage)
    }
  }

  private func progress(_ dependencies: Dependencies) -> ProgressDisplay? {
    guard let style = report.options.progressStyle(dependencies, isQuiet: request.quiet) else { return nil }
    return ProgressDisplay(style: style, zone: dependencies.zone)
  }
}
