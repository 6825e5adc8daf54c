import Glibc
import JSON
import Search
import Text

/// How a run ended: its exit status and messages.
struct RunReport: Sendable, Hashable {
  var status: ExitStatus
  var notes: [String] = []
  /// Why rows may be missing although nothing failed; not silenced by `--quiet`.
  var warnings: [String] = []
  /// What failed, and what to do next.
  var failure: String?
  /// How to continue a stopped run.
  var advice: String?
}

extension OneShotState {
  /// The report of a finished run. A closed pipe is not a failure.
  var report: RunReport {
    var report = ended
    if report.status == .done, ending == nil, isEmpty {
      if report.warnings.isEmpty, !start.awaitsTotal, rounds == nil {
        let text = nothingNew ?? withoutMatches ?? "no results"
        if isCutByFilter {
          report.warnings.append(text)
        } else if emptyStart == nil {
          report.notes.append(text)
        }
      }
      if start.failsEmpty { report.status = .failed }
    }
    // A mistyped path is the likely reason.
    let misnamed = withoutMatches == nil ? [] : report.notes.filter { $0.hasPrefix(RowFilter.pathNote) }
    report.notes.removeAll(where: misnamed.contains)
    report.warnings += misnamed
    if report.status == .done, !report.warnings.isEmpty, start.failsIncomplete { report.status = .partial }
    let isStopped = report.status == .partial && (session.phase.load != nil || ending != nil)
    if isStopped || report.status == .output && inFile > 0 && start.continuation == .resume {
      let missing = session.unwritten?.block.position.ordinal ?? session.currentOrdinal ?? session.pageCount
      report.advice =
        if isRejected {
          nil
        } else if let recordProblem, start.continuation == .resume {
          "\(recordProblem). This run cannot be resumed"
        } else if hasExpired {
          "run the same command\(start.isResuming ? " without --resume" : "") to start over"
            + (start.continuation == .resume ? ", which replaces the rows in the file" : "")
        } else {
          start.continuation.text(page: missing + 1, once: condition)
        }
    } else if let recordProblem {
      report.notes.append(recordProblem)
    }
    return report
  }

  /// Whether the service rejects the next page, so that no later run can load it.
  private var isRejected: Bool {
    guard ending == nil, case .failed(_, let error) = session.phase else { return false }
    return error.isRejected
  }

  /// What must be so before the run can be continued; nil if it can be at once.
  private var condition: String? {
    guard ending == nil, case .failed(_, let error) = session.phase else { return nil }
    if let time = refusalEnd { return "after \(time)," }
    guard error.kind == .unauthorized else { return nil }
    return error.needsCredential ? "add a credential, then" : "fix the credential, then"
  }

  private var ended: RunReport {
    switch ending {
    case .outputClosed: RunReport(status: .done)
    case .outputFailed(let reason):
      RunReport(
        status: .output, failure: Sentences.joined(["cannot write \(reason)", writtenBefore]))
    case .columnRefused(let problem): RunReport(status: .usage, failure: problem)
    case .tripped(let report): RunReport(status: rowStatus, notes: notes, failure: report)
    case .interrupted: RunReport(status: rowStatus)
    case nil: sessionReport
    }
  }

  /// Whether the service no longer accepts the position to continue from (rule 18).
  private var hasExpired: Bool {
    if case .failed(_, let error) = session.phase { error.canRepeat == .afterRestart } else { false }
  }

  /// Whether the command line does not suit the rows of the first page: a column or the filter is wrong.
  var isWronglyUsed: Bool { ended.status == .usage }

  /// Whether everything requested has been done.
  var isDone: Bool { ended.status == .done }

  /// Whether there are no rows: the service counts none, or the output has none.
  private var isEmpty: Bool { start.awaitsTotal ? session.total?.count == 0 : inFile == 0 }

  private var inFile: Int { start.rowsBefore + writtenRows }

  /// The rows already in the output when the run failed.
  private var writtenBefore: String {
    if start.isSorted { return "not all sorted rows were written" }
    return inFile == 0 ? "no complete row was written" : "\(Digits.counted(inFile, "complete row")) written"
  }

  private var rowStatus: ExitStatus { inFile > 0 ? .partial : .failed }

  private var sessionReport: RunReport {
    if case .unconfirmed(let reason)? = start.endBefore { return doubtReport([reason]) }
    return start.each == nil ? listReport : walkReport
  }

  /// The report of a run of several lists.
  private var walkReport: RunReport {
    let before = lists.leftOutBefore
    let notes =
      self.notes + before.parents.map { "\($0) was incomplete in an earlier run" }
      + lists.failures.map { "\($0.parents) is incomplete: \($0.error.message)" }
    if let error = lists.failure {
      let page = session.currentOrdinal.map { $0 + 1 }
      return RunReport(
        status: status(of: error), notes: notes,
        failure: text(of: error, onPage: page, of: lists.currentParents))
    }
    guard lists.failureCount == 0 else {
      let all = Digits.counted(lists.failureCount + lists.doneCount, "list")
      let verb = lists.failureCount == 1 ? "is" : "are"
      return RunReport(
        status: rowStatus, notes: notes,
        failure: "\(Digits.grouped(lists.failureCount)) of \(all) \(verb) incomplete")
    }
    guard before.count == 0 else {
      return RunReport(
        status: rowStatus, notes: notes,
        failure:
          "\(Digits.counted(before.count, "list")) \(before.count == 1 ? "was" : "were") incomplete in earlier runs. Omit --resume to load all again"
      )
    }
    let isPartial = lists.incompleteLists.contains(where: \.isPartial)
    return doubtReport(lists.incompleteLists.map(\.text), status: isPartial ? rowStatus : .done)
  }

  private func doubtReport(_ reasons: [String], status: ExitStatus = .done) -> RunReport {
    RunReport(status: status, notes: notes, warnings: reasons.map { "rows may be missing: \($0)" })
  }

  private var listReport: RunReport {
    if case .failed(_, let error) = session.phase {
      return RunReport(
        status: status(of: error), notes: notes,
        failure: text(of: error, onPage: session.currentOrdinal.map { $0 + 1 }))
    }
    if let missingTotal { return missingTotal }
    if let emptyStart { return RunReport(status: .done, notes: [emptyStart] + notes) }
    // The last page may come again, but then the rows of the limit are missing.
    if case .end(.repeats) = session.phase, rowsMissing > 0 {
      return shortRun("the service is repeating pages")
    }
    switch session.completeness {
    case .unconfirmed(let reason)?: return doubtReport([reason])
    case .partial(let reason)? where session.isWantingMore && !isUserLimit: return shortRun(reason)
    case .complete?, .partial?, nil:
      var report = doubtReport(session.completeness == .complete ? [] : session.doubts)
      report.notes = [restNote].compactMap(\.self) + notes
      if isCutByFilter, let note = restNote {
        report.notes.removeFirst()
        report.warnings.insert(note, at: 0)
      }
      return report
    }
  }

  /// Whether a limit that only a filter has, and that the user did not ask for, ended the run.
  private var isCutByFilter: Bool {
    guard start.limitsPages, session.isWantingMore, case .end(.maxPages) = session.phase else { return false }
    return true
  }

  /// Whether the run ended where the user said.
  private var isUserLimit: Bool {
    guard case .end(let reason) = session.phase else { return true }
    return switch reason {
    case .limit, .maxPages, .maxRows: true
    case .last, .emptyPage, .total, .cap, .status, .repeats, .returned, .emptyPages, .range, .refusedNext:
      false
    }
  }

  /// The report of a run for the total that did not get one.
  private var missingTotal: RunReport? {
    guard start.awaitsTotal, session.total == nil else { return nil }
    if let error = session.totalFailure {
      return RunReport(status: status(of: error), notes: notes, failure: text(of: error))
    }
    return RunReport(
      status: .failed, notes: notes,
      failure: "the source does not report a total. Use --count --all to load and count the rows")
  }

  private var rowsMissing: Int {
    if case .rows(let wanted) = session.unmetDemand { wanted - session.freshCount } else { 0 }
  }

  /// The report of a list that ended before all rows had arrived.
  private func shortRun(_ why: String) -> RunReport {
    let rows =
      rowsMissing > 0
      ? "\(Digits.grouped(inFile)) of \(Digits.counted(inFile + rowsMissing, "row"))"
      : Digits.counted(inFile, "row")
    let remedy =
      session.phase == .end(.cap) && start.canSplit && session.parts == nil
      ? "To read all rows in parts, add --split" : nil
    return RunReport(
      status: rowStatus, notes: notes,
      failure: Sentences.joined(["stopped after \(rows): \(why)", remedy]))
  }

  /// What the service reported in addition to its rows, and which of it was left out.
  private var notes: [String] {
    let dropped = lists.duplicates
    return lists.notes + (dropped == 0 ? [] : ["\(Digits.counted(dropped, "duplicate row")) dropped"])
  }

  private func status(of error: PageError) -> ExitStatus {
    inFile == 0 ? error.kind.exitStatus : .partial
  }

  /// - Parameters:
  ///   - page: Its number; nil for what is not about a page.
  ///   - parents: Those of its list; empty if there are none.
  private func text(of error: PageError, onPage page: Int? = nil, of parents: String = "") -> String {
    let wasSent = error.kind != .invalidRequest && (error.kind != .unauthorized || error.status != nil)
    let place = page.flatMap { wasSent ? "page \($0) failed: " : nil } ?? ""
    let subject = (parents.isEmpty ? "" : "\(parents): ") + place
    let isInAdvice = inFile > 0 && start.continuation.repeatsCommand
    let wait = isInAdvice ? nil : refusalEnd.map { "retry after \($0)" }
    let text = Sentences.joined([subject + error.message, error.advice, wait])
    return inFile > 0 ? "stopped after \(Digits.counted(inFile, "row")): \(text)" : text
  }

  /// The time the wait ends, to the minute; with the date if that is a day away or more.
  private var refusalEnd: String? {
    guard let end = session.refusedUntil.flatMap({ Timestamp(epoch: ($0 / 60).rounded(.up) * 60) }) else {
      return nil
    }
    let date = end.epoch - start.now < 86_400 ? "" : "\(end.date(in: start.zone)) "
    return "\(date)\(end.clock(in: start.zone))"
  }

  private func maxPagesRemedy(_ pages: Int) -> String {
    "to load more, use --max-pages with a number above \(pages)"
  }

  /// What a run left that asked for less than the whole list.
  private var restNote: String? {
    if withoutMatches != nil { return nil }
    switch session.phase {
    case .end(.maxPages(let count)) where session.isWantingMore:
      let pages = "stopped after \(Digits.counted(start.pagesBefore + count, "page"))"
      let matches = start.isFiltered ? ", with \(matches) in \(filteredRows(hasMore: true))" : ""
      return Sentences.joined([pages + matches, maxPagesRemedy(start.pagesBefore + count)])
    case .end(.refusedNext(let why)): return why
    case .end(.repeats): return "the service is repeating pages"
    case .idle where start.isOnePage && !start.awaitsTotal:
      let remedy = "Use --all for all, or --limit N"
      switch session.hasMoreRows {
      case let hasMore where start.isFiltered && hasMore != false:
        return "\(matches) in \(filteredRows(hasMore: true)). To filter all rows, use --all"
      case true?:
        guard let total = session.total else {
          return "\(Digits.counted(inFile, "row")), and there are more. \(remedy)"
        }
        return "\(Digits.grouped(inFile)) of \(total.text) rows. \(remedy)"
      case nil: return "\(Digits.counted(inFile, "row")); there may be more. \(remedy)"
      case false?: return nil
      }
    case .end, .idle, .loading, .waiting, .failed, .stopped: return nil
    }
  }

  /// What a run for new rows says if it has none: `nothing new since 2026-11-21 14:02`.
  private var nothingNew: String? {
    guard let text = start.nothingNew, incompleteness != nil else { return start.nothingNew }
    return "\(text) in the first \(Digits.counted(session.receivedCount, "row"))"
  }

  /// What a filter that no row matches has looked at; nil if rows match, or there are none.
  private var withoutMatches: String? {
    guard start.isFiltered, inFile == 0, start.each == nil, session.receivedCount > 0 else { return nil }
    let isCut = if case .end(.maxPages) = session.phase { true } else { false }
    let hasMore = isCut || session.hasMoreRows ?? true
    let remedy: String? =
      switch session.phase {
      case .end(.maxPages(let count)): maxPagesRemedy(start.pagesBefore + count)
      case .idle where start.isOnePage: "to filter all rows, use --all"
      case .end, .idle, .loading, .waiting, .failed, .stopped: nil
      }
    return Sentences.joined(["no matches in \(filteredRows(hasMore: hasMore))", hasMore ? remedy : nil])
  }

  private var matches: String { "\(Digits.grouped(inFile)) \(inFile == 1 ? "match" : "matches")" }

  /// The rows that the filter has looked at: `the first 30 of 644 rows`.
  private func filteredRows(hasMore: Bool) -> String {
    let seen = Digits.counted(session.receivedCount, "row")
    guard hasMore else { return seen }
    let start = session.rules.resumePoint == nil ? "the first " : ""
    return session.total.map {
      "\(start)\(Digits.grouped(session.receivedCount)) of \($0.text) rows"
    } ?? "\(start)\(seen)"
  }

  /// A note that the list has no page where the run began (`--from-page`).
  private var emptyStart: String? {
    guard inFile == 0, session.receivedCount == 0, let point = session.rules.resumePoint,
      case let first = point.next.ordinal, first > 0,
      (session.total?.count).map({ $0 <= point.received }) ?? true
    else { return nil }
    return "the list ends before page \(Digits.grouped(first + 1))"
  }

}

extension ReportOptions {
  /// Prints the report at the end of a run.
  ///
  /// - Parameter cap: The maximum number of rows the service returns; nil if it has no cap.
  func conclude(
    _ state: OneShotState, cap: Int?, _ dependencies: Dependencies, _ message: Message
  ) throws(CommandError) -> RunEnd {
    let report = state.report
    for note in report.notes { message.note(note) }
    for warning in report.warnings { message.warning(warning) }
    for problem in [report.failure, report.advice].compactMap(\.self) { message.failure(problem) }
    let seconds = max(0, dependencies.now() - state.start.now)
    try writeStatistics(state.statistics(cap: cap, seconds: seconds), dependencies)
    if let signal = state.interruption { return .signal(signal) }
    if count, state.isDone { try printCount(of: state, dependencies, message) }
    return .status(report.status)
  }

  /// Prints the number of rows read, if all were; else the service's total.
  private func printCount(
    of state: OneShotState, _ dependencies: Dependencies, _ message: Message
  ) throws(CommandError) {
    guard state.start.awaitsTotal, let total = state.session.total else {
      try dependencies.print("\(state.writtenRows)\n")
      return
    }
    switch total {
    case .exact: break
    case .atLeast: message.note("the total is a lower bound")
    case .estimate: message.note("the total is an estimate by the service")
    }
    try dependencies.print("\(total.count)\n")
  }

  /// Writes the output of `--stats`: one JSON object.
  private func writeStatistics(
    _ facts: [(name: String, value: JSONToken?)], _ dependencies: Dependencies
  ) throws(CommandError) {
    guard let target = stats else { return }
    let text = "{\(facts.map { "\"\($0.name)\": \($0.value?.json ?? "null")" }.joined(separator: ", "))}\n"
    do throws(Errno) {
      if target == "-" { return try dependencies.errors.write(Array(text.utf8)) }
      let file = try Descriptor(opening: target, O_WRONLY | O_CREAT | O_TRUNC)
      defer { file.close() }
      try file.write(Array(text.utf8))
    } catch { throw CommandError("--stats: \(error.message(writing: target))", .output) }
  }
}

extension OneShotState {
  /// The facts of `--stats`, with stable names. A fact that is unknown is null.
  ///
  /// - Parameters:
  ///   - cap: The maximum number of rows the service returns; nil if it has no cap.
  ///   - seconds: The duration of the run.
  func statistics(cap: Int?, seconds: Double? = nil) -> [(name: String, value: JSONToken?)] {
    let completeness: Completeness? =
      if ending != nil { .partial(reason: endedBy) } else if start.awaitsTotal { nil } else {
        start.endBefore ?? lists.completeness
      }
    let kind =
      switch session.total {
      case nil: JSONToken?.none
      case .exact?: JSONToken("exact")
      case .atLeast?: JSONToken("at-least")
      case .estimate?: JSONToken("estimate")
      }
    return [
      ("rows", JSONToken(writtenRows)), ("pages", JSONToken(lists.pageCount)),
      ("requests", JSONToken(requests)), ("retries", JSONToken(retries)),
      ("bytes", JSONToken(bytes)),
      ("seconds", seconds.map { JSONToken(literal: String(($0 * 1_000).rounded() / 1_000)) }),
      ("total", session.total.map { JSONToken($0.count) }), ("total_kind", kind),
      ("duplicates", JSONToken(lists.duplicates)), ("ended_by", JSONToken(endedBy)),
      ("cap", cap.map { JSONToken($0) }), ("complete", completeness?.isComplete.map { JSONToken($0) }),
      ("reason", completeness?.reason.map { JSONToken($0) }),
      ("status", JSONToken(Int(report.status.rawValue))),
    ]
      + (session.parts.map { [("parts", JSONToken($0.doneCount))] } ?? [])
      + (start.each == nil
        ? [] : [("lists", JSONToken(lists.doneCount)), ("lists_failed", JSONToken(lists.failureCount))])
  }

  /// Why the run ended, as a keyword for scripts.
  private var endedBy: String {
    switch ending {
    case .outputClosed: "closed-output"
    case .outputFailed: "output"
    case .columnRefused: "column"
    case .interrupted: "signal"
    case .tripped: "loop-guard"
    case nil: sessionEnd
    }
  }

  private var sessionEnd: String {
    if start.each != nil, let failure = lists.failure { return failure.kind.rawValue }
    return switch session.phase {
    case .end(let reason): reason.name
    case .failed(_, let error): error.kind.rawValue
    case .idle, .loading, .waiting, .stopped: "page"
    }
  }
}

extension PageError.Kind {
  /// The exit status of a run that ended with such an error before the first row.
  var exitStatus: ExitStatus {
    switch self {
    case .unauthorized: .unauthorized
    case .rateLimited: .rateLimited
    case .invalidRequest: .usage
    case .offline, .connection, .rejected, .server, .unreadable: .failed
    }
  }
}
