private import Text

extension Session {
  /// When the page, or the total, that failed may be requested again; nil if the service names no time, or it
  /// has passed.
  package var refusedUntil: Double? {
    let until: Double? =
      if case .failed(_, let until)? = slots.first?.status { until } else { totalRefusedUntil }
    guard let until, until > clock else { return nil }
    return until
  }

  /// Handles a failed page: schedules a retry, or gives up.
  mutating func fail(_ error: PageError, for request: PageRequest, at moment: Moment) {
    guard let index = slot(for: request), case .requested = slots[index].status else { return }
    advance(to: moment.now)
    log(error, for: request)
    ledger.note(error, at: clock)
    let account = ledger.current
    let decision = rules.retry.decision(
      after: error, attempt: slots[index].attempt, refusals: account.refusals, pace: account.pace,
      jitter: moment.jitter)
    switch decision {
    case .again(let delay):
      slots[index].attempt += 1
      slots[index].status =
        delay > 0 ? .waiting(Wait(until: clock + delay, reason: .retry(error))) : .requested
      if error.kind == .rateLimited { ledger.hold(until: clock + delay, from: clock) }
    case .giveUp: giveUp(index, error)
    case .tooLong(let wait): giveUp(index, error.beyondWaitLimit(wait))
    }
    settlePhase()
  }

  /// Cancels the pages after a failed one; those before it are still loaded.
  private mutating func giveUp(_ index: Int, _ error: PageError) {
    slots[index].status = .failed(error, until: error.wait.map { clock + $0 })
    slots.removeSubrange((index + 1)...)
    nextPosition = follower(of: slots[index].position)
  }
}

extension PageError {
  /// The service requested too long a pause in a successful reply.
  static func tooLongPause(_ seconds: Double) -> PageError {
    PageError(.rateLimited, message: "the service requests a pause before the next page", wait: seconds)
      .beyondWaitLimit(seconds)
  }

  /// The same error with a remedy, for a wait longer than the user allows.
  func beyondWaitLimit(_ seconds: Double) -> PageError {
    var error = self
    // After repeated refusals, and if the service names no time, riffle chooses the wait itself.
    let isAsked = wait.map { $0 >= seconds } ?? false
    let start = isAsked ? "the service asks to wait" : "the next request must wait"
    error.wait = seconds
    error.remedy = "\(start) \(DurationText.words(seconds: seconds)). Use --max-wait to allow it"
    return error
  }
}
