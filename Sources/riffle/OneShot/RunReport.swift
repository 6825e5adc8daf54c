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

  /// A note that fewer rows arrived than the total: totals may be inexact (rule 9), and a list may break off.
  private var shortfall: String? {
    guard session.isWantingMore, case .exact(let count)? = session.total, count > session.receivedCount else {
      return nil
    }
    let received = session.receivedCount
    return "the service reports \(Digits.counted(count, "row")) but returned "
      + (received == 0 ? "none" : "\(Digits.grouped(received))")
  }
}
