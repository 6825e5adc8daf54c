import HTTPValues
import JSON
import Search
import Text

/// The state of a one-shot run: the same session as the pager's, with a writer instead of a screen.
struct OneShotState: SessionState {
  var start: SearchInitialState
  var session: Session
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
  var retries = 0

  init(_ start: SearchInitialState) {
    self.start = start
    clock = start.now
    session = Session(rules: start.rules)
    session.reduce(.searched(start.query, start.demand))
  }

  /// Why the run ended before everything was written.
  enum Ending: Sendable, Hashable, Codable {
    /// The reader closed the pipe: nothing is printed, and no more pages are requested.
    case outputClosed
    case outputFailed(String)
    /// The first page shows that a requested column does not exist.
    case columnRefused(String)
    case interrupted(signal: Int32)
    /// The loop guard stopped a cycle without progress.
    case tripped(String)
  }

  /// The signal that interrupted the run; nil if none did.
  var interruption: Int32? { if case .interrupted(let signal) = ending { signal } else { nil } }

  /// The number of rows known to be written. Sorted rows are written all at once.
  var writtenRows: Int {
    switch ending {
    case .outputClosed, .outputFailed, .columnRefused: start.isSorted ? 0 : session.writtenRowCount
    case .interrupted, .tripped, nil:
      start.isSorted ? min(session.writtenRowCount, start.rowLimit ?? .max) : session.writtenRowCount
    }
  }

  /// The next page to write.
  struct WriteRequest: Sendable, Equatable {
    let ordinal: Int
    let generation: Int
    let block: RowStore.Block

    static func == (a: WriteRequest, b: WriteRequest) -> Bool {
      a.ordinal == b.ordinal && a.generation == b.generation
    }
  }

  var writeRequest: WriteRequest? {
    guard ending == nil, let (ordinal, block) = session.unwritten else { return nil }
    return WriteRequest(ordinal: ordinal, generation: session.generation, block: block)
  }

  var pageRequests: [PageRequest] { ending == nil ? session.requests : [] }
  var alarm: Double? { ending == nil ? session.alarm : nil }

  var totalQuery: TotalQuery? { ending == nil ? session.totalQuery : nil }

  var isFinished: Bool {
    if ending != nil { return true }
    let isTotalComing =
      (start.awaitsTotal || start.reportsTotal) && (session.totalQuery != nil || session.totalWait != nil)
    return session.isSettled && session.unwritten == nil && !isTotalComing
  }
}

/// What can happen to a one-shot run.
enum OneShotEvent: SessionEventConvertible, Codable {
  case session(SessionEvent)
  case ended(OneShotState.Ending)
  /// The progress file could not be written, so the run cannot be resumed; the value is the reason.
  case recordFailed(String)
  case progressErased
  /// Requests up to this number were logged.
  case reported(Int)
  /// Time has passed; updates the progress display.
  case ticked(Double)

  var sessionEvent: SessionEvent? { if case .session(let event) = self { event } else { nil } }
}

extension OneShotState {
  private mutating func count(_ event: SessionEvent) {
    switch event {
    case .loaded(let page, let request): count(page.exchange, attempt: request.attempt)
    case .failed(let error, let request, _): count(error.exchange, attempt: request.attempt)
    case .totalReceived(let reply, let requested): count(reply.exchange, attempt: requested.attempt)
    case .totalFailed(let error, let requested, _): count(error.exchange, attempt: requested.attempt)
    case .searched, .wanted, .refreshed, .stopped, .retried, .reached, .written: break
    }
  }

  private mutating func count(_ exchange: Exchange?, attempt: Int) {
    requests += exchange?.requests ?? 1
    if attempt > 0 { retries += 1 }
  }

  mutating func reduce(_ event: OneShotEvent) {
    switch event {
    case .progressErased: isProgressShown = false
    case .recordFailed(let problem): recordProblem = problem
    case .reported(let number): reportedRequest = number
    // Also handled after the end of the run, when a page that was still being written is completed.
    case .session(.written(let page, let generation)):
      session.reduce(.written(page, generation: generation))
    case .session(let event) where ending == nil:
      count(event)
      session.reduce(event)
    case .ended(let ending) where self.ending == nil: self.ending = ending
    case .ticked(let now) where ending == nil:
      clock = now
      session.reduce(.reached(now))
    // The run has ended.
    case .session, .ended, .ticked: break
    }
  }

  /// Whether no output is pending before the program can exit.
  var isSilent: Bool {
    !isProgressShown && reportedRequest.map { $0 >= session.log.last?.number ?? 0 } ?? true
  }
}

/// What a one-shot run is, known before anything is requested.
struct SearchInitialState: Sendable, Codable {
  var rules: Session.Rules
  var query: Query
  var demand: Demand
  /// The rows that earlier runs wrote to the same file, and the pages they read.
  var rowsBefore = 0
  var pagesBefore = 0
  /// Whether rows are sorted, and so written only once all are loaded.
  var isSorted = false
  /// The maximum number of sorted rows written; nil for all.
  var rowLimit: Int?
  /// Whether the purpose of the run is to get the total (`--count`).
  var awaitsTotal = false
  /// Whether the total is reported at the end, if the service provides it.
  var reportsTotal = false
  /// Whether a run without rows fails.
  var failsEmpty = false
  /// How a run that stops early can be continued.
  var continuation = ResumeHint.none
  var zone = LocalZone.utc
  /// The time in seconds since 1970.
  var now = 0.0
  /// The time zone as recorded: its offset at the start, because only the end of a wait is shown in local time.
  var utcOffset = 0

  private enum CodingKeys: CodingKey {
    case rules, query, demand, rowsBefore, pagesBefore, isSorted, rowLimit, awaitsTotal, reportsTotal,
      failsEmpty
    case continuation, now, utcOffset
  }
}

extension SearchInitialState: JSONChecked {
  mutating func check() throws(JSONCodingError) {
    try rules.check()
    try demand.check()
    try rowsBefore.check("rowsBefore")
    try pagesBefore.check("pagesBefore")
    try rowLimit?.checkSize("rowLimit")
    try utcOffset.check("utcOffset", in: -86_400...86_400)
    zone = LocalZone(offset: utcOffset)
  }
}

extension OneShotEvent: JSONChecked {
  func check() throws(JSONCodingError) {
    switch self {
    case .session(let event): try event.check()
    case .reported(let number): try number.check("reported")
    case .ended, .recordFailed, .progressErased, .ticked: break
    }
  }
}
