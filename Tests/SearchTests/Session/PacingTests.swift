import Testing

@testable import Search

/// Waits of a session: where they come from, and that they are a state.
@Suite struct PacingTests {
  private func paged(_ change: (inout Source) throws -> Void = { _ in }) throws -> Source {
    try listSource(PagePagination.self, PaginationSettings(into: .query("p")), change)
  }

  /// How far apart the requests were, in whole seconds.
  private func pauses(_ source: Source, size: Int? = nil, _ answers: [Walk.Answer]) throws -> [Int] {
    var times: [Double] = []
    let clock = Clock()
    var walk = Walk(source, size: size) { _ in
      times.append(clock.now)
      return answers[min(times.count, answers.count) - 1]
    }
    walk.session.reduce(.searched(Query("x"), .everything))
    while times.count < 30, !walk.session.isSettled {
      clock.now = walk.time
      try walk.step()
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
    func answer(_ ids: [Int], remaining: Int) -> Walk.Answer {
      var answer = Walk.Answer(ids)
      answer.headers = [("X-Remaining", "\(remaining)"), ("X-Reset", "1020")]
      return answer
    }
    #expect(
      try pauses(source, [answer([1], remaining: 5), answer([2], remaining: 4), answer([], remaining: 3)])
        == [4, 4])
    #expect(try pauses(source, [answer([1], remaining: 50), answer([], remaining: 49)]) == [0])
  }

  @Test func `A pause asked for in a good reply is kept, over a new query too.`() throws {
    let source = try paged { $0.limits.backoff = try expression("backoff") }
    #expect(try pauses(source, [.init([1], "\"backoff\": 7"), .init([])]) == [7])
    var walk = Walk(source, answers: [.init([1], "\"backoff\": 7"), .init([2])])
    try walk.load(.pages(1))
    walk.session.reduce(.searched(Query("y"), .pages(1)))
    #expect(walk.session.picture == "rows 1 · waiting first · waits p1")
    guard case .waiting(_, let wait) = walk.session.phase else { return }
    #expect(wait.reason == .pacing)
    #expect(Int(wait.until) == 1_007)
  }

  @Test func `A pause longer than the user waits is told where nobody watches, and else counted down.`()
    throws
  {
    let source = try paged { $0.limits.backoff = try expression("backoff") }
    let answers = [Walk.Answer([1], "\"backoff\": 3600"), .init([])]
    var walk = Walk(source, rules: { $0.awaitsWriting = true }, answers: answers)
    try walk.load()
    #expect(
      walk.picture == "asks p=1 · rows 1 · failed: the service asks for a pause before the next page")
    guard case .failed(_, let error) = walk.session.phase else { return }
    #expect(error.remedy == "it asks to wait 1 h; --max-wait allows more")
    #expect(error.kind == .rateLimited)

    var watched = Walk(source, answers: answers)
    watched.session.reduce(.searched(Query("x"), .everything))
    try watched.step()
    #expect(watched.session.picture == "rows 1 · waiting first · waits p2")
    try watched.reduce(.retried)
    #expect(watched.session.phase == .end(.emptyPage))
  }

  @Test(arguments: ["inf", "-1", "\"nan\"", "1e400", "{}"])
  func `A pause that is none is not waited for.`(backoff: String) throws {
    let source = try paged { $0.limits.backoff = try expression("backoff") }
    let value = backoff == "inf" ? "\"inf\"" : backoff
    #expect(try pauses(source, [.init([1], "\"backoff\": \(value)"), .init([])]) == [0])
  }

  @Test func `A refused bucket is left alone: what is asked meanwhile waits as well.`() throws {
    var walk = Walk(
      try paged(), rules: { $0.retry.attempts = 2 },
      answers: [.init(status: 429, body: "{}", headers: [("Retry-After", "30")]), .init([1])])
    walk.session.reduce(.searched(Query("x"), .pages(1)))
    try walk.step()
    #expect(walk.session.picture == "rows · waiting first · waits p1'")
    walk.session.reduce(.searched(Query("y"), .pages(1)))
    #expect(walk.session.picture == "rows · waiting first · waits p1")
    walk.session.reduce(.retried)
    #expect(walk.session.picture == "rows · loading first · asks p1'")
  }

  @Test func `Prefetch and live queries follow the budget of the session.`() throws {
    let source = try paged { $0.limits.remaining = try expression("left") }
    var walk = Walk(source, answers: [.init([1], "\"left\": 2"), .init([2], "\"left\": 1")])
    #expect(walk.session.allowsPrefetch(at: 0) && walk.session.allowsLiveQueries(at: 0))
    try walk.load(.pages(1))
    #expect(walk.session.allowsPrefetch(at: 0) && !walk.session.allowsLiveQueries(at: 0))
    try walk.reduce(.wanted(.pages(1)))
    #expect(!walk.session.allowsPrefetch(at: 0))
  }
}
