import Config
import FeedbackLoop
import Glibc
import HTTPValues
import JSON
import Output
import Search
import Terminal
import Text

/// A scripted query: writes rows to a descriptor page by page, and keeps no page once it is written.
package struct OneShot: Sendable {
  let run: Run
  /// The runs of the sources above it, the topmost first; empty if a single list is written.
  let parents: [Run]
  let dependencies: Dependencies
  let plan: OutputPlan
  let start: SearchInitialState
  let message: Message
  /// Whether each request is logged in one line.
  let isVerbose: Bool
  /// Nil shows no progress.
  let progress: ProgressDisplay?

  /// How long an interrupted run waits for a reader that stalls.
  fileprivate static let gracePeriod = Duration.seconds(1)

  /// Searches for a script, from the options to the end of the run: writes the rows, or what the options ask
  /// for instead.
  package static func run(
    _ request: RequestOptions, _ rows: RowOptions, _ form: FormatOptions,
    _ report: ReportOptions, _ dependencies: Dependencies, _ message: Message
  ) throws(CommandError) -> RunEnd {
    let dependencies = report.dryRun ? dependencies : try request.recording(dependencies)
    do throws(CommandError) {
      return try run(checking: request, rows, form, report, dependencies, message)
    } catch {
      dependencies.recorder?.discardUnlessBegun()
      throw error
    }
  }

  private static func run(
    checking request: RequestOptions, _ rows: RowOptions, _ form: FormatOptions,
    _ report: ReportOptions, _ dependencies: Dependencies, _ message: Message
  ) throws(CommandError) -> RunEnd {
    var (request, rows, form, report) = (request, rows, form, report)
    if dependencies.replay != nil {
      (form.outputName, rows.resume, report.stats, report.dryRun) = (nil, false, nil, false)
    }
    if form.output == nil { try dependencies.requireOutput() }
    if let search = try request.useSavedSearch(dependencies, needsQuery: !rows.each) {
      rows.use(search)
      form.use(search)
    }
    try checkWatch(request, rows, form, report)
    // A file keeps the page size of its first run, which may follow from the limit (rule 10).
    let resumedSize = dependencies.found("page size") {
      rows.resume ? [form.output.flatMap(ResumeJournal.pageSize)].compactMap { $0.map(String.init) } : []
    }
    var lineage = try Run.lineage(
      request, dependencies, rows: rows, resumedPageSize: resumedSize.first.flatMap { Int($0) })
    var run = lineage.removeLast()
    let parents = lineage
    let since = try SinceLast.begin(&run, under: parents, request, rows, form, report, dependencies)
    let notes = parents.flatMap(\.notes) + run.notes + (since?.notes ?? [])
    let warn = {
      if request.insecure { message.failure(RequestOptions.insecureWarning) }
      for note in notes { message.note(note) }
    }
    if rows.split, run.source.split == nil { throw PartsCount.undivided(run.source) }
    if report.dryRun, rows.split, let split = run.source.split {
      warn()
      let count = try PartsCount.of(run, dependencies, message)
      message.note(count.summary)
      return try dependencies.print(count.text(split))
    }
    if report.dryRun {
      let first = parents.first ?? run
      let command = try first.curlCommand(
        resuming: parents.isEmpty ? rows.resumePoint(run) : nil, dependencies)
      warn()
      if let note = first.embeddedServerNote(on: command) { message.note(note) }
      return try dependencies.print(command.text)
    }
    let interval = request.watch.flatMap { _ in run.settings.pager.watch }
    if interval != nil { try form.checkWatch(of: run, dependencies) }
    var plan = try OutputPlan(
      form: form, rows: rows, isWatching: interval != nil, isCounting: report.count, run: run,
      parents: parents, since: since, dependencies: dependencies
    )
    let output = dependencies.found("output") { [JSONCoding.text(of: plan.start)] }
    if dependencies.replay != nil, let text = output.first { try plan.begin(asRecorded: text) }
    run.startedAt = plan.start.startedAt
    // All checks have passed.
    warn()
    if plan.discardedRows > 0, let file = form.output {
      message.note(
        "\(file) had \(Digits.counted(plan.discardedRows, "row")) of an unfinished run, which this run replaces. "
          + "To continue a run, add --resume")
    }
    if plan.start.isDone, let file = form.output {
      message.note("nothing to resume: \(file) already has \(Digits.counted(plan.start.before.rows, "row"))")
    }
    let progress = report.progressStyle(dependencies, isQuiet: request.quiet, isFile: form.output != nil)
      .map { style in
        var display = ProgressDisplay(style: style, zone: dependencies.zone, message: message)
        if case .overwriting = style {
          display.hasTerminalProgress =
            TerminalOptions(environment: dependencies.environment)?.showsProgress ?? false
        }
        return display
      }
    let awaitsTotal = report.count && rows.demand == nil
    let hasTotalRequest = run.source.rows.totalRequest != nil
    // If the total has a request of its own, counting needs no page.
    var start = plan.start(of: run, awaitsTotal && hasTotalRequest ? .rows(0) : run.demand)
    start.isResuming = rows.resume
    start.awaitsTotal = awaitsTotal
    start.reportsTotal = report.stats != nil
    start.isFiltered = rows.filter != nil
    start.limitsPages = rows.maxPages == nil && rows.effectiveMaxPages != nil
    start.canSplit = run.source.split != nil
    start.isSinceLast = rows.sinceLast
    start.nothingNew = since?.nothingNew(zone: dependencies.zone)
    start.failsEmpty = report.failEmpty
    start.failsIncomplete = report.failIncomplete
    start.zone = dependencies.zone
    start.now = dependencies.now()
    start.rules.keepsLog = report.verbose
    if let interval {
      start.watchInterval = interval / .seconds(1)
      start.rules.keepsPages = true
      start.continuation = .none
    }
    start.each = run.lists(under: parents, start, rows)
    let needsTotal =
      interval == nil && (awaitsTotal || start.reportsTotal || progress?.showsTotal ?? false)
    start.rules.requestsTotal = hasTotalRequest && !plan.start.isDone && needsTotal
    let shot = OneShot(
      run: run, parents: parents, dependencies: dependencies, plan: plan, start: start,
      message: message, isVerbose: report.verbose, progress: progress)
    if let replay = dependencies.replay {
      replay.result = shot.state(after: replay).summary(source: run.source.id)
      return .status(.done)
    }
    let (state, recordingFailure) = blocking { await shot.outcome() }
    // The remaining messages may have no reader.
    if let signal = state.interruption {
      Signals.raise(signal, after: gracePeriod, by: dependencies.clock)
    } else {
      Signals.release(dependencies.endingSignals)
    }
    for note in [plan.sink.lateKeys, plan.sink.emptyPaths].compactMap(\.self) { message.note(note) }
    if let recordingFailure { message.note("recording stopped: \(recordingFailure)") }
    let end: RunEnd
    do throws(CommandError) {
      end = try report.conclude(state, cap: run.reachableRows, dependencies, message)
    } catch {
      since?.stay(because: "the report could not be written", message)
      throw error
    }
    return try since?.conclude(state, end, plan.target, dependencies, message) ?? end
  }

  // MARK: The run

  /// Runs until the end, the limit, a failure or a signal, then finishes the document.
  ///
  /// - Returns: The final state, and why the recording ended early, if it did.
  func outcome() async -> (state: OneShotState, recordingFailure: CreatedFile.WriteError?) {
    var initialState = OneShotState(start)
    initialState.isProgressShown = progress != nil
    initialState.reportedRequest = isVerbose ? 0 : nil
    let system = system(from: initialState, feedbacks())
    system.start()
    _ = await system.outcome(by: dependencies.clock) {
      await system.wait(while: { !$0.isFinished || !$0.isSilent })
    }
    if isWorthFinishing(system.state) {
      await finishDocument(of: system)
      // Before the user is advised that the run can be resumed.
      if let problem = plan.conclude(system.state) {
        _ = await system.send(.recordFailed(problem), while: { $0.recordProblem == nil })
      }
    }
    system.stop()
    plan.close()
    let recordingFailure = await dependencies.recorder?.finish()
    await Run.close(parents + [run]) { await dependencies.finishTokenExchanges(message) }
    return (system.state, recordingFailure)
  }

  /// The final state of a replayed run. What was written and how the run ended come from the recording.
  private func state(after replay: Replay) -> OneShotState {
    let system = system(from: OneShotState(start), sessionFeedbacks())
    system.start()
    while let line = replay.playNext() {
      if let event = line.searchEvent { system.send(event) }
    }
    replay.workers.waitUntilIdle()
    defer { system.stop() }
    return system.state
  }

  private func system(
    from initialState: OneShotState, _ feedbacks: [Feedback<OneShotState, OneShotEvent>]
  ) -> FeedbackSystem<OneShotState, OneShotEvent> {
    FeedbackSystem(
      initialState: initialState, reduce: { $0.reduce($1) }, feedbacks: feedbacks,
      guard: .session(by: dependencies.clock), onTrip: { .ended(.tripped("\($0)")) },
      executor: dependencies.workers,
      recorder: dependencies.recorder.map { recorder in
        { reduced, _ in if let line = RecordedLine(reduced.event) { recorder.note(line) } }
      })
  }

  /// Sends a failure as an event like any other, so that a replay ends as the run did.
  private func finishDocument(of system: FeedbackSystem<OneShotState, OneShotEvent>) async {
    switch await system.outcome(by: dependencies.clock, of: { await plan.sink.finish() }) {
    case .success?:
      // The page that was being written when the run was interrupted.
      guard system.state.rounds == nil, let page = system.state.lists.unwritten,
        page.number < plan.sink.pageCount
      else { return }
      _ = await system.send(
        .session(.written(page.ordinal, generation: page.generation)),
        while: { $0.lists.unwritten?.number == page.number })
    case .failure(let ending)?: _ = await system.send(.ended(ending), while: { $0.ending == nil })
    case nil: return
    }
  }

  /// Nothing is finished for a reader that closed the pipe, or if the first page shows that a column or the filter is
  /// wrong. An existing file is kept if no rows arrived to replace it.
  private func isWorthFinishing(_ state: OneShotState) -> Bool {
    if state.ending == .outputClosed || plan.start.isDone { return false }
    if state.lists.writtenRowCount == 0, state.isWronglyUsed { return false }
    return !(plan.target.isFile && state.lists.writtenRowCount == 0 && !state.isDone)
  }

  /// Logs requests that have not been logged yet.
  private var reports: [Feedback<OneShotState, OneShotEvent>] {
    guard isVerbose else { return [] }
    return [
      .bind(name: "log", progress: { _, _ in true }) { [message] states, emit in
        var last = 0
        for await state in states {
          let new = state.lists.log.filter { [last] in $0.number > last }
          guard let latest = new.last?.number else { continue }
          // The log keeps only the latest requests, and a reader of stderr may have stalled for longer.
          let lost = (new.first?.number ?? latest) - last - 1
          await message.thread.outcome {
            if lost > 0 { message.note("\(Digits.counted(lost, "request")) not logged: stderr was not read") }
            for entry in new { message.note(entry.text) }
          }
          last = latest
          emit(.reported(last))
        }
      }
    ]
  }

  private var shown: [Feedback<OneShotState, OneShotEvent>] {
    guard let progress else { return [] }
    let (clock, now) = (dependencies.clock, dependencies.now)
    return [
      .bind(name: "progress", progress: { _, _ in true }) { states, emit in
        await progress.follow(states)
        emit(.progressErased)
      },
      .react(to: { $0.isFinished || $0.isResting ? nil : true }, name: "ticks", progress: { _, _ in true }) {
        (_: Bool, emit) in
        while (try? await clock.sleep(for: Dependencies.tick)) != nil { emit(.ticked(now())) }
      },
    ]
  }

  /// What the session requests from the network and the clock.
  private func sessionFeedbacks() -> [Feedback<OneShotState, OneShotEvent>] {
    let loaders = (parents + [run]).map { $0.loader() }
    let children = (parents + [run]).dropFirst().map(\.source.parent)
    let session = Feedback.session(total: run.loader(), dependencies) { request in
      let level = min(request.list?.level ?? 0, loaders.count - 1)
      return await loaders[level].page(for: request) { rows in
        level < children.count ? .parents(children[level]?.parents(in: rows) ?? []) : .document(rows)
      }
    }
    return session.map {
      $0.pullback(
        state: { SessionWork(pages: $0.pageRequests, total: $0.totalQuery, alarm: $0.alarm) },
        event: OneShotEvent.session)
    } + [.timer("watch", at: \.roundDeadline, dependencies) { .watchElapsed($0) }]
  }

  private func feedbacks() -> [Feedback<OneShotState, OneShotEvent>] {
    let descriptor = plan.target.descriptor
    return shown + reports + sessionFeedbacks() + [
      .announcement(message),
      .rounds(message, isTerminal: dependencies.errors.isTerminal, zone: dependencies.zone),
      .write(to: plan.sink, parentName: run.source.parent?.name),
      .bind(name: "output", progress: { _, _ in true }) { _, emit in
        for await _ in PipeMonitor.closing(of: descriptor.number) { emit(.ended(.outputClosed)) }
      },
      .bind(name: "signals", progress: { _, _ in true }) { [signals = dependencies.endingSignals] _, emit in
        await Signals.each(of: signals) { signal in
          emit(.ended(.interrupted(signal: signal)))
          return false
        }
      },
    ]
  }
}

extension Feedback where State == OneShotState, Event == OneShotEvent {
  /// Writes pages in order, one at a time.
  fileprivate static func write(to sink: OutputSink, parentName: String?) -> Self {
    .react(to: { $0.writeRequest }, name: "write", progress: { _, _ in true }) { (request, emit) in
      let block = request.page.block
      let end = OneShotEvent.session(.written(request.page.ordinal, generation: request.page.generation))
      // The rows of a page that the service has confirmed are written.
      guard case .document(let rows)? = block.content else { return emit(end) }
      let kept = DocumentRows(response: rows.response, nodes: block.kept.map { rows.nodes[Int($0)] })
      let page = OutputRows(
        kept, arrivedAt: block.arrivedAt, pageNumber: block.position.ordinal + 1,
        parent: parentName.flatMap { request.page.query.options[$0] })
      switch await sink.write(page, of: block, request.page.query) {
      case .success(let written):
        if let written { emit(.wrote(new: written.new, changed: written.changed)) }
        emit(end)
      case .failure(let ending): emit(.ended(ending))
      }
    }
  }

  /// Reports once that the service returns only a part of the list, and how all of it can be read.
  fileprivate static func announcement(_ message: Message) -> Self {
    .react(to: { $0.partsAnnouncement }, name: "parts", progress: { _, _ in true }) { text in
      await message.thread.outcome { message.note(text) }
      return nil
    }
  }

  /// Prints what each round after the first one has found, on a terminal, and why it failed, anywhere.
  fileprivate static func rounds(_ message: Message, isTerminal: Bool, zone: LocalZone) -> Self {
    .react(to: { $0.roundReport }, name: "rounds", progress: { _, _ in true }) { report in
      await message.thread.outcome {
        if let failure = report.failure {
          message.failure(failure)
        } else if isTerminal, let text = report.text(in: zone) {
          message.note(text)
        }
      }
      return nil
    }
  }
}

extension FeedbackSystem where State == OneShotState, Event == OneShotEvent {
  /// The result of `work`; nil if it does not finish in time after an interruption. Without an interruption
  /// there is no time limit.
  func outcome<Value: Sendable>(
    by clock: any Clock<Duration>, of work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let (outcomes, continuation) = AsyncStream<Value>.makeStream()
    Task(executorPreference: Workers.shared) {
      continuation.yield(await work())
      continuation.finish()
    }
    let gracePeriodTask = Task(executorPreference: Workers.shared) {
      guard await self.wait(while: { $0.interruption == nil }) == .settled else { return }
      try? await clock.sleep(for: OneShot.gracePeriod)
      continuation.finish()
    }
    defer { gracePeriodTask.cancel() }
    for await outcome in outcomes { return outcome }
    return nil
  }
}
