/// The number of requests answered per time window.
package struct RequestAllowance: Sendable {
  /// At least 1.
  package var limit: Int
  /// In seconds, at least 1.
  package var window: Int

  package init(limit: Int, window: Int) {
    self.limit = limit
    self.window = window
  }

  /// More than a user or a test can exhaust.
  package static let generous = RequestAllowance(limit: 10_000, window: 60)
}

/// The requests counted in the current window. A window begins with the first request after the end of the
/// previous one.
struct RequestBudget: Sendable {
  let allowance: RequestAllowance
  private(set) var remaining: Int
  /// The end of the window in seconds since 1970; 0 before the first request.
  private(set) var reset: Int

  init(_ allowance: RequestAllowance) {
    self.allowance = allowance
    remaining = allowance.limit
    reset = 0
  }

  /// Counts a request at a time in seconds since 1970. Returns a `Refusal` if the budget is exhausted.
  mutating func spend(at now: Int) -> Refusal? {
    if now >= reset {
      remaining = allowance.limit
      reset = now + allowance.window
    }
    guard remaining > 0 else {
      return Refusal(429, "rate limit of \(allowance.limit) requests reached. Wait \(reset - now) s")
    }
    remaining -= 1
    return nil
  }

  /// The header fields that report the budget to a client.
  func fields(at now: Int) -> [Reply.Field] {
    let wait = Reply.Field(name: "Retry-After", value: String(max(0, reset - now)))
    return [
      Reply.Field(name: "X-RateLimit-Limit", value: String(allowance.limit)),
      Reply.Field(name: "X-RateLimit-Remaining", value: String(remaining)),
      Reply.Field(name: "X-RateLimit-Reset", value: String(reset)),
    ] + (remaining == 0 ? [wait] : [])
  }
}
