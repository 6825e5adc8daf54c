/// What a session is doing. Whether it is loading follows from the phase and is not stored separately.
package enum Phase: Sendable, Hashable {
  /// Nothing is wanted, or the demand is met; more pages may exist.
  case idle
  case loading(Load)
  /// A retry or the next request is scheduled for a known time.
  case waiting(Load, Wait)
  case failed(Load, PageError)
  /// The user stopped the load; nothing loads until requested.
  case stopped(Load)
  case end(EndReason)

  package var load: Load? {
    switch self {
    case .loading(let load), .waiting(let load, _), .failed(let load, _), .stopped(let load): load
    case .idle, .end: nil
    }
  }

  package var isLoading: Bool { if case .loading = self { true } else { false } }
  package var isWaiting: Bool { if case .waiting = self { true } else { false } }
  package var isStopped: Bool { if case .stopped = self { true } else { false } }
  package var isFailed: Bool { if case .failed = self { true } else { false } }
}

/// A load in progress.
package enum Load: Sendable, Hashable {
  /// The first page of a new query.
  case first
  case more
  /// From page 1 again, while the rows loaded before are shown.
  case refresh
}

/// A wait for a known time.
package struct Wait: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// A failed page is to be retried.
    case retry(PageError)
    /// Requests are paced.
    case pacing
  }

  /// By the clock of the session.
  package var until: Double
  package var reason: Reason

  package init(until: Double, reason: Reason) {
    self.until = until
    self.reason = reason
  }
}

/// The current time by the clock of the session, and a random number from 0 to 1.
package struct Moment: Sendable, Hashable {
  package var now: Double
  package var jitter: Double

  package init(now: Double, jitter: Double = 0.5) {
    self.now = now
    self.jitter = jitter
  }
}
