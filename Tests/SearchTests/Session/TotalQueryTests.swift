import HTTPValues
import Testing

@testable import Search

/// A total that is requested separately from the pages.
@Suite struct TotalQueryTests {
  private func searching() -> Session {
    var session = Session(rules: Session.Rules.plain.with { $0.requestsTotal = true })
    session.reduce(.searched(Query("x"), .everything))
    return session
  }

  @Test func `The total is requested once per query, together with its first page.`() throws {
    var session = searching()
    #expect(session.picture == "rows · loading first · asks p1")
    let requested = try #require(session.totalQuery)
    session.reduce(.totalReceived(TotalResponse(.exact(7)), for: requested))
    #expect(session.total == .exact(7))
    #expect(session.totalQuery == nil)
    session.answer([1, 2], .more(1))
    #expect(session.total == .exact(7))
    #expect(session.totalQuery == nil)
    session.reduce(.searched(Query("y"), .everything))
    #expect(session.totalQuery == TotalQuery(query: Query("y"), generation: 2))
  }

  @Test func `A late total is dropped, and one that is not available is not requested again.`() throws {
    var session = searching()
    let late = try #require(session.totalQuery)
    session.reduce(.searched(Query("y"), .everything))
    session.reduce(.totalReceived(TotalResponse(.exact(7)), for: late))
    #expect(session.total == nil)
    session.reduce(.totalReceived(TotalResponse(nil), for: try #require(session.totalQuery)))
    #expect(session.total == nil)
    #expect(session.totalQuery == nil)
  }

  @Test func `No total is requested where it is not shown.`() {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .everything))
    #expect(session.totalQuery == nil)
  }

  @Test func `A total that is known early allows several pages to be requested at once.`() throws {
    var session = Session(
      rules: Session.Rules.plain.with {
        $0.requestsTotal = true
        $0.concurrency = 3
      })
    session.reduce(.searched(Query("x"), .everything))
    session.answer([1, 2], .more(1))
    #expect(session.picture == "rows 1 2 · loading first · asks p2")
    session.reduce(.totalReceived(TotalResponse(.exact(9)), for: try #require(session.totalQuery)))
    #expect(session.picture == "rows 1 2 · loading first · asks p2 p3 p4")
  }

  @Test func `[D44] A failed total is retried like a page, and each request is logged.`() throws {
    var session = Session(
      rules: Session.Rules.plain.with {
        $0.requestsTotal = true
        $0.retry = RetryPolicy(attempts: 2, maxWait: 10)
      })
    session.reduce(.searched(Query("x"), .rows(0)))
    for attempt in 0...1 {
      let requested = try #require(session.totalQuery)
      #expect(requested.attempt == attempt)
      var error = PageError(.server, status: 500, message: "down", canRepeat: .freely)
      error.exchange = Exchange(address: "https://a.example/count", status: 500)
      session.reduce(.totalFailed(error, for: requested, at: RetryTiming(now: 100, jitter: 1)))
      #expect(session.totalQuery == nil && session.totalFailure == nil)
      let wait = try #require(session.totalWait)
      #expect(wait.until == [100.5, 101.5][attempt])
      #expect(session.alarm == wait.until)
      session.ring()
    }
    let exchange = Exchange(address: "https://a.example/count", status: 200)
    session.reduce(
      .totalReceived(
        TotalResponse(total: .exact(7), exchange: exchange), for: try #require(session.totalQuery)))
    #expect(session.total == .exact(7))
    #expect(
      session.log.map(\.text) == [
        "total: GET https://a.example/count · 500 · down",
        "total (retry 1): GET https://a.example/count · 500 · down",
        "total (retry 2): GET https://a.example/count · 200",
      ])
  }

  @Test func `[D44] A total is given up like a page, and reports when it may be requested again.`() throws {
    func givenUp(_ error: PageError) throws -> Session {
      var session = Session(
        rules: Session.Rules.plain.with {
          $0.requestsTotal = true
          $0.retry = RetryPolicy(attempts: 2, maxWait: 10)
        })
      session.reduce(.searched(Query("x"), .rows(0)))
      session.reduce(
        .totalFailed(error, for: try #require(session.totalQuery), at: RetryTiming(now: 100, jitter: 1)))
      #expect(session.totalQuery == nil && session.totalWait == nil)
      return session
    }
    let refused = try givenUp(PageError(.unauthorized, status: 401, message: "no"))
    #expect(refused.totalFailure?.message == "no" && refused.refusedUntil == nil)
    let limited = try givenUp(
      PageError(.rateLimited, status: 429, message: "slow", canRepeat: .freely, wait: 60))
    #expect(limited.totalFailure?.remedy == "the service asks you to wait 60 s, longer than search.max_wait")
    #expect(limited.refusedUntil == 160)
    // A new query requests it again.
    var session = limited
    session.reduce(.searched(Query("y"), .rows(0)))
    #expect(session.totalQuery == TotalQuery(query: Query("y"), generation: 2))
    #expect(session.totalFailure == nil)
  }

  @Test func `The total of a new query waits along with its first page if the service requested a pause.`()
    throws
  {
    var session = Session(
      rules: Session.Rules.plain.with {
        $0.requestsTotal = true
        $0.retry = RetryPolicy(attempts: 2, maxWait: 10)
      })
    session.reduce(.searched(Query("x"), .everything))
    let error = PageError(.rateLimited, status: 429, message: "slow", canRepeat: .freely, wait: 5)
    session.reduce(
      .totalFailed(error, for: try #require(session.totalQuery), at: RetryTiming(now: 100, jitter: 1)))
    session.reduce(.searched(Query("y"), .everything))
    #expect(session.totalQuery == nil && session.requests.isEmpty)
    #expect(session.totalWait == Wait(until: 105, reason: .pacing))
    session.ring()
    #expect(session.totalQuery == TotalQuery(query: Query("y"), generation: 2))
    #expect(session.picture == "rows · loading first · asks p1")
  }

  @Test(
    arguments: [
      (200, "", ["X-Total": "1203"], Total.exact(1_203)), (200, "", [:], nil),
      (204, "", ["X-Total": "0"], .exact(0)),
      (200, "<html>", ["X-Total": "7"], .exact(7)), (200, "", ["X-Total": "many"], nil),
    ] as [(Int, String, [String: String], Total?)])
  func `A total in a header needs no body.`(
    status: Int, body: String, headers: [String: String], total: Total?
  ) throws {
    var source = Source(
      id: "test", title: "Test", endpoint: Endpoint(url: try Template("https://api.example.org/list")),
      pagination: try Pagination(SinglePage.self, .standard))
    source.rows.totalRequest = TotalRequest(
      endpoint: Endpoint(method: .head, url: try Template("https://api.example.org/list")),
      total: try ValueExpression(parsing: "header:X-Total"))
    let request = try #require(try source.totalRequest(for: Query(), in: RunContext()))
    #expect(request.method == .head && request.body.isEmpty && request.isSafe)
    let response = HTTPResponse(
      status: status, headers: HTTPFields(headers.map { HTTPField(received: $0, value: $1) }),
      body: Array(body.utf8), url: request.url, sentAt: 0, arrivedAt: 0)
    #expect(try source.total(answering: Query(), in: response, RunContext()).total == total)
  }
}
