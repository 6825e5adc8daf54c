/// Whether and when a failed page is retried. A pure function of the error, the attempt, and a random number.
package struct RetryPolicy: Sendable, Hashable {
  /// The number of retries after the first attempt.
  package var attempts: Int
  /// The longest single wait in seconds; a longer one ends the run.
  package var longestWait: Double

  package init(attempts: Int, longestWait: Double) {
    self.attempts = attempts
    self.longestWait = longestWait
  }

  package enum Decision: Sendable, Hashable {
    /// Retry after this many seconds.
    case again(after: Double)
    case giveUp
    /// The service requires a longer wait than the user allows.
    case tooLong(Double)
  }

  /// - Parameters:
  ///   - attempt: 0 for the first failure of a page.
  ///   - refusals: The number of consecutive rate limit refusals, including this one.
  ///   - pace: The interval in seconds that the service has accepted after such refusals; 0 if unknown.
  ///   - jitter: A random number from 0 to 1 for the jitter.
  package func decision(
    after error: PageError, attempt: Int, refusals: Int = 1, pace: Double = 0, jitter: Double
  ) -> Decision {
    let bound = bound(error.canRepeat)
    guard attempt < bound else { return .giveUp }
    let wait: Double
    if let requested = error.wait {
      wait = requested
    } else if error.kind == .rateLimited {
      wait =
        error.waitAtLeast.map { secondaryWait(least: $0, attempt, refusals) }
        ?? max(backoff(attempt, jitter), pace, attempt > 0 && attempt == bound - 1 ? lastLimitWait : 0)
    } else {
      wait = max(error.waitAtLeast ?? 0, backoff(attempt, jitter))
    }
    return wait <= longestWait ? .again(after: wait) : .tooLong(wait)
  }

  private func bound(_ canRepeat: PageError.Repeat) -> Int {
    switch canRepeat {
    case .never, .afterRestart: 0
    case .freely: attempts
    case .atMost(let count): min(count, attempts)
    }
  }

  /// Full jitter: `jitter × min(30, 0.5 · 2^attempt)` seconds.
  private func backoff(_ attempt: Int, _ jitter: Double) -> Double {
    jitter * min(30, 0.5 * Self.doubling(attempt))
  }

  /// The wait for a limit that a rule of the source recognizes: its minimum wait, doubled with each attempt.
  /// A bucket that has refused twice gets no request for at least a minute.
  private func secondaryWait(least: Double, _ attempt: Int, _ refusals: Int) -> Double {
    let wait = max(least, 1) * Self.doubling(attempt)
    return refusals >= 2 ? max(wait, Self.standardLimitWait) : wait
  }

  /// The wait before the last attempt after a refusal without a hint: a minute, the most common window.
  private var lastLimitWait: Double { min(Self.standardLimitWait, longestWait) }

  private static func doubling(_ attempt: Int) -> Double { Double(1 << min(attempt, 16)) }

  /// Seconds to wait after a rate limit refusal that does not say for how long.
  static let standardLimitWait = 60.0
}
