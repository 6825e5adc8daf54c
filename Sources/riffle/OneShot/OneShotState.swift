import Search
import Text

/// A one-shot run as a value: the same session as the pager's, with a writer in the screen's place.
struct OneShotState: SessionState {
  var session: Session
  var ending: Ending?
  /// How a run that stops early can be continued.
  var continuation = ContinuationAdvice.none
  /// Why it cannot be resumed after all.
  var recordProblem: String?
  /// Rows that an earlier run has written to the same file, and pages that it read for them.
  var rowsBefore = 0
  var pagesBefore = 0
  /// Rows are written when all have come.
  var isSorted = false
  /// How many of the sorted rows are written; nil is all.
  var rowLimit: Int?
  /// A run without rows has failed.
  var failsEmpty = false
  /// When the run began, and now, as far as its clock is kept: in seconds since 1970.
  var startedAt = 0.0
  var clock = 0.0
  /// The user's.
  var zone = LocalZone.utc
  /// Something may stand on stderr's last line that has to go before anything else is said.
  var isProgressShown = false
  /// The number of the last request that was told; nil when none is.
  var toldRequest: Int?
  /// The total is what the run is for.
  var awaitsTotal = false
  /// The total is reported at the end, where the service tells it.
  var reportsTotal = false
  /// Requests that were answered, by a page, a total or a failure, with the redirects on the way.
  var requests = 0
  /// Those of them that asked again.
  var retries = 0

  /// Why the run is over before everything wanted is written.
  enum Ending: Sendable, Hashable {
    /// The reader went away: quiet, nothing more is asked.
    case outputClosed
    case outputFailed(String)
    /// The first page shows that a column asked for is none.
    case columnRefused(String)
    case interrupted(signal: Int32)
    /// The loop guard stopped a chain without progress.
    case tripped(String)
  }

  /// The signal that told the run to end; nil when none did.
  var interruption: Int32? { if case .interrupted(let signal) = ending { signal } else { nil } }

  /// Rows that are written for sure. Sorted ones are written in one go.
  var writtenRows: Int {
    switch ending {
    case .outputClosed, .outputFailed, .columnRefused: isSorted ? 0 : session.writtenRowCount
    case .interrupted, .tripped, nil:
      isSorted ? min(session.writtenRowCount, rowLimit ?? .max) : session.writtenRowCount
    }
  }

  /// The page to write now.
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

enum OneShotEvent: SessionCarrier {
  case session(SessionEvent)
  case ended(OneShotState.Ending)
  /// There is no record that the run can be resumed from: why.
  case recordFailed(String)
  case progressErased
  /// Requests up to this number were told.
  case told(Int)
  /// Some time has passed, for what is told while the run goes on.
  case ticked(Double)

  var sessionEvent: SessionEvent? { if case .session(let event) = self { event } else { nil } }
}

extension OneShotState {
  private mutating func count(_ event: SessionEvent) {
    switch event {
    case .loaded(let page, let request): count(page.exchange, attempt: request.attempt)
    case .failed(let error, let request, _): count(error.exchange, attempt: request.attempt)
    case .totalled(let reply, let asked): count(reply.exchange, attempt: asked.attempt)
    case .totalFailed(let error, let asked, _): count(error.exchange, attempt: asked.attempt)
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
    case .told(let number): toldRequest = number
    // Also when the run is over: a page that is being written then may become whole.
    case .session(.written(let page, let generation)):
      session.reduce(.written(page, generation: generation))
    case .session(let event) where ending == nil:
      count(event)
      session.reduce(event)
    case .ended(let ending) where self.ending == nil: self.ending = ending
    case .ticked(let now) where ending == nil:
      clock = now
      session.reduce(.reached(now))
    // The run is over.
    case .session, .ended, .ticked: break
    }
  }

  /// Everything is said that has to be said before the end.
  var isSilent: Bool { !isProgressShown && toldRequest.map { $0 >= session.log.last?.number ?? 0 } ?? true }
}
