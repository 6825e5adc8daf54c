import Testing

@testable import Search

/// Waits of a session: their causes, and that they are part of the state.
@Suite struct PacingTests {
  private func paged(_ change: (inout Source) throws -> Void = { _ in }) throws -> Source {
    try listSource(PagePagination.self, PaginationSettings(into: .query("p")), change)
  }

  /// The intervals between the requests, in whole seconds.
  private func pauses(_ source: Source, size: Int? = nil, _ answers: [PagingRun.Answer]) throws -> [Int] {
    var times: [Double] = []
    let clock = Clock()
    var pagingRun = PagingRun(source, size: size) { _ in
      times.append(clock.now)
      return answers[min(times.count, answers.count) - 1]
    }
    pagingRun.session.reduce(.searched(Query("x"), .everything))
    while times.count < 30, !pagingRun.session.isSettled {
      clock.now = pagingRun.time
      try pagingRun.step()
    }
    return zip(times, times.dropFirst()).map { Int(($1 - $0).rounded()) }
  }

  private final class Clock { var now = 1_000.0 }

  @Test func `Requests are spread over the window when more pages are wanted than remain.`() throws {
    let source = try paged {
      $0.limits.remaining = try expression("header:X-Remaining")
      $0.limits.reset = try expression("header:X-Reset")
      $0.limits.resetKind = .epoch
    }
    func answer(_ ids: [Int], remaining: Int) -> PagingRun.Answer {
      var answer = PagingRun.Answer(ids)
      answer.headers = [("X-Remaining", "\(remaining)"), ("X-Reset", "1020")]
      return answer
    }
    #expect(
      try pauses(source, [answer([1], remaining: 5), answer([2], remaining: 4), answer([], remaining: 3)])
        == [4, 4])
    #expect(try pauses(source, [answer([1], remaining: 50), answer([], remaining: 49)]) == [0])
  }

  @Test func `A pause requested in a successful response is kept, also for a new query.`() throws {
    let source = try paged { $0.limits.backoff = try expression("backoff") }
    #expect(try pauses(source, [.init([1], "\"backoff\": 7"), .init([])]) == [7])
    var pagingRun = PagingRun(source, answers: [.init([1], "\"backoff\": 7"), .init([2])])
    try pagingRun.load(.pages(1))
    pagingRun.session.reduce(.searched(Query("y"), .pages(1)))
    #expect(pagingRun.session.picture == "rows 1 · waiting first · waits p1")
    guard case .waiting(_, let wait) = pagingRun.session.phase else { return }
    #expect(wait.reason == .pacing)
    #expect(Int(wait.until) == 1_007)
  }

  @Test
  func `A pause longer than the user allows is an error in unattended runs and counted down otherwise.`()
    throws
  {
    let source = try paged { $0.limits.backoff = try expression("backoff") }
    let answers = [PagingRun.Answer([1], "\"backoff\": 3600"), .init([])]
    var pagingRun = PagingRun(source, rules: { $0.awaitsWriting = true }, answers: answers)
    try pagingRun.load()
    #expect(
      pagingRun.picture == "asks p=1 · rows 1 · failed: the service requests a pause before the next page")
    guard case .failed(_, let error) = pagingRun.session.phase else { return }
    #expect(error.remedy == "the service asks you to wait 1 h, longer than search.max_wait")
    #expect(error.kind == .rateLimited)

    var watched = PagingRun(source, answers: answers)
    watched.session.reduce(.searched(Query("x"), .everything))
    try watched.step()
    #expect(watched.session.picture == "rows 1 · waiting first · waits p2")
    try watched.reduce(.retried)
    #expect(watched.session.phase == .end(.emptyPage))
  }

  @Test(arguments: ["inf", "-1", "\"nan\"", "1e400", "{}"])
  func `An invalid pause is not waited for.`(backoff: String) throws {
    let source = try paged { $0.limits.backoff = try expression("backoff") }
    let value = backoff == "inf" ? "\"inf\"" : backoff
    #expect(try pauses(source, [.init([1], "\"backoff\": \(value)"), .init([])]) == [0])
  }

  @Test func `A refused bucket is left alone, so other requests to it wait as well.`() throws {
    var pagingRun = PagingRun(
      try paged(), rules: { $0.retry.attempts = 2 },
      answers: [.init(status: 429, body: "{}", headers: [("Retry-After", "30")]), .init([1])])
    pagingRun.session.reduce(.searched(Query("x"), .pages(1)))
    try pagingRun.step()
    #expect(pagingRun.session.picture == "rows · waiting first · waits p1'")
    pagingRun.session.reduce(.searched(Query("y"), .pages(1)))
    #expect(pagingRun.session.picture == "rows · waiting first · waits p1")
    pagingRun.session.reduce(.retried)
    #expect(pagingRun.session.picture == "rows · loading first · asks p1")
  }

  /// A service that accepts a request only if this long has passed since the last accepted one, and
  /// otherwise responds with 429 and no hint. Returns the times of the accepted requests too.
  private func limited(_ interval: Double) throws -> (pagingRun: PagingRun, took: [Double], refusals: Int) {
    final class Door {
      var took: [Double] = []
      var refusals = 0
    }
    let (clock, door) = (Clock(), Door())
    var pagingRun = PagingRun(try paged(), rules: { $0.retry = RetryPolicy(attempts: 5, maxWait: 120) }) {
      request in
      guard clock.now - (door.took.last ?? 0) >= interval else {
        door.refusals += 1
        return .init(status: 429, body: "{}")
      }
      door.took.append(clock.now)
      let page = request.number("p") ?? 1
      return .init(page <= 12 ? [page] : [])
    }
    pagingRun.session.reduce(.searched(Query("x"), .everything))
    for _ in 0..<200 where !pagingRun.session.isSettled {
      clock.now = pagingRun.time
      try pagingRun.step()
    }
    return (pagingRun, door.took, door.refusals)
  }

  @Test(arguments: [0.5, 1, 3]) func `[D5] A service that limits by rate is paged at about its rate.`(
    interval: Double
  )
    throws
  {
    let (pagingRun, took, refusals) = try limited(interval)
    #expect(pagingRun.ids == Array(1...12))
    #expect(pagingRun.session.phase == .end(.emptyPage))
    let least = 12 * interval
    let time = (took.last ?? 0) - (took.first ?? 0)
    #expect(time >= least && time < 2.5 * least, "\(time) s")
    #expect(refusals <= 4, "the second page finds the pace for all others")
  }

  @Test func `[D5] Requesting a page early that is only paced does not count as an attempt.`() throws {
    var session = Session(rules: .plain.with { $0.minInterval = 2 })
    session.reduce(.searched(Query("x"), .everything))
    session.answer([1], .more(1), at: 100)
    #expect(session.picture == "rows 1 · waiting first · waits p2")
    session.reduce(.retried)
    #expect(session.picture == "rows 1 · loading first · asks p2")
  }

  @Test func `[D5] A limit ends when a later request is accepted.`() {
    var session = Session(rules: .plain.with { $0.retry = RetryPolicy(attempts: 3, maxWait: 120) })
    session.reduce(.searched(Query("x"), .everything))
    session.answer([1], .more(1), at: 100)
    let limit = PageError(.rateLimited, message: "busy", canRepeat: .freely, waitAtLeast: 60)
    session.failFirst(limit, at: RetryTiming(now: 101))
    #expect(session.alarm == 161)
    session.reduce(.reached(110))
    session.reduce(.retried)
    session.answer([2], .more(2), at: 111)
    #expect(session.picture == "rows 1 2 · loading first · asks p3")
  }

  @Test func `Retrying a failed page early uses the attempt that was scheduled.`() throws {
    var session = Session(rules: .plain.with { $0.retry.attempts = 2 })
    session.reduce(.searched(Query("x"), .everything))
    session.failFirst(PageError(.server, message: "502", canRepeat: .freely))
    #expect(session.picture == "rows · waiting first · waits p1'")
    session.reduce(.retried)
    #expect(session.picture == "rows · loading first · asks p1'")
  }

  @Test func `[D46] A Retry-After is observed as sent, even the second time.`() throws {
    var pagingRun = PagingRun(
      try paged(), rules: { $0.retry.attempts = 3 },
      answers: [
        .init(status: 429, body: "{}", headers: [("Retry-After", "7")]),
        .init(status: 429, body: "{}", headers: [("Retry-After", "3")]), .init([1]), .init([]),
      ])
    pagingRun.session.reduce(.searched(Query("x"), .pages(1)))
    var waits: [Int] = []
    while !pagingRun.session.isSettled {
      if case .waiting(_, let wait) = pagingRun.session.phase {
        waits.append(Int((wait.until - pagingRun.time).rounded()))
      }
      try pagingRun.step()
    }
    #expect(waits == [7, 3])
    #expect(pagingRun.ids == [1])
  }

  @Test func `A wait of zero seconds is no wait.`() throws {
    var pagingRun = PagingRun(
      try paged(), rules: { $0.retry.attempts = 1 },
      answers: [.init(status: 429, body: "{}", headers: [("Retry-After", "0")]), .init([1])])
    pagingRun.session.reduce(.searched(Query("x"), .pages(1)))
    try pagingRun.step()
    #expect(pagingRun.session.picture == "rows · loading first · asks p1'")
  }

  @Test func `[P3] Each request keeps the minimum interval: of a single page, a refresh, and another query.`()
  {
    var session = Session(rules: .plain.with { $0.minInterval = 2 })
    session.reduce(.searched(Query("x"), .pages(1)))
    session.answer([1], .more(1), at: 100)
    session.reduce(.wanted(.pages(1)))
    #expect(session.picture == "rows 1 · waiting more · waits p2")
    session.ring()
    session.answer([2], .more(2), at: 102)
    session.reduce(.refreshed(rows: 1))
    #expect(session.picture == "rows 1 2 · waiting refresh · waits p1")
    #expect(session.alarm == 104)
    session.ring()
    session.reduce(.searched(Query("y"), .pages(1)))
    #expect(session.alarm == 106, "a request that is canceled was sent")
    session.reduce(.reached(105))
    session.reduce(.searched(Query("z"), .pages(1)))
    #expect(session.alarm == 106, "a request that was still waiting was not")
  }

  @Test func `Pages skipped after a restart are paced, even if only one page is wanted.`() {
    var session = Session(rules: .plain.with { $0.minInterval = 2 })
    session.reduce(.searched(Query("x"), .pages(1)))
    session.answer([1], .more(1), at: 100)
    session.reduce(.wanted(.pages(1)))
    session.ring()
    session.answer([2], .more(2), at: 110)
    session.reduce(.wanted(.pages(1)))
    session.ring()
    session.failFirst(
      PageError(.rejected, message: "gone", canRepeat: .afterRestart), at: RetryTiming(now: 120))
    session.reduce(.retried)
    #expect(session.picture == "rows 1 2 · loading more · asks p1")
    session.answer([1], .more(1), at: 121)
    #expect(session.picture == "rows 1 2 · waiting more · waits p2")
    #expect(session.alarm == 123)
  }

  @Test func `A restart keeps the pause after the previous request.`() {
    var session = Session(rules: .plain.with { $0.minInterval = 2 })
    session.reduce(.searched(Query("x"), .everything))
    session.answer([1], .more(1), at: 100)
    session.ring()
    session.failFirst(
      PageError(.rejected, message: "gone", canRepeat: .afterRestart), at: RetryTiming(now: 102.5))
    session.reduce(.retried)
    #expect(session.picture == "rows 1 · waiting first · waits p1")
    #expect(session.alarm == 104)
  }

  @Test func `A wait that is over delays no later request.`() throws {
    var session = Session(rules: .plain.with { $0.retry = RetryPolicy(attempts: 1, maxWait: 60) })
    session.reduce(.searched(Query("x"), .pages(1)))
    session.failFirst(
      PageError(.rateLimited, message: "busy", canRepeat: .freely, wait: 30), at: RetryTiming(now: 100))
    #expect(session.alarm == 130)
    session.reduce(.reached(130))
    session.reduce(.searched(Query("y"), .pages(1)))
    #expect(session.picture == "rows · loading first · asks p1")
  }

  @Test func `A failure moves the clock too.`() throws {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .pages(1)))
    var page = page([1], .more(1), at: 100)
    page.backoff = 30
    session.reduce(.loaded(page, for: try #require(session.requests.first)))
    session.reduce(.wanted(.pages(1)))
    #expect(session.alarm == 130)
    session.reduce(.retried)
    session.failFirst(PageError(.server, message: "502"), at: RetryTiming(now: 140))
    session.reduce(.searched(Query("y"), .pages(1)))
    #expect(session.picture == "rows 1 · loading first · asks p1", "the pause was over at 130")
  }

  @Test func `[D1] A budget is full again at its reset, which is a separate event.`() throws {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .pages(1)))
    var page = page([1], .more(1), at: 1_000)
    page.budget = RateBudget(limit: 10, remaining: 1, resetsAt: 1_008)
    session.reduce(.loaded(page, for: try #require(session.requests.first)))
    #expect(session.budget?.remaining == 1)
    #expect(!session.allowsPrefetch && !session.allowsLiveQueries)
    #expect(session.alarm == 1_008)
    session.reduce(.reached(1_007))
    #expect(!session.allowsPrefetch && !session.allowsLiveQueries)
    session.reduce(.reached(1_008))
    #expect(session.budget == nil)
    #expect(session.allowsPrefetch && session.allowsLiveQueries)
    #expect(session.alarm == nil)
  }

  @Test func `[D1] A refusal with a known end expires at that time.`() {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .pages(1)))
    session.failFirst(PageError(.rateLimited, message: "busy", wait: 3_600), at: RetryTiming(now: 1_000))
    #expect(session.refusedUntil == 4_600)
    #expect(session.alarm == 4_600)
    session.ring()
    #expect(session.refusedUntil == nil)
    #expect(session.picture == "rows · failed first")
  }

  @Test func `Prefetch and live queries follow the budget of the session.`() throws {
    let source = try paged { $0.limits.remaining = try expression("left") }
    var pagingRun = PagingRun(source, answers: [.init([1], "\"left\": 2"), .init([2], "\"left\": 1")])
    #expect(pagingRun.session.allowsPrefetch && pagingRun.session.allowsLiveQueries)
    try pagingRun.load(.pages(1))
    #expect(pagingRun.session.allowsPrefetch && !pagingRun.session.allowsLiveQueries)
    try pagingRun.reduce(.wanted(.pages(1)))
    #expect(!pagingRun.session.allowsPrefetch)
  }
}
