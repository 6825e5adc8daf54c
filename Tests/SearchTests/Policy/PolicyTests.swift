import HTTPValues
import Testing

@testable import Search

@Suite struct PolicyTests {
  private func fields(_ pairs: [(String, String)]) -> HTTPFields {
    HTTPFields(pairs.map { HTTPField(received: $0.0, value: $0.1) })
  }

  /// Header fields, and the wait in seconds at time 1,700,000,000.
  @Test(
    arguments: [
      ([("Retry-After", "120")], 120.0), ([("Retry-After", "0")], 0), ([("Retry-After", "-1")], nil),
      ([("Retry-After", "1.5")], 2), ([("Retry-After", "2.0")], 2), ([("Retry-After", "")], nil),
      ([("Retry-After", "soon")], nil),
      (
        [("Retry-After", "Tue, 14 Nov 2023 22:14:20 GMT"), ("Date", "Tue, 14 Nov 2023 22:13:20 GMT")], 60
      ),
      ([("Retry-After", "Tue, 14 Nov 2023 22:14:20 GMT")], nil),
    ] as [([(String, String)], Double?)])
  func `Retry-After is in seconds, rounded up, or a date compared with the date of the response.`(
    pairs: [(String, String)], wait: Double?
  ) {
    #expect(RequestedWait.seconds(headers: fields(pairs), budget: nil, now: 1_700_000_000) == wait)
  }

  @Test func `An exhausted budget waits until one second after its reset.`() {
    let spent = RateBudget(limit: 10, remaining: 0, resetsAt: 1_700_000_030)
    #expect(RequestedWait.seconds(headers: [], budget: spent, now: 1_700_000_000) == 31)
    let left = RateBudget(limit: 10, remaining: 1, resetsAt: 1_700_000_030)
    #expect(RequestedWait.seconds(headers: [], budget: left, now: 1_700_000_000) == nil)
  }

  /// Text, declared kind, seconds since 1970.
  @Test(
    arguments: [
      ("1700000060", nil, 1_700_000_060.0), ("1700000060000", nil, 1_700_000_060), ("60", nil, 1_700_000_060),
      ("60", .seconds, 1_700_000_060), ("1700000060500", .epochMilliseconds, 1_700_000_060.5),
      ("2023-11-14T22:14:20Z", .iso8601, 1_700_000_060),
      ("Tue, 14 Nov 2023 22:14:20 GMT", .httpDate, 1_700_000_060),
      ("nan", nil, nil), ("-5", nil, nil), ("soon", nil, nil),
    ] as [(String, ResetKind?, Double?)])
  func `A reset uses the declared unit, or else the one that its size implies.`(
    text: String, kind: ResetKind?, time: Double?
  ) {
    #expect(RateBudget.reset(text, kind: kind, now: 1_700_000_000) == time)
  }

  @Test(arguments: [
    (PageError.Repeat.never, 0, RetryPolicy.Decision.giveUp), (.freely, 0, .again(after: 0.25)),
    (.freely, 2, .again(after: 1)), (.freely, 3, .giveUp), (.atMost(1), 0, .again(after: 0.25)),
    (.atMost(1), 1, .giveUp),
  ]) func `A failure is retried as often as it and the user allow, with jittered exponential backoff.`(
    canRepeat: PageError.Repeat, attempt: Int, decision: RetryPolicy.Decision
  ) {
    let policy = RetryPolicy(attempts: 3, maxWait: 60)
    let error = PageError(.server, message: "", canRepeat: canRepeat)
    #expect(policy.decision(after: error, attempt: attempt, jitter: 0.5) == decision)
  }

  @Test func `A wait longer than the user allows is reported instead of waited for.`() {
    let policy = RetryPolicy(attempts: 3, maxWait: 60)
    let requested = PageError(.rateLimited, message: "", canRepeat: .freely, wait: 61)
    #expect(policy.decision(after: requested, attempt: 0, jitter: 0) == .tooLong(61))
  }

  @Test func `A secondary limit without a header waits one minute, then two.`() {
    let policy = RetryPolicy(attempts: 3, maxWait: 600)
    let limited = PageError(.rateLimited, message: "", canRepeat: .freely, waitAtLeast: 60)
    #expect(policy.decision(after: limited, attempt: 0, jitter: 0) == .again(after: 60))
    #expect(policy.decision(after: limited, attempt: 1, jitter: 0) == .again(after: 120))
  }
}
