import HTTPValues
import JSON
import Testing

@testable import Search

/// How long to wait, and the interval between requests.
@Suite struct WaitTests {
  private func fields(_ pairs: [(String, String)]) -> HTTPFields {
    HTTPFields(pairs.map { HTTPField(received: $0.0, value: $0.1) })
  }

  private func response(_ headers: HTTPFields) throws -> ResponseValues {
    ResponseValues(document: .null, headers: headers, url: try WebURL("https://example.org/"))
  }

  @Test func `A wait that is too long names what raises the limit.`() {
    let limited = PageError(
      .rateLimited, message: "limited", remedy: "set GH_TOKEN for 30 requests a minute", wait: 3_600)
    let error = limited.beyond(RetryPolicy(), 3_600)
    #expect(
      error.commandLineRemedy
        == "the service asks you to wait 1 h. To wait, use --max-wait 1h. Set GH_TOKEN for 30 requests a minute"
    )
    #expect(
      error.remedy
        == "the service asks you to wait 1 h, longer than search.max_wait. Set GH_TOKEN for 30 requests a minute"
    )
  }

  /// Header fields, the wait stated in the source's own field, remaining and reset; the wait at time 1,000.
  @Test(
    arguments: [
      ([("Retry-After", "7"), ("RateLimit", "\"a\";r=0;t=30")], 9.0, 0, 1_060, 7.0),
      ([("Retry-After", "soon"), ("RateLimit", "\"a\";r=0;t=30")], 9, 0, 1_060, 9),
      ([("RateLimit", "\"a\";r=0;t=30")], nil, 0, 1_060, 30), ([], nil, 0, 1_060, 61),
      ([], nil, 0, 900, 1), ([], nil, 1, 1_060, nil), ([], nil, 0, nil, nil),
    ] as [([(String, String)], Double?, Int, Double?, Double?)])
  func `The first available of Retry-After, the source's field, RateLimit and the reset sets the wait.`(
    pairs: [(String, String)], stated: Double?, remaining: Int, reset: Double?, wait: Double?
  ) {
    let budget = RateBudget(remaining: remaining, resetsAt: reset)
    #expect(
      RequestedWait.seconds(headers: fields(pairs), stated: stated, budget: budget, now: 1_000) == wait)
  }

  /// `RateLimit` and `RateLimit-Policy`; limit, remaining and reset at time 1,000, and the wait.
  @Test(
    arguments: [
      ("\"default\";r=50;t=30", "\"default\";q=100;w=60", 100, 50, 1_030, nil),
      ("default ; r=0;t=5", "", nil, 0, 1_005, 5),
      ("\"burst\";r=3;t=1, \"day\";r=0;t=3600", "\"day\";q=9, \"burst\";q=5", 9, 0, 4_600, 3_600),
      ("\"a, b; c\\\"\";r=1;t=2", "\"a, b; c\\\"\";q=4", 4, 1, 1_002, nil),
      ("\"a\";r=2", "", nil, 2, nil, nil), ("\"a\";r=0", "", nil, 0, nil, nil),
    ] as [(String, String, Int?, Int?, Double?, Double?)])
  func `The RateLimit field is parsed as a structured list, and its tightest policy applies.`(
    field: String, policy: String, limit: Int?, remaining: Int?, reset: Double?, wait: Double?
  ) throws {
    let headers = fields([("RateLimit", field), ("RateLimit-Policy", policy)])
    #expect(
      RateBudget(in: try response(headers), limits: Limits(), now: 1_000)
        == RateBudget(limit: limit, remaining: remaining, resetsAt: reset))
    #expect(RateLimitField(headers)?.exhaustedFor == wait)
  }

  @Test(arguments: [
    "limit=10, remaining=0, reset=5", "\"a\"", "\"a\";r=-1;t=5", "\"a\";r=x", "", ";;;,,,",
    "\"never closed;r=0;t=5", "\"a\";r=99999999999999999999",
  ]) func `A RateLimit field in another format is ignored.`(field: String) throws {
    let headers = fields([("RateLimit", field)])
    #expect(RateBudget(in: try response(headers), limits: Limits(), now: 0) == nil)
    #expect(RequestedWait.seconds(headers: headers, budget: nil, now: 0) == nil)
  }

  /// Header fields and the unit; the reset by the local clock at time 1,000.
  @Test(
    arguments: [
      ([("X-Reset", "1010")], .epoch, 1_010),
      ([("X-Reset", "4610"), ("Date", "Thu, 01 Jan 1970 01:16:40 GMT")], .epoch, 1_010),
      ([("X-Reset", "1970-01-01T01:16:50Z"), ("Date", "Thu, 01 Jan 1970 01:16:40 GMT")], .iso8601, 1_010),
      ([("X-Reset", "1010"), ("Date", "Thu, 01 Jan 1970 00:15:40 GMT"), ("Age", "60")], .epoch, 1_010),
      ([("X-Reset", "10"), ("Date", "Thu, 01 Jan 1970 01:16:40 GMT")], .seconds, 1_010),
      ([("X-Reset", "1010"), ("Date", "today")], .epoch, 1_010),
    ] as [([(String, String)], ResetKind, Double)])
  func `A reset is measured by the clock of the service.`(
    pairs: [(String, String)], kind: ResetKind, reset: Double
  ) throws {
    let limits = Limits(
      remaining: try expression("header:X-Remaining"), reset: try expression("header:X-Reset"),
      resetKind: kind)
    let budget = RateBudget(
      in: try response(fields(pairs + [("X-Remaining", "0")])), limits: limits, now: 1_000)
    #expect(budget?.resetsAt == reset)
  }

  @Test(arguments: ["1e300", "inf", "-1", "nan", "99999999999999999999999"])
  func `A reset that no clock can show is ignored.`(text: String) {
    #expect(RateBudget.reset(text, kind: .epoch, now: 0) == nil)
    #expect(RateBudget.reset(text, kind: .seconds, now: 0) == nil)
  }

  @Test(arguments: [
    ("more requests available in 31423 seconds", "in ", 31_423.0), ("in a while, in 5 s", "in ", 5),
    ("Retry In 2.5 seconds", "in ", 2.5), ("in no time", "in ", nil), ("wait 5", "in ", nil),
    (" 12 ", nil, 12), ("soon", nil, nil), ("-3", nil, nil), ("inf", nil, nil), ("1e99", nil, 1e9),
    ("in 99999999999999999999", "in ", 1e9),
  ]) func `A wait may be part of a message.`(text: String, words: String?, seconds: Double?) throws {
    let field = WaitField(value: try expression("message"), numberAfter: words)
    #expect(field.seconds(in: text) == seconds)
  }

  /// Attempt, consecutive refusals, the minimum and the requested wait in the response; the resulting wait.
  @Test(
    arguments: [
      (0, 1, nil, nil, 0.5), (3, 1, nil, nil, 4), (9, 1, nil, nil, 30), (0, 2, nil, nil, 0.5),
      (4, 9, nil, nil, 8), (19, 9, nil, nil, 60), (0, 1, 60, nil, 60), (1, 1, 60, nil, 120),
      (2, 2, 90, nil, 360), (0, 1, 5, nil, 5), (1, 2, 5, nil, 60), (0, 1, 60, 5, 5), (0, 2, 60, 5, 5),
      (1, 2, nil, 300, 300), (0, 2, nil, 0, 0),
    ] as [(Int, Int, Double?, Double?, Double)])
  func `[D5] [D46] A requested wait is kept, a secondary limit doubles, and other waits back off.`(
    attempt: Int, refusals: Int, least: Double?, requested: Double?, wait: Double
  ) {
    let policy = RetryPolicy(attempts: 20, maxWait: 1_000)
    let error = PageError(.rateLimited, message: "", canRepeat: .freely, wait: requested, waitAtLeast: least)
    let decision = policy.decision(after: error, attempt: attempt, refusals: refusals, jitter: 1)
    #expect(decision == .again(after: wait))
  }

  @Test
  func `[D5] A page refused at a pace that had worked is retried no sooner than at that pace.`() {
    let policy = RetryPolicy(attempts: 20, maxWait: 1_000)
    let error = PageError(.rateLimited, message: "", canRepeat: .freely)
    #expect(policy.decision(after: error, attempt: 0, pace: 3, jitter: 1) == .again(after: 3))
    #expect(policy.decision(after: error, attempt: 4, pace: 3, jitter: 1) == .again(after: 8))
  }

  @Test(arguments: [(1, 60.0, 0.25), (3, 60, 60), (3, 10, 10)])
  func `The last retry of a page refused without a hint waits a minute, or the longest wait allowed.`(
    attempts: Int, longest: Double, wait: Double
  ) {
    let policy = RetryPolicy(attempts: attempts, maxWait: longest)
    let error = PageError(.rateLimited, message: "", canRepeat: .freely)
    #expect(policy.decision(after: error, attempt: attempts - 1, jitter: 0.5) == .again(after: wait))
  }

  @Test func `A transient error waits with jitter, but no less than its rule says.`() {
    let policy = RetryPolicy(attempts: 20, maxWait: 1_000)
    let error = PageError(.server, message: "", canRepeat: .freely, waitAtLeast: 5)
    #expect(policy.decision(after: error, attempt: 0, jitter: 1) == .again(after: 5))
    #expect(policy.decision(after: error, attempt: 5, refusals: 9, jitter: 1) == .again(after: 16))
  }

  /// Remaining, seconds to the reset, pages wanted and minimum interval; the resulting interval.
  @Test(
    arguments: [
      (10, 60, 20, 0, 6.0), (10, 60, 10, 0, 0), (10, 60, 9, 2, 2), (2, 3_600, 20, 0, 10), (0, 5, 1, 0, 5),
      (0, 120, 1, 0, 120), (0, 121, 1, 0, 10),
      (0, 5, 0, 0, 0), (10, 60, 20, 8, 8), (10, -5, 20, 2, 2), (nil, 60, 20, 2, 2), (10, nil, 20, 2, 2),
    ] as [(Int?, Double?, Int, Double, Double)])
  func `Requests are spread over the window, or wait for its end, only if more pages are wanted than remain.`(
    remaining: Int?, reset: Double?, wanted: Int, least: Double, interval: Double
  ) {
    let budget = RateBudget(remaining: remaining, resetsAt: reset.map { 1_000 + $0 })
    #expect(
      Pacing.interval(budget: budget, pagesWanted: wanted, minInterval: least, maxWait: 120, now: 1_000)
        == interval)
  }

  @Test func `A nearly exhausted budget stops prefetching until its window ends.`() {
    let budget = { RateBudget(remaining: $0, resetsAt: 100) }
    #expect([0, 1, 2, 3].map { budget($0).allowsPrefetch } == [false, false, true, true])
    #expect([0, 1, 2, 3].map { budget($0).allowsLiveQueries } == [false, false, false, true])
    #expect(budget(0).current(at: 99) == budget(0))
    #expect(budget(0).current(at: 100) == nil)
    #expect(RateBudget(remaining: 0).current(at: 1e9) != nil)
  }
}

extension WaitField {
  init(value: ValueExpression, numberAfter: String?) {
    self.init(value: value)
    self.numberAfter = numberAfter
  }
}
