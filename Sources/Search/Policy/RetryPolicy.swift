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
  ///   - chance: a random number from 0 to 1 for the jitter.
  package func decision(
    after error: PageError, attempt: Int, refusals: Int = 1, chance: Double
  ) -> Decision {
    guard attempt < bound(error.canRepeat) else { return .giveUp }
    let wait = wait(for: error, attempt: attempt, refusals: refusals, chance: chance)
    return wait <= longestWait ? .again(after: wait) : .tooLong(wait)
  }

  private func bound(_ canRepeat: PageError.Repeat) -> Int {
    switch canRepeat {
    case .never, .afterRestart: 0
    case .freely: attempts
    case .atMost(let count): min(count, attempts)
    }
  }

  /// What the service asked for; else the least wait of a secondary limit, doubling; else full jitter,
  /// `chance × min(30, 0.5 · 2^attempt)`. A bucket that has refused twice is left alone for a minute.
  private func wait(for error: PageError, attempt: Int, refusals: Int, chance: Double) -> Double {
    let doubling = Double(1 << min(attempt, 16))
    let isLimited = error.kind == .rateLimited
    let wait: Double
    if let asked = error.wait {
      wait = asked
    } else if isLimited, let least = error.waitAtLeast {
      wait = max(least, 1) * doubling
    } else {
      wait = max(error.waitAtLeast ?? 0, chance * min(30, 0.5 * doubling))
    }
    return isLimited && refusals >= 2 ? max(wait, Self.standardLimitWait) : wait
  }

  /// Seconds to leave a service alone that refuses for its limits and does not say for how long.
  static let standardLimitWait = 60.0
}
