import HTTPValues
import Testing
import Text

@testable import App
@testable import Search
@testable import riffle

extension OneShotState {
  fileprivate init(session: Session) {
    self.init(SearchInitialState(rules: session.rules, query: session.query, demand: .nothing))
    self.lists = ParentTraversal(session)
  }
}

/// Tests the status and messages at the end of a run.
@Suite struct RunReportTests {
  private func failed(_ error: PageError) -> OneShotState {
    var session = Session(
      rules: Session.Rules(
        first: Position(ordinal: 0, value: .start), retry: RetryPolicy(attempts: 0, maxWait: 1)))
    session.reduce(.searched(Query("x"), .everything))
    for request in session.requests {
      session.reduce(.failed(error, for: request, at: RetryTiming(now: 0)))
    }
    return OneShotState(session: session)
  }

  @Test(arguments: [
    (PageError.Kind.unauthorized, App.ExitStatus.unauthorized), (.rateLimited, .rateLimited),
    (.invalidRequest, .usage),
    (.offline, .failed), (.server, .failed), (.rejected, .failed), (.unreadable, .failed),
  ]) func `Before the first row, the status says what failed.`(
    kind: PageError.Kind, status: App.ExitStatus
  ) {
    let state = failed(PageError(kind, message: "because", remedy: "do this"))
    #expect(state.isFinished)
    let page = [.invalidRequest, .unauthorized].contains(kind) ? "" : "page 1 failed: "
    #expect(state.report == RunReport(status: status, notes: [], failure: "\(page)because. Do this"))
  }

  @Test(arguments: [(3_541.0, "02:00"), (86_520, "1970-01-02 01:02")])
  func `A temporary refusal says when it ends, in local time.`(wait: Double, end: String) {
    var state = failed(PageError(.rateLimited, message: "because", wait: wait))
    state.start.zone = LocalZone(offset: 3_600)
    #expect(state.report.failure == "page 1 failed: because. Retry after \(end)")
  }

  @Test func `A failed output is status 74, and a reader that left is not an error.`() {
    var full = failed(PageError(.server, message: "x"))
    full.ending = .outputFailed("output: No space left on device")
    #expect(full.report.status == .output)
    var closed = failed(PageError(.server, message: "x"))
    closed.ending = .outputClosed
    // The reader left before the first row: the run is not an empty one.
    closed.start.failsEmpty = true
    #expect(closed.report == RunReport(status: .done, notes: [], failure: nil))
  }

  @Test func `A failed output of sorted rows reports no number of rows.`() {
    var state = failed(PageError(.server, message: "x"))
    state.start.rowsBefore = 3
    state.ending = .outputFailed("output: no space")
    #expect(state.report.failure == "cannot write output: no space. 3 complete rows written")
    state.start.isSorted = true
    #expect(
      state.report.failure == "cannot write output: no space. Not all sorted rows were written")
  }

  /// Two of three rows are received, then the same rows again, or none although more were promised.
  @Test(
    arguments: [
      (
        Demand.rows(3), [2, 2], App.ExitStatus.partial,
        "stopped after 2 of 3 rows: the service is repeating pages"
      ),
      (.rows(3), [2, 0, 0], .partial, "stopped after 2 of 3 rows: the service sent 2 empty pages in a row"),
      (.rows(2), [2], .done, nil),
      (.everything, [2, 2], .partial, "stopped after 2 rows: the service is repeating pages"),
    ] as [(Demand, [Int], App.ExitStatus, String?)])
  func `[D31] A list that promises more but returns none is partial.`(
    demand: Demand, pages: [Int], status: App.ExitStatus, failure: String?
  ) throws {
    var rules = Session.Rules(first: Position(ordinal: 0, value: .start), maxEmptyPages: 1)
    rules.awaitsWriting = true
    var session = Session(rules: rules)
    session.reduce(.searched(Query("x"), demand))
    for (number, rows) in pages.enumerated() {
      let request = try #require(session.requests.first)
      let next = request.position.next(.number(rows == 0 ? number : 7))
      var page = Page(content: .cells(CellTable(withoutTextsOf: rows)), continuation: .next(next, .value))
      page.keys = Array([11, 12].prefix(rows))
      session.reduce(.loaded(page, for: request))
      session.reduce(.written(number, generation: 1))
    }
    let state = OneShotState(session: session)
    #expect(state.isFinished)
    #expect(state.report.status == status)
    #expect(state.report.failure == failure)
  }

  @Test func `After a run has ended, nothing more is requested or reduced.`() {
    var session = Session(
      rules: Session.Rules(
        first: Position(ordinal: 0, value: .start), retry: RetryPolicy(attempts: 0, maxWait: 1)))
    session.reduce(.searched(Query("x"), .everything))
    var state = OneShotState(session: session)
    #expect(state.pageRequests.count == 1)
    state.reduce(.ended(.outputClosed))
    state.reduce(.ended(.interrupted(signal: 2)))
    #expect(state.pageRequests.isEmpty)
    #expect(state.ending == .outputClosed)
  }

  @Test func `After a signal, a run continues at the first page that is not written.`() throws {
    var rules = Session.Rules(first: Position(ordinal: 0, value: .start))
    rules.awaitsWriting = true
    var session = Session(rules: rules)
    session.reduce(.searched(Query("x"), .everything))
    for number in 1...3 {
      let request = try #require(session.requests.first)
      let next = request.position.next(.number(number))
      let page = Page(content: .cells(CellTable(withoutTextsOf: 2)), continuation: .next(next, .value))
      session.reduce(.loaded(page, for: request))
      if number == 1 { session.reduce(.written(0, generation: session.generation)) }
    }
    var state = OneShotState(session: session)
    state.start.continuation = .fromPage(pageSize: nil)
    state.reduce(.ended(.interrupted(signal: 2)))
    #expect(state.report.advice == "run the same command with --from-page 2 to continue")
    // The page that was being written is now complete.
    state.reduce(.session(.written(1, generation: session.generation)))
    #expect(state.report.advice == "run the same command with --from-page 3 to continue")
    #expect(state.writtenRows == 4)
  }

  @Test(
    arguments: [
      (ResumeHint.resume, "run the same command with --resume to continue"),
      (.fromPage(pageSize: nil), "run the same command with --from-page 1 to continue"),
      (.fromPage(pageSize: 100), "run the same command with --page-size 100 --from-page 1 to continue"),
      (.withFile("use --output FILE"), "to make a run resumable, use --output FILE"), (.none, nil),
    ] as [(ResumeHint, String?)]) func `A run that stopped after some rows says how to continue.`(
      advice: ResumeHint, text: String?
    )
  {
    var state = failed(PageError(.server, message: "because"))
    state.start.continuation = advice
    #expect(state.report.advice == nil, "before the first row there is nothing to resume")
    state.start.rowsBefore = 30
    #expect(state.report.status == .partial)
    #expect(state.report.failure == "stopped after 30 rows: page 1 failed: because")
    #expect(state.report.advice == text)
  }

  @Test(
    arguments: [
      (
        .resume, true,
        "run the same command without --resume to start over, which replaces the rows in the file"
      ),
      (.resume, false, "run the same command to start over, which replaces the rows in the file"),
      (.withFile("use --output FILE"), false, "run the same command to start over"),
    ] as [(ResumeHint, Bool, String)])
  func `Rule 18: a run whose position has expired starts over.`(
    advice: ResumeHint, isResuming: Bool, text: String
  ) {
    var state = failed(PageError(.rejected, message: "because", canRepeat: .afterRestart))
    state.start.continuation = advice
    state.start.isResuming = isResuming
    state.start.rowsBefore = 30
    #expect(state.report.advice == text)
  }

  @Test func `[U19] A report writes how a run ended in kebab-case.`() {
    let kinds: [PageError.Kind] = [.offline, .connection, .rateLimited, .unauthorized, .rejected, .server]
    for kind in kinds + [.unreadable, .invalidRequest] {
      #expect(kind.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(kind)")
    }
  }

  @Test(
    arguments: [
      (
        PageError(.unauthorized, status: 401, message: "x"),
        "fix the credential, then run the same command with --resume"
      ),
      (
        { () -> PageError in
          var error = PageError(.unauthorized, status: 401, message: "x")
          error.needsCredential = true
          return error
        }(),
        "add a credential, then run the same command with --resume"
      ),
      (PageError(.rateLimited, message: "x", wait: 3_541), "after 01:00, run the same command with --resume"),
      (PageError(.server, message: "x"), "run the same command with --resume to continue"),
      // [U26] The service would reject the page again.
      (PageError(.rejected, status: 422, message: "x"), nil),
      (
        PageError(.rejected, status: 200, message: "x"), "run the same command with --resume to continue"
      ),
    ] as [(PageError, String?)])
  func `The condition for continuing a run is reported before the command.`(error: PageError, advice: String?)
  {
    var state = failed(error)
    state.start.rowsBefore = 30
    state.start.continuation = .resume
    #expect(state.report.advice == advice)
    #expect(state.report.failure?.contains("Retry after") == false)
  }

  @Test func `[D41] A run whose record could not be written offers no resume.`() {
    var state = failed(PageError(.server, message: "because"))
    state.start.rowsBefore = 30
    state.start.continuation = .resume
    state.reduce(.recordFailed("cannot write a.csv.riffle: No space left on device"))
    #expect(
      state.report.advice
        == "cannot write a.csv.riffle: No space left on device. This run cannot be resumed")
    // Where all is written, it is worth a line.
    var complete = OneShotState(
      session: Session(rules: Session.Rules(first: Position(ordinal: 0, value: .start))))
    complete.start.continuation = .resume
    complete.reduce(.recordFailed("cannot write a.csv.riffle: No space left on device"))
    #expect(complete.report.status == .done)
    #expect(
      complete.report.notes == ["no results", "cannot write a.csv.riffle: No space left on device"])
  }

  @Test func `[D46] Redirects and refused requests before a page count as requests of the run.`() throws {
    var session = Session(rules: Session.Rules(first: Position(ordinal: 0, value: .start)))
    session.reduce(.searched(Query("x"), .everything))
    var state = OneShotState(session: session)
    var page = Page(
      content: .cells(CellTable(withoutTextsOf: 2)),
      continuation: .next(Position(ordinal: 1, value: .number(2)), .value))
    page.exchange.requests = 3
    state.reduce(.session(.loaded(page, for: try #require(state.pageRequests.first))))
    #expect(state.requests == 3)
    var error = PageError(.rejected, status: 404, message: "none")
    error.exchange = Exchange(requests: 2)
    let next = try #require(state.pageRequests.first)
    state.reduce(.session(.failed(error, for: next, at: RetryTiming(now: 0))))
    #expect(state.requests == 5)
    #expect(state.retries == 0)
  }
}
