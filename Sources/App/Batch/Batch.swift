import Glibc
import Search
import Text

/// Searches for scripts: from the options to the end of the run.
package enum Batch {
  /// Writes the rows, or what the options ask for instead.
  ///
  /// Call this before another thread starts.
  package static func run(
    _ request: RequestOptions, _ rows: RowOptions, _ form: FormatOptions,
    _ report: ReportOptions, _ dependencies: Dependencies, _ message: Message
  ) throws(CommandError) -> RunEnd {
    Allocator.keepMemoryForNextPages()
    if form.output == nil { try Descriptor.requireStandardOutput() }
    signal(SIGPIPE, SIG_IGN)
    let run = try Run(
      request, dependencies,
      mode: .oneShot(
        Run.Extent(
          demand: rows.demand, maxPages: rows.mostPages, isSorted: rows.isSorted,
          hasFirstPage: rows.fromPage != nil)),
      filter: rows.filter.map { RowFilter($0) })
    let warn = {
      if request.insecure { message.failure(RequestOptions.insecureWarning) }
      for note in run.notes { message.note(note) }
    }
    if report.dryRun {
      let command = try curlCommand(of: run, rows, dependencies)
      warn()
      try Descriptor.print(command.text)
      return .status(.done)
    }
    let plan = try OutputPlan(
      form: form, rows: rows, isCounting: report.count, run: run, dependencies: dependencies)
    let recording = try request.recording(dependencies)
    // All checks have passed.
    warn()
    if rows.isSorted { message.note("sorting: output starts once all rows are loaded") }
    if plan.isComplete, let file = form.output {
      message.note("\(file) is already complete: \(Digits.counted(plan.rowsBefore, "row"))")
    }
    let log: @Sendable (String) -> Void = { message.note($0) }
    let progress = report.progressStyle(dependencies, isQuiet: request.quiet).map {
      ProgressDisplay(style: $0, zone: dependencies.zone)
    }
    var start = plan.start(of: run, demand(of: run, rows, report))
    start.awaitsTotal = report.count && rows.demand == nil
    start.reportsTotal = report.stats != nil
    start.failsEmpty = report.failEmpty
    start.zone = dependencies.zone
    start.now = dependencies.now()
    start.utcOffset = start.zone.offset(at: start.now)
    start.rules.keepsLog = report.verbose
    let needsTotal = start.awaitsTotal || start.reportsTotal || progress?.showsTotal ?? false
    start.rules.requestsTotal = run.source.rows.totalRequest != nil && !plan.isComplete && needsTotal
    let shot = OneShot(
      run: run, dependencies: dependencies, plan: plan, start: start,
      reportRequest: report.verbose ? log : nil, progress: progress, recording: recording)
    let (state, recordingFailure) = blocking { await shot.outcome() }
    // The remaining messages may have no reader.
    if let signal = state.interruption {
      Signals.raise(signal, after: ShutdownGracePeriod.limit, by: dependencies.clock)
    } else {
      Signals.release(OneShot.signals)
    }
    if let keys = plan.sink.lateKeys { message.note(keys) }
    if let recordingFailure { message.note("recording stopped: \(recordingFailure)") }
    return try report.conclude(state, cap: run.reachableRows, message)
  }

  /// If the total has a request of its own, counting needs no page.
  private static func demand(of run: Run, _ rows: RowOptions, _ report: ReportOptions) -> Demand {
    let isTotalEnough = report.count && rows.demand == nil && run.source.rows.totalRequest != nil
    return isTotalEnough ? .rows(0) : run.demand
  }

  private static func curlCommand(
    of run: Run, _ rows: RowOptions, _ dependencies: Dependencies
  ) throws(CommandError) -> CurlCommand {
    let start = try rows.resumePoint(run)
    do { return try run.curlCommand(resuming: start, dependencies) } catch {
      throw CommandError(error.fullMessage, .usage)
    }
  }
}
