import HTTPValues
import JSON
import Search
import Text

/// The state of a one-shot run: the same session as the pager's, with a writer instead of a screen.
struct OneShotState: SessionState {
  var session: Session
  var ending: Ending?
  /// How a run that stops early can be continued.
  var continuation = ResumeHint.none
  /// Why the run cannot be resumed.
  var recordProblem: String?
  /// The rows that earlier runs wrote to the same file, and the pages they read.
  var rowsBefore = 0
  var pagesBefore = 0
  /// Whether rows are sorted, and so written only once all are loaded.
  var isSorted = false
  /// The maximum number of sorted rows written; nil for all.
  var rowLimit: Int?
  /// Whether a run without rows fails.
  var failsEmpty = false
  /// The start of the run, and the latest known time of its clock, in seconds since 1970.
  var startedAt = 0.0
  var clock = 0.0
  /// The user's time zone.
  var zone = LocalZone.utc
  /// Whether a progress line may be on stderr that has to be erased before anything else is printed.
  var isProgressShown = false
  /// The number of the last logged request; nil if requests are not logged.
  var reportedRequest: Int?
  /// Whether the purpose of the run is to get the total.
  var awaitsTotal = false
  /// Whether the total is reported at the end, if the service provides it.
  var reportsTotal = false
  /// The number of completed requests for pages and totals, including failed ones and redirects.
  var requests = 0
  /// The number of those that were retries.
  var retries = 0

  /// Why the run ended before everything was written.
  enum Ending: Sendable, Hashable {
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
    case .outputClosed, .outputFailed, .columnRefused: isSorted ? 0 : session.writtenRowCount
    case .interrupted, .tripped, nil:
      isSorted ? min(session.writtenRowCount, rowLimit ?? .max) : session.writtenRowCount
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
      (awaitsTotal || reportsTotal) && (session.totalQuery != nil || session.totalWait != nil)
    return session.isSettled && session.unwritten == nil && !isTotalComing
  }
}

/// What can happen to a one-shot run.
enum OneShotEvent: SessionEventConvertible {
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

/// The initial state of a one-shot run.
struct SearchInitialState: Sendable {
  var rules: Session.Rules
  var query: Query
  var demand: Demand
  var rowsBefore: Int
  var pagesBefore: Int
  var isSorted: Bool
  /// The maximum number of sorted rows written; nil for all.
  var rowLimit: Int?
  var awaitsTotal: Bool
  var reportsTotal = false
  var failsEmpty = false
  var continuation = ResumeHint.none
  var zone = LocalZone.utc
  /// The time in seconds since 1970.
  var now: Double

  var state: OneShotState {
    var session = Session(rules: rules)
    session.reduce(.searched(query, demand))
    return OneShotState(
      session: session, continuation: continuation, rowsBefore: rowsBefore, pagesBefore: pagesBefore,
      isSorted: isSorted, rowLimit: rowLimit, failsEmpty: failsEmpty, startedAt: now, clock: now, zone: zone,
      awaitsTotal: awaitsTotal, reportsTotal: reportsTotal)
  }
}

extension SearchInitialState: JSONCodable {
  func write(to json: inout JSONWriter) {
    json.object {
      $0.member("session", rules)
      $0.member("query", query)
      $0.member("demand", demand)
      $0.member("rows_before", rowsBefore)
      if pagesBefore > 0 { $0.member("pages_before", pagesBefore) }
      if isSorted { $0.member("is_sorted", isSorted) }
      $0.member("row_limit", rowLimit)
      $0.member("awaits_total", awaitsTotal)
      if reportsTotal { $0.member("reports_total", reportsTotal) }
      if failsEmpty { $0.member("fails_empty", failsEmpty) }
      if continuation != .none { $0.member("continuation", continuation) }
      $0.member("now", now)
      // The offset at the start is enough: only the end of a wait is shown in local time.
      let offset = zone.offset(at: Timestamp(epoch: now)?.epochSeconds ?? 0)
      if offset != 0 { $0.member("utc_offset", offset) }
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      rules: try json.member("session"), query: try json.member("query"), demand: try json.member("demand"),
      rowsBefore: try json.amount("rows_before"), pagesBefore: try json.amount("pages_before") ?? 0,
      isSorted: try json.member("is_sorted") ?? false,
      rowLimit: try json.size("row_limit"), awaitsTotal: try json.member("awaits_total"),
      reportsTotal: try json.member("reports_total") ?? false,
      failsEmpty: try json.member("fails_empty") ?? false,
      continuation: try json.member("continuation") ?? ResumeHint.none,
      zone: LocalZone(offset: try json.utcOffset("utc_offset")), now: try json.seconds("now"))
  }
}

extension JSONValue {
  /// Seconds east of UTC, within a day; 0 if the member is missing.
  fileprivate func utcOffset(_ name: String) throws(JSONCodingError) -> Int {
    let seconds: Double = try self.seconds(name) ?? 0
    guard abs(seconds) < 86_400 else { throw JSONCodingError("\(seconds) is not an offset from UTC") }
    return Int(seconds)
  }
}

extension OneShotEvent: JSONCodable {
  func write(to json: inout JSONWriter) {
    switch self {
    case .session(let event): json.choice("session", event)
    case .ended(let ending): json.choice("ended", ending)
    case .recordFailed(let problem): json.choice("record-failed", problem)
    case .progressErased: json.text("progress-erased")
    case .reported(let number): json.choice("told", number)
    case .ticked(let now): json.choice("ticked", now)
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "session": .session(try SessionEvent(json: value))
      case "ended": .ended(try OneShotState.Ending(json: value))
      case "record-failed": .recordFailed(try String(json: value))
      case "progress-erased": .progressErased
      case "told": .reported(try value.amount())
      case "ticked": .ticked(try value.seconds())
      default: nil
      }
    }
  }
}

extension OneShotState.Ending: JSONCodable {
  func write(to json: inout JSONWriter) {
    switch self {
    case .outputClosed: json.text("output-closed")
    case .outputFailed(let reason): json.choice("output-failed", reason)
    case .columnRefused(let problem): json.choice("column-refused", problem)
    case .interrupted(let signal): json.choice("interrupted", Int(signal))
    case .tripped(let report): json.choice("tripped", report)
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "output-closed": .outputClosed
      case "output-failed": .outputFailed(try String(json: value))
      case "column-refused": .columnRefused(try String(json: value))
      case "interrupted": .interrupted(signal: Int32(try value.amount()))
      case "tripped": .tripped(try String(json: value))
      default: nil
      }
    }
  }
}
