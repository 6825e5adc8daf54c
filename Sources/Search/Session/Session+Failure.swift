private import Text

extension Session {
  /// When the page, or the total, that could not be had may be asked for again, in seconds since 1970; nil when nothing
  /// says so.
  package var refusedUntil: Double? {
    guard case .failed(_, let until)? = slots.first?.status else { return totalRefusedUntil }
    return until
  }

  mutating func endWait(of request: PageRequest) {
    guard let index = slot(for: request), case .waiting(let wait) = slots[index].status else { return }
    clock = max(clock, wait.until)
    slots[index].status = .asked
    settlePhase()
  }

  /// A page that could not be had: asked again after a wait, or given up.
  mutating func fail(_ error: PageError, for request: PageRequest, at moment: Moment) {
    guard let index = slot(for: request), case .asked = slots[index].status else { return }
    clock = max(clock, moment.now)
    log(error, for: request)
    ledger.note(error, at: moment.now)
    let decision = rules.retry.decision(
      after: error, attempt: slots[index].attempt, refusals: ledger.current.refusals, chance: moment.chance)
    switch decision {
    case .again(let delay):
      slots[index].attempt += 1
      slots[index].status = .waiting(Wait(until: moment.now + delay, reason: .retry(error)))
      if error.kind == .rateLimited { ledger.hold(until: moment.now + delay) }
    case .giveUp: giveUp(index, error, at: moment.now)
    case .tooLong(let wait): giveUp(index, error.beyondPatience(wait), at: moment.now)
    }
    settlePhase()
  }

  /// The pages behind a failed one are not wanted any more; those before it still are.
  private mutating func giveUp(_ index: Int, _ error: PageError, at now: Double) {
    slots[index].status = .failed(error, until: error.wait.map { now + $0 })
    slots.removeSubrange((index + 1)...)
    frontier = follower(of: slots[index].position)
  }
}

extension PageError {
  /// A pause asked for in a good reply.
  static func tooLongPause(_ seconds: Double) -> PageError {
    PageError(.rateLimited, message: "the service asks for a pause before the next page", wait: seconds)
      .beyondPatience(seconds)
  }

  /// The same error, with what to do when the wait it asks for is longer than the user allows.
  func beyondPatience(_ seconds: Double) -> PageError {
    var error = self
    // Behind repeated refusals, and those that name no time, the wait is our own.
    let isAsked = wait.map { $0 >= seconds } ?? false
    let start = isAsked ? "it asks to wait" : "it may be asked again after"
    error.wait = seconds
    error.remedy = "\(start) \(DurationText.words(seconds: seconds)); --max-wait allows more"
    return error
  }
}
