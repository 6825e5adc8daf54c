import Config
import HTTPValues
import JSON
import Search
import Text

/// What a one-shot run is, known before anything is requested.
struct SearchInitialState: Sendable {
  var rules: Session.Rules
  var query: Query
  var demand: Demand
  /// The lists of a run under each row of a parent; nil for a single list.
  var each: ParentTraversal.Rules?
  /// The rows that earlier runs wrote to the same file, and the pages they read.
  var rowsBefore = 0
  var pagesBefore = 0
  /// How the list ended in an earlier run that wrote all of it; nothing is requested then.
  var endBefore: Completeness?
  /// Whether rows are sorted, and so written only once all are loaded.
  var isSorted = false
  /// The maximum number of sorted rows written; nil for all.
  var rowLimit: Int?
  /// Whether the user has given a filter.
  var isFiltered = false
  /// Whether the run has a limit of pages that the user did not give.
  var limitsPages = false
  /// Whether the purpose of the run is to get the total (`--count`).
  var awaitsTotal = false
  /// Whether the total is reported at the end, if the service provides it.
  var reportsTotal = false
  /// Whether the source can be read in parts (`--split`).
  var canSplit = false
  /// Whether a run without rows fails.
  var failsEmpty = false
  /// Whether a run fails if its rows may not be all.
  var failsIncomplete = false
  /// How a run that stops early can be continued.
  var continuation = ResumeHint.none
  /// Whether only rows that are new or changed since an earlier run are written.
  var isSinceLast = false
  /// The note of a run that writes no row; nil before the first complete run.
  var nothingNew: String?
  /// Whether the command has `--resume`.
  var isResuming = false
  /// The interval in seconds at which the rows are requested again; nil if they are not.
  var watchInterval: Double?
  var zone = LocalZone.utc
  /// The time in seconds since 1970.
  var now = 0.0

  /// Whether the user has not said how much to load.
  var isOnePage: Bool { demand == .pages(1) && rules.maxPages == nil }
}

/// The state of a one-shot run: the same session as the pager's, with a writer instead of a screen.
struct OneShotState: Sendable {
  var start: SearchInitialState
  var lists: ParentTraversal
  var ending: Ending?
  /// Why the run cannot be resumed.
  var recordProblem: String?
  /// The latest known time of the run's clock, in seconds since 1970.
  var clock: Double
  /// Whether a progress line may be on stderr that has to be erased before anything else is printed.
  var isProgressShown = false
  /// The number of the last logged request; nil if requests are not logged.
  var reportedRequest: Int?
  /// The number of completed requests for pages and totals, including failed ones and redirects.
  var requests = 0
  /// The size of their response bodies, as received.
  var bytes = 0
  var retries = 0
  /// Nil if the rows are requested once.
  var rounds: WatchLoop?
  /// Nil if every row is written.
  var fresh: FreshRows?

  init(_ start: SearchInitialState) {
    self.start = start
    clock = start.now
    rounds = start.watchInterval.map { WatchLoop(interval: $0) }
    fresh = start.isSinceLast ? FreshRows() : nil
    lists = ParentTraversal(
      rules: start.each
        ?? ParentTraversal.Rules(
          levels: [ParentTraversal.Level(rules: start.rules, query: start.query)], demand: start.demand))
  }

  /// The list that the run is waiting for.
  var session: Session { lists.current }

  /// Why the run ended before everything was written.
  enum Ending: Error, Hashable, Codable {
    /// The reader closed the pipe (EPIPE): nothing is printed, and no more pages are requested.
    case outputClosed
    /// What cannot be written, and why: `output: No space left on device`.
    case outputFailed(String)
    /// The first page shows that a requested column does not exist.
    case columnRefused(String)
    case interrupted(signal: Int32)
    /// The loop guard stopped a cycle without progress.
    case tripped(String)
  }

  /// The message if the service returns only the first rows of a list, once its total is known.
  var partsAnnouncement: String? {
    guard start.canSplit, start.each == nil, start.rules.resumePoint == nil,
      let plan = session.partsPlan, start.demand.exceeds(plan.reachable)
    else { return nil }
    let verb = start.rules.split == nil ? ". --split reads all:" : ": reading"
    return "\(plan.rowsText)\(verb) \(plan.costText)"
  }

  /// The signal that interrupted the run; nil if none did.
  var interruption: Int32? { if case .interrupted(let signal) = ending { signal } else { nil } }

  /// The number of rows known to be written. Sorted rows are written all at once.
  var writtenRows: Int {
    if let rounds { return rounds.rows }
    let count = fresh?.count ?? lists.writtenRowCount
    guard start.isSorted else { return count }
    return switch ending {
    case .outputClosed, .outputFailed, .columnRefused: 0
    case .interrupted, .tripped, nil: min(count, start.rowLimit ?? .max)
    }
  }

  /// The next page to write.
  struct WriteRequest: Sendable, Equatable {
    let page: UnwrittenPage

    static func == (a: WriteRequest, b: WriteRequest) -> Bool {
      a.page.number == b.page.number && a.page.generation == b.page.generation && a.page.list == b.page.list
    }
  }

  var writeRequest: WriteRequest? {
    ending == nil ? lists.unwritten.map(WriteRequest.init(page:)) : nil
  }

  var pageRequests: [PageRequest] { ending == nil ? lists.requests : [] }
  var alarm: Double? { ending == nil ? lists.alarm : nil }

  var totalQuery: TotalQuery? { ending == nil ? lists.totalQuery : nil }

  var isFinished: Bool {
    if ending != nil { return true }
    if let rounds, rounds.number > 1 || !isRoundLost { return false }
    let isTotalComing =
      (start.awaitsTotal || start.reportsTotal) && (session.totalQuery != nil || session.totalWait != nil)
    return lists.isSettled && lists.unwritten == nil && !isTotalComing
  }

  /// Whether nothing is left to do in the current round, if there are rounds, or in the run.
  var isRoundOver: Bool { lists.isSettled && lists.unwritten == nil }

  /// Whether the current round has ended because of a failure.
  private var isRoundLost: Bool { isRoundOver && lists.failure != nil }

  private mutating func count(_ event: SessionEvent) {
    switch event {
    case .loaded(let page, let request): count(page.exchange, attempt: request.attempt)
    case .failed(let error, let request, _): count(error.exchange, attempt: request.attempt)
    case .totalReceived(let response, let requested): count(response.exchange, attempt: requested.attempt)
    case .totalFailed(let error, let requested, _): count(error.exchange, attempt: requested.attempt)
    case .searched, .wanted, .refreshed, .stopped, .retried, .reached, .written: break
    }
  }

  private mutating func count(_ exchange: Exchange?, attempt: Int) {
    requests += exchange?.requests ?? 1
    bytes += exchange?.bytes ?? 0
    if attempt > 0 { retries += 1 }
  }

  mutating func reduce(_ event: OneShotEvent) {
    switch event {
    case .wrote(let new, let changed):
      rounds?.note(new: new, changed: changed)
      fresh?.new += new
      fresh?.changed += changed
    case .watchElapsed(let now): beginRound(at: now)
    case .progressErased: isProgressShown = false
    case .recordFailed(let problem): recordProblem = problem
    case .reported(let number): reportedRequest = number
    // Also handled after the end of the run, when a page that was still being written is completed.
    case .session(.written(let page, let generation)):
      lists.reduce(.written(page, generation: generation))
    case .session(let event) where ending == nil:
      count(event)
      lists.reduce(event)
    case .ended(let ending) where self.ending == nil: self.ending = ending
    case .ticked(let now) where ending == nil:
      clock = now
      lists.reduce(.reached(now))
    // The run has ended.
    case .session, .ended, .ticked: break
    }
    settleRound()
  }

  /// Whether no output is pending before the program can exit.
  var isSilent: Bool {
    !isProgressShown && reportedRequest.map { $0 >= lists.log.last?.number ?? 0 } ?? true
  }
}

/// What can happen to a one-shot run.
enum OneShotEvent: Sendable {
  case session(SessionEvent)
  case ended(OneShotState.Ending)
  /// The progress file could not be written, so the run cannot be resumed; the value is the reason.
  case recordFailed(String)
  case progressErased
  /// Requests up to this number were logged.
  case reported(Int)
  /// Time has passed; updates the progress display.
  case ticked(Double)
  /// Rows of a page were written, if not every row is: new ones, and changed ones again.
  case wrote(new: Int, changed: Int)
  /// The time of the run's clock, at or after `roundDeadline`.
  case watchElapsed(Double)
}

extension OneShotState {
  /// The report of a run, one fact per line.
  func summary(source: String) -> String {
    let report = report
    var lines = ["source: \(source)", "query: \(session.query.text)"]
    for (name, value) in statistics(cap: nil)
    where isFinished || !["ended_by", "complete", "reason", "status"].contains(name) {
      if let value { lines.append("\(name): \(value.text ?? value.json)") }
    }
    if !isFinished { lines.append("the run was not finished") }
    lines +=
      report.notes.map { "note: \($0)" } + report.warnings
      + [report.failure, report.advice].compactMap(\.self)
    return lines.map { "\(Sanitized($0).string)\n" }.joined()
  }
}
