import FeedbackLoop
import Glibc
import Output
import Search
import Text

/// A scripted query: writes rows to a descriptor page by page, and keeps no page once it is written.
struct OneShot: Sendable {
  let run: Run
  let dependencies: Dependencies
  let plan: OutputPlan
  let start: SearchInitialState
  /// Called with a one-line summary of each request; nil disables the log.
  let reportRequest: (@Sendable (String) -> Void)?
  /// Nil shows no progress.
  let progress: ProgressDisplay?
  /// Nil if the run is not recorded.
  let recording: RecordingFile?

  static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Runs until the end, the limit, a failure or a signal, then finishes the document.
  ///
  /// - Returns: The final state, and why the recording ended early, if it did.
  func outcome() async -> (state: OneShotState, recordingFailure: CreatedFile.Failure?) {
    let recorder = recording.map { file in
      Recorder<OneShotEvent>(
        to: file, RecordingHeader(source: run.source.id, initialState: .search(start)),
        redacting: run.redacted)
    }
    let state = await finalState(recorder)
    return (state, await recorder?.finish())
  }

  private func finalState(_ recorder: Recorder<OneShotEvent>?) async -> OneShotState {
    // A replay needs neither a progress line nor a log.
    var initialState = OneShotState(start)
    initialState.isProgressShown = progress != nil
    initialState.reportedRequest = reportRequest == nil ? nil : 0
    let system = FeedbackSystem(
      initialState: initialState, reduce: { $0.reduce($1) }, feedbacks: feedbacks(),
      onTrip: { .ended(.tripped("\($0)")) }, executor: Workers.shared, recorder: recorder?.hook())
    system.start()
    _ = await system.outcome(by: dependencies.clock) {
      await system.settled(while: { !$0.isFinished || !$0.isSilent })
    }
    if isWorthFinishing(system.state) {
      await finishDocument(of: system)
      // Before the user is advised that the run can be resumed.
      if let problem = plan.conclude(system.state) {
        _ = await system.send(.recordFailed(problem), while: { $0.recordProblem == nil })
      }
    }
    system.stop()
    run.close()
    return system.state
  }

  /// Sends a failure as an event like any other, so that a replay ends as the run did.
  private func finishDocument(of system: FeedbackSystem<OneShotState, OneShotEvent>) async {
    switch await system.outcome(by: dependencies.clock, of: { await plan.sink.finish() }) {
    case .success?:
      // The page that was being written when the run was interrupted.
      guard let page = system.state.session.unwritten?.ordinal, page < plan.sink.pageCount else { return }
      let generation = system.state.session.generation
      _ = await system.send(
        .session(.written(page, generation: generation)),
        while: { $0.session.unwritten?.ordinal == page })
    case .failure(let failure)?: _ = await system.send(.ended(failure.ending), while: { $0.ending == nil })
    case nil: return
    }
  }

  /// Nothing is finished for a reader that closed the pipe; and an existing file is kept if no rows arrived
  /// to replace it.
  private func isWorthFinishing(_ state: OneShotState) -> Bool {
    if state.ending == .outputClosed || plan.isComplete { return false }
    return !(plan.target.isFile && state.session.writtenRowCount == 0 && !state.isComplete)
  }

  /// Logs requests that have not been logged yet.
  private var reports: [Feedback<OneShotState, OneShotEvent>] {
    guard let reportRequest else { return [] }
    return [
      .bind(
        name: "log",
        { states, emit in
          var last = 0
          for await state in states {
            let new = state.session.log.filter { [last] in $0.number > last }
            guard let latest = new.last?.number else { continue }
            // The log keeps only the latest requests, and a reader of stderr may have stalled for longer.
            let lost = (new.first?.number ?? latest) - last - 1
            await WritingThread.messages.outcome {
              if lost > 0 {
                reportRequest("\(Digits.counted(lost, "request")) not logged: stderr was not read")
              }
              for entry in new { reportRequest(entry.text) }
            }
            last = latest
            emit(.reported(last))
          }
        })
    ]
  }

  private var shown: [Feedback<OneShotState, OneShotEvent>] {
    guard let progress else { return [] }
    let (clock, now) = (dependencies.clock, dependencies.now)
    return [
      .bind(
        name: "progress",
        { states, emit in
          await progress.follow(states)
          emit(.progressErased)
        }),
      .react(to: { $0.isFinished ? nil : true }, name: "ticks", progress: { _, _ in true }) {
        (_: Bool, emit) in
        while (try? await clock.sleep(for: Dependencies.tick)) != nil { emit(.ticked(now())) }
      },
    ]
  }

  private func feedbacks() -> [Feedback<OneShotState, OneShotEvent>] {
    let descriptor = plan.target.descriptor
    return shown + reports + [
      .pages(from: run.loader(), makeContent: { .document($0) }, moment: dependencies.moment),
      .total(from: run.loader(), moment: dependencies.moment),
      .alarm(by: dependencies.clock, now: dependencies.now),
      .write(to: plan.sink),
      .bind(
        name: "output",
        { _, emit in
          for await _ in PipeMonitor.closing(of: descriptor) { emit(.ended(.outputClosed)) }
        }),
      .bind(
        name: "signals",
        { _, emit in
          await Signals.each(of: Self.signals) { signal in
            emit(.ended(.interrupted(signal: signal)))
            return false
          }
        }),
    ]
  }
}

extension Feedback where State == OneShotState, Event == OneShotEvent {
  /// Writes pages in order, one at a time.
  fileprivate static func write(to sink: OutputSink) -> Self {
    .react(to: \.writeRequest, name: "write", progress: { _, _ in true }) { request in
      guard case .document(let rows)? = request.block.content else { return nil }
      let kept = DocumentRows(reply: rows.reply, nodes: request.block.kept.map { rows.nodes[Int($0)] })
      let page = OutputRows(
        kept, arrivedAt: request.block.arrivedAt, pageNumber: request.block.position.ordinal + 1)
      return switch await sink.write(page, of: request.block) {
      case .success: .session(.written(request.ordinal, generation: request.generation))
      case .failure(let failure): .ended(failure.ending)
      }
    }
  }
}

extension OutputSink.Failure {
  fileprivate var ending: OneShotState.Ending {
    switch self {
    case .closed: .outputClosed
    case .system(let reason): .outputFailed(reason)
    case .column(let problem): .columnRefused(problem)
    }
  }
}

/// How long an interrupted run waits for a reader that stalls.
enum ShutdownGracePeriod {
  static let limit = Duration.seconds(1)
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
      guard await self.settled(while: { $0.interruption == nil }) == .settled else { return }
      try? await clock.sleep(for: ShutdownGracePeriod.limit)
      continuation.finish()
    }
    defer { gracePeriodTask.cancel() }
    for await outcome in outcomes { return outcome }
    return nil
  }
}

/// Configures the C library's allocator for a run that loads many pages.
enum Allocator {
  private static let mostArenas: (option: CInt, value: CInt) = (-8, 1)
  private static let mapAbove: (option: CInt, value: CInt) = (-3, 4 << 20)
  private static let trimAbove: (option: CInt, value: CInt) = (-1, 8 << 20)

  /// Makes all threads allocate from one heap, and keeps freed memory for the next page instead of returning
  /// it to the system, which would have to clear it again.
  ///
  /// Call this before another thread starts. A C library without these options (mallopt(3)) is left
  /// unchanged.
  static func keepMemoryForNextPages() {
    // Swift's Glibc module does not export malloc.h.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
    for setting in [mostArenas, mapAbove, trimAbove] { _ = mallopt(setting.option, setting.value) }
  }
}
