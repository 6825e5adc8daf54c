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
  ///   - chance: a random number from 0 to 1 for the jitter.
  package func decision(after error: PageError, attempt: Int, chance: Double) -> Decision {
    guard attempt < bound(error.canRepeat) else { return .giveUp }
    let wait = wait(for: error, attempt: attempt, chance: chance)
    return wait <= longestWait ? .again(after: wait) : .tooLong(wait)
  }

  private func bound(_ canRepeat: PageError.Repeat) -> Int {
    switch canRepeat {
    case .never: 0
    case .freely: attempts
    case .atMost(let count): min(count, attempts)
    }
  }

  /// What the service asked for; else the least wait of a secondary limit, doubling; else full jitter,
  /// `chance × min(30, 0.5 · 2^attempt)`.
  private func wait(for error: PageError, attempt: Int, chance: Double) -> Double {
    let doubling = Double(1 << min(attempt, 16))
    if let wait = error.wait { return wait }
    if error.kind == .rateLimited { return max(error.waitAtLeast ?? 60, 1) * doubling }
    return chance * min(30, 0.5 * doubling)
  }
}
