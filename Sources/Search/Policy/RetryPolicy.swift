/// Whether and when a failed page is asked again. A pure function of the error, the attempt and a
/// random number.
package struct RetryPolicy: Sendable, Hashable {
  /// Attempts after the first.
  package var attempts: Int
  /// The longest single wait, in seconds; a longer one ends the run.
  package var longestWait: Double

  package init(attempts: Int, longestWait: Double) {
    self.attempts = attempts
    self.longestWait = longestWait
  }

  package enum Decision: Sendable, Hashable {
    /// Ask again after this many seconds.
    case again(after: Double)
    case giveUp
    /// The service asks for a longer wait than the user allows.
    case tooLong(Double)
  }

  /// - Parameters:
  ///   - attempt: 0 for the first failure of a page.
  ///   - refusals: how often in a row the service has refused for its limits, this time included.
  ///   - pace: seconds between two requests that the service has accepted after such refusals; 0 when unknown.
  ///   - chance: a random number from 0 to 1 for the jitter.
  package func decision(
    after error: PageError, attempt: Int, refusals: Int = 1, pace: Double = 0, chance: Double
  ) -> Decision {
    let bound = bound(error.canRepeat)
    guard attempt < bound else { return .giveUp }
    let wait: Double
    if let asked = error.wait {
      wait = asked
    } else if error.kind == .rateLimited {
      wait =
        error.waitAtLeast.map { secondaryWait(least: $0, attempt, refusals) }
        ?? max(backoff(attempt, chance), pace, attempt > 0 && attempt == bound - 1 ? lastLimitWait : 0)
    } else {
      wait = max(error.waitAtLeast ?? 0, backoff(attempt, chance))
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

  /// Full jitter: `chance × min(30, 0.5 · 2^attempt)` seconds.
  private func backoff(_ attempt: Int, _ chance: Double) -> Double {
    chance * min(30, 0.5 * Self.doubling(attempt))
  }

  /// A limit that a rule of the source knows: its least wait, doubling. A bucket that has refused twice is left alone for
  /// a minute at least.
  private func secondaryWait(least: Double, _ attempt: Int, _ refusals: Int) -> Double {
    let wait = max(least, 1) * Self.doubling(attempt)
    return refusals >= 2 ? max(wait, Self.standardLimitWait) : wait
  }

  /// Before a page is given up that was refused without a hint: a minute, the commonest window.
  private var lastLimitWait: Double { min(Self.standardLimitWait, longestWait) }

  private static func doubling(_ attempt: Int) -> Double { Double(1 << min(attempt, 16)) }

  /// Seconds to leave a service alone that refuses for its limits and does not say for how long.
  static let standardLimitWait = 60.0
}
