import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A request that is retried after 1, 2, 4 and 8 seconds.
struct Retry: Sendable, Equatable {
  /// Each attempt is another query, so it starts another effect.
  struct Request: Sendable, Equatable {
    var attempt = 0

    var delay: Duration { attempt == 0 ? .zero : .seconds(1 << (attempt - 1)) }
    var next: Request? { attempt < 4 ? Request(attempt: attempt + 1) : nil }
  }

  var request: Request?
  var answer: String?
  var failures: [String] = []

  enum Event: Sendable, Equatable { case requested, canceled, answered(String), failed(String) }

  @Sendable static func reduce(_ retry: inout Retry, _ event: Event) {
    switch event {
    case .requested: retry = Retry(request: Request())
    case .canceled: retry.request = nil
    case .answered(let answer):
      retry.answer = answer
      retry.request = nil
    case .failed(let message):
      retry.failures.append(message)
      retry.request = retry.request?.next
    }
  }

  static func requests(
    _ clock: some Clock<Duration>, _ load: @escaping @Sendable () async throws -> String
  ) -> Feedback<Retry, Event> {
    .react(
      to: \.request, name: "request",
      effect: { request in
        try await clock.sleep(for: request.delay)
        return .answered(try await load())
      },
      failure: { error, _ in .failed("\(error)") })
  }
}

@Suite struct RetryTests {
  private struct Busy: Error {}

  /// Shows each second: a failed attempt, an answer, the end, or nothing.
  private static func picture(seconds: Int, cancelAt: Int? = nil, isBusyUntil limit: Int) -> String {
    let clock = ManualClock()
    let retry = TestSystem(
      initialState: Retry(), reduce: Retry.reduce,
      feedbacks: [
        Retry.requests(clock) {
          guard clock.now.offset >= .seconds(limit) else { throw Busy() }
          return "done"
        }
      ], clock: clock, exhaustivity: .off, report: TestFailure.record)
    var picture = ""
    var failures = 0
    retry.send(.requested)
    for second in 0..<seconds {
      if second == cancelAt { retry.send(.canceled) }
      let state = retry.live.state
      picture += state.answer != nil ? "✓" : state.failures.count > failures ? "×" : "·"
      failures = state.failures.count
      retry.advance(by: .seconds(1))
    }
    retry.finish()
    return picture
  }

  @Test func `A request that fails is retried after growing delays`() {
    #expect(Self.picture(seconds: 8, isBusyUntil: 5) == "××·×···✓")
    #expect(Self.picture(seconds: 20, isBusyUntil: 100) == "××·×···×·······×····")
    #expect(Self.picture(seconds: 12, cancelAt: 5, isBusyUntil: 100) == "××·×········")
  }
}
