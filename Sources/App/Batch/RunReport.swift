import Glibc
import JSON
import Search
import Text

/// How a run ended: its exit status and messages.
struct RunReport: Sendable, Hashable {
  var status: ExitStatus
  /// Notes for stderr that are not failures.
  var notes: [String]
  /// What failed, and what to do next.
  let failure: String?
  /// How to continue a stopped run.
  var advice: String?
}

extension OneShotState {
  /// The report of a finished run. A closed pipe is not a failure.
  var report: RunReport {
    var report = ended
    if report.status == .done, ending == nil, failsEmpty, isEmpty { report.status = .failed }
    let isStopped = report.status == .partial && (session.phase.load != nil || ending != nil)
    if isStopped || report.status == .output && inFile > 0 && continuation == .resume {
      let missing = session.unwritten?.block.position.ordinal ?? session.currentOrdinal ?? session.pageCount
      report.advice =
        if let recordProblem, continuation == .resume {
          "\(recordProblem). This run cannot be resumed"
        } else if hasExpired {
          "run the same command\(continuation == .resume ? " without --resume" : "") to start over"
        } else {
          continuation.text(page: missing + 1)
        }
    } else if let recordProblem {
      report.notes.append(recordProblem)
    }
    return report
  }

  private var ended: RunReport {
    switch ending {
    case .outputClosed: RunReport(status: .done, notes: [], failure: nil)
    case .outputFailed(let reason):
      RunReport(
        status: .output, notes: [],
        failure: Sentences.joined(["cannot write output: \(reason)", writtenBefore]))
    case .columnRefused(let problem): RunReport(status: .usage, notes: [], failure: problem)
    case .tripped(let report): RunReport(status: rowStatus, notes: notes, failure: report)
    case .interrupted: RunReport(status: rowStatus, notes: [], failure: nil)
    case nil: sessionReport
    }
  }

  /// Whether the service no longer accepts the position to continue from (rule 18).
  private var hasExpired: Bool {
    if case .failed(_, let error) = session.phase { error.canRepeat == .afterRestart } else { false }
  }

  /// Whether everything requested has been done.
  var isComplete: Bool { ended.status == .done }

  /// Whether there are no rows: the service counts none, or the output has none.
  private var isEmpty: Bool { awaitsTotal ? session.total?.count == 0 : inFile == 0 }

  private var written: Int { writtenRows }
  private var inFile: Int { rowsBefore + written }

  /// The rows already in the output when the run failed.
  private var writtenBefore: String {
    isSorted ? "not all sorted rows were written" : "\(Digits.counted(inFile, "complete row")) written"
  }

  private var rowStatus: ExitStatus { inFile > 0 ? .partial : .failed }

  private var sessionReport: RunReport {
    switch session.phase {
    case .failed(_, let error):
      RunReport(
        status: status(of: error), notes: notes,
        failure: text(of: error, onPage: session.currentOrdinal.map { $0 + 1 }))
    case .end(.refusedNext(let why)) where session.isWantingMore:
      RunReport(
        status: rowStatus, notes: notes, failure: "stopped after \(Digits.counted(inFile, "row")): \(why)")
    case .end(.repeats) where rowsMissing > 0: shortRun("the service is repeating pages")
    case .end(.emptyPages(let count)) where rowsMissing > 0: shortRun("\(count) pages in a row had no rows")
    case .end, .idle, .loading, .waiting, .stopped:
      missingTotal
        ?? RunReport(
          status: .done, notes: [endNote].compactMap(\.self) + notes, failure: nil)
    }
  }

  /// The report of a run for the total that did not get one.
  private var missingTotal: RunReport? {
    guard awaitsTotal, session.total == nil else { return nil }
    if let error = session.totalFailure {
      return RunReport(status: status(of: error), notes: notes, failure: text(of: error))
    }
    return RunReport(
      status: .failed, notes: notes,
      failure: "this source does not report a total. Use --count --all to load and count the rows")
  }

  private var endNote: String? { if case .end(let reason) = session.phase { note(on: reason) } else { nil } }

  /// The number of rows missing from `--limit`.
  private var rowsMissing: Int {
    if case .rows(let wanted) = session.unmetDemand { wanted - session.freshCount } else { 0 }
  }

  /// The report of a list that ended although it announced more.
  private func shortRun(_ why: String) -> RunReport {
    let rows = Digits.counted(inFile + rowsMissing, "row")
    return RunReport(
      status: rowStatus, notes: notes, failure: "stopped after \(Digits.grouped(inFile)) of \(rows): \(why)")
  }

  /// What the service reported in addition to its rows, and which of it was left out.
  private var notes: [String] {
    let dropped = session.duplicates
    return session.notes + (dropped == 0 ? [] : ["\(Digits.counted(dropped, "duplicate row")) dropped"])
  }

  private func status(of error: PageError) -> ExitStatus {
    guard inFile == 0 else { return .partial }
    return switch error.kind {
    case .unauthorized: .unauthorized
    case .rateLimited: .rateLimited
    case .invalidRequest: .usage
    case .offline, .connection, .rejected, .server, .unreadable: .failed
    }
  }

  /// - Parameter page: its number; nil for what is not about a page.
  private func text(of error: PageError, onPage page: Int? = nil) -> String {
    let wasSent = error.kind != .invalidRequest && (error.kind != .unauthorized || error.status != nil)
    let subject = page.flatMap { wasSent ? "page \($0) failed: " : nil } ?? ""
    let text = Sentences.joined([subject + error.message, error.remedy, endOfWait])
    return inFile > 0 ? "stopped after \(Digits.counted(inFile, "row")): \(text)" : text
  }

  /// The time the wait ends, to the minute; with the date if that is a day away or more.
  private var endOfWait: String? {
    guard let end = session.refusedUntil.flatMap({ Timestamp(epoch: ($0 / 60).rounded(.up) * 60) }) else {
      return nil
    }
    let date = end.epoch - startedAt < 86_400 ? "" : "\(end.date(in: zone)) "
    return "the wait ends at \(date)\(end.clock(in: zone))"
  }

  /// Explains an early end of the list, if the user should know the reason.
  private func note(on reason: EndReason) -> String? {
    switch reason {
    case .cap:
      "the service returns at most \(Digits.counted(session.writtenRowCount, "row"))"
        + (session.total.map { " of \(Digits.grouped($0.count))" } ?? "")
    case .repeats:
      "ended after \(Digits.counted(session.writtenRowCount, "row")): the service is repeating pages"
    case .emptyPages(let count): "ended after \(Digits.counted(count, "empty page")) in a row"
    case .maxPages(let count) where session.isWantingMore:
      "stopped after \(Digits.counted(pagesBefore + count, "page")) (--max-pages)"
    case .last, .emptyPage, .status: shortfall
    case .total, .limit, .maxPages, .maxRows, .refusedNext: nil
    }
  }

  /// A note that fewer rows arrived than the total: totals may be inexact (rule 12), and a list may break off.
  private var shortfall: String? {
    guard session.isWantingMore, case .exact(let count)? = session.total, count > session.receivedCount else {
      return nil
    }
    let received = session.receivedCount
    return "the service reports \(Digits.counted(count, "row")) but returned "
      + (received == 0 ? "none" : "\(Digits.grouped(received))")
  }
}

/// Prints the report at the end of a run.
struct RunSummary {
  let options: ReportOptions
  /// The maximum number of rows the service returns; nil if it has no cap.
  let cap: Int?
  let message: Message

  func conclude(_ state: OneShotState) throws(CommandError) -> RunEnd {
    let report = state.report
    for note in report.notes { message.note(note) }
    if let failure = report.failure { message.failure(failure) }
    if let advice = report.advice { message.failure(advice) }
    try writeStatistics(of: state)
    if let signal = state.interruption { return .signal(signal) }
    if options.count, state.isComplete { try printCount(of: state) }
    return .status(report.status)
  }

  /// Prints the number of rows read, if all were; else the service's total.
  private func printCount(of state: OneShotState) throws(CommandError) {
    guard state.awaitsTotal, let total = state.session.total else {
      return try Descriptor.print("\(state.writtenRows)\n")
    }
    switch total {
    case .exact: break
    case .atLeast: message.note("the total is a lower bound")
    case .estimate: message.note("the total is an estimate by the service")
    }
    try Descriptor.print("\(total.count)\n")
  }

  private func writeStatistics(of state: OneShotState) throws(CommandError) {
    guard let target = options.stats else { return }
    let text = RunStatistics(state: state, cap: cap).json
    let descriptor =
      target == "-" ? STDERR_FILENO : open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandError("cannot write \(target) (--stats): \(String(cString: strerror(errno)))", .output)
    }
    defer { if descriptor != STDERR_FILENO { close(descriptor) } }
    if let code = Descriptor(descriptor).write(Array(text.utf8)) {
      throw CommandError("cannot write \(target) (--stats): \(String(cString: strerror(code)))", .output)
    }
  }
}

/// The output of `--stats`: one JSON object with stable member names.
struct RunStatistics: Sendable {
  let state: OneShotState
  /// The maximum number of rows the service returns; nil if it has no cap.
  let cap: Int?

  var json: String {
    let session = state.session
    let members: [(name: String, value: String)] = [
      ("rows", String(state.writtenRows)), ("pages", String(session.pageCount)),
      ("requests", String(state.requests)), ("retries", String(state.retries)),
      ("total", session.total.map { String($0.count) } ?? "null"),
      ("total_kind", session.total.map { JSONText.quoted(Self.kind($0)) } ?? "null"),
      ("duplicates", String(session.duplicates)), ("ended_by", JSONText.quoted(endedBy)),
      ("cap", cap.map(String.init) ?? "null"), ("status", String(state.report.status.rawValue)),
    ]
    return "{\(members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", "))}\n"
  }

  private static func kind(_ total: Total) -> String {
    switch total {
    case .exact: "exact"
    case .atLeast: "at-least"
    case .estimate: "estimate"
    }
  }

  /// Why the run ended, as a keyword for scripts.
  private var endedBy: String {
    switch state.ending {
    case .outputClosed: "closed-output"
    case .outputFailed: "output"
    case .columnRefused: "column"
    case .interrupted: "signal"
    case .tripped: "loop-guard"
    case nil: sessionEnd
    }
  }

  private var sessionEnd: String {
    switch state.session.phase {
    case .end(let reason): reason.name
    case .failed(_, let error): error.kind.rawValue
    case .idle, .loading, .waiting, .stopped: "page"
    }
  }
}
