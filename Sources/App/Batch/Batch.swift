import Glibc
import Output
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
        rows.demand, maxPages: rows.mostPages, isSorted: rows.isSorted, fromPage: rows.fromPage != nil),
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
    let style = report.progressStyle(dependencies, isQuiet: request.quiet)
    let shot = OneShot(
      prepared: run, dependencies: dependencies, demand: demand(of: run, rows, report), plan: plan,
      awaitsTotal: report.count && rows.demand == nil, reportsTotal: report.stats != nil,
      failsEmpty: report.failEmpty,
      reportRequest: report.verbose ? log : nil,
      progress: style.map { ProgressDisplay(style: $0, zone: dependencies.zone) }, recording: recording)
    let (state, recordingFailure) = blocking { await shot.run() }
    // The remaining messages may have no reader.
    if let signal = state.interruption {
      Signals.raise(signal, after: ShutdownGracePeriod.limit, by: dependencies.clock)
    } else {
      Signals.release(OneShot.signals)
    }
    if let keys = plan.sink.lateKeys { message.note(keys) }
    if let recordingFailure { message.note("recording stopped: \(recordingFailure)") }
    return try RunSummary(options: report, cap: run.reachableRows, message: message).conclude(state)
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
