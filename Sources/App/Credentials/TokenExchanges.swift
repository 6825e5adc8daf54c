import Locking

/// The token requests in flight in this program that use a previous token. A service may treat a refresh token as used once it receives it, and
/// then only the response has the next one. So no such request is canceled, and the program does not end before its
/// response is stored.
package final class TokenExchanges: Sendable {
  /// The longest wait for all of them at the end.
  static let patience = Duration.seconds(10)
  /// How often is checked whether they have ended, and from when on the user is informed of the wait.
  private static let (interval, silence) = (Duration.milliseconds(20), Duration.milliseconds(300))

  private let count = Lock(0)

  package init() {}

  var isActive: Bool { count.withLock { $0 > 0 } }

  func begin() { count.withLock { $0 += 1 } }
  func end() { count.withLock { $0 -= 1 } }

  /// Returns when all have ended, or after `patience`.
  ///
  /// - Parameter report: Called if that takes longer than a moment.
  func finish(by clock: any Clock<Duration>, report: @Sendable () -> Void = {}) async {
    var waited = Duration.zero
    while isActive, waited < Self.patience {
      if waited == Self.silence { report() }
      do { try await clock.sleep(for: Self.interval) } catch { return }
      waited += Self.interval
    }
  }
}

extension Dependencies {
  /// Returns when no token is on its way. A second signal, or Ctrl-\, ends the program at once.
  func finishTokenExchanges(_ message: Message) async {
    if tokenExchanges.isActive { Signals.release(endingSignals) }
    await tokenExchanges.finish(by: clock) {
      message.note("waiting for a new token, which would be lost (Ctrl-C: leave without it)")
    }
  }

  /// Runs work like `blocking`. A signal ends the program when no token is on its way.
  func blockingExchanges<Value: Sendable>(
    _ message: Message, _ work: @escaping @Sendable () async -> Value
  ) -> Value {
    endAfterExchanges(message)
    return blocking(work)
  }

  /// From now on, a signal ends the program when no token is on its way.
  ///
  /// - Parameter isTaken: Whether the program takes the signal for something else.
  func endAfterExchanges(
    _ message: Message, unless isTaken: @escaping @Sendable (Int32) -> Bool = { _ in false }
  ) {
    Task.detached(executorPreference: Workers.shared) {
      var received: Int32?
      await Signals.each(of: endingSignals) { signal in
        if isTaken(signal) { return true }
        received = signal
        return false
      }
      guard let received else { return }
      await finishTokenExchanges(message)
      Signals.raise(received)
    }
  }
}
