package import HTTPValues
import JSON
private import Text

// All waits of a session are decided here: after a failure, by `RetryPolicy`; before the next page, by the pause that
// the service requested and by `Pacing`. `RequestedWait` reads the wait that a response requests, and `RateLedger`
// records the limits that the responses of a bucket have shown.

/// A wait for a known time.
package struct Wait: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// A failed page is to be retried.
    case retry(PageError)
    /// Requests are paced.
    case pacing
  }

  /// The end of the wait, by the clock of the session.
  package var until: Double
  package var reason: Reason
}

/// A request of a session: sent, waiting, answered, or given up.
struct RequestState<Response: Sendable>: Sendable {
  enum Status: Sendable {
    case requested
    indirect case waiting(Wait)
    indirect case answered(Response)
    /// Given up. If the service refused the request for a limited time, it may be sent again after that time.
    indirect case failed(PageError, until: Double?)
  }

  var attempt = 0
  var status = Status.requested

  var isRequested: Bool { if case .requested = status { true } else { false } }
  var wait: Wait? { if case .waiting(let wait) = status { wait } else { nil } }
  var failure: PageError? { if case .failed(let error, _) = status { error } else { nil } }
  /// When a failed request may be sent again; nil if the service names no time.
  var refusedUntil: Double? { if case .failed(_, let until) = status { until } else { nil } }
  var changesAt: Double? { wait?.until ?? refusedUntil }

  /// Sends the request if its wait is over; returns whether it was.
  mutating func wake(at time: Double) -> Bool {
    guard let wait, wait.until <= time else { return false }
    status = .requested
    return true
  }

  /// Sends the request now. A waiting request keeps its attempt number; after giving up, it is a new attempt.
  mutating func retry() {
    if failure != nil { attempt += 1 }
    if failure != nil || wait != nil { status = .requested }
  }
}

extension Session {
  /// The state after a failed attempt: another attempt, now or after a wait, or none. A refusal because of a rate limit
  /// holds all requests of its bucket.
  mutating func state<Response>(after error: PageError, attempt: Int, jitter: Double) -> RequestState<
    Response
  > {
    ledger.note(error, at: clock)
    let account = ledger.current
    let decision = rules.retry.decision(
      after: error, attempt: attempt, refusals: account.refusals, pace: account.pace, jitter: jitter)
    switch decision {
    case .again(let delay):
      if error.kind == .rateLimited { ledger.hold(until: clock + delay, from: clock) }
      let wait = Wait(until: clock + delay, reason: .retry(error))
      return RequestState(attempt: attempt + 1, status: delay > 0 ? .waiting(wait) : .requested)
    case .giveUp:
      return RequestState(attempt: attempt, status: .failed(error, until: error.wait.map { clock + $0 }))
    case .tooLong(let wait):
      return RequestState(
        attempt: attempt, status: .failed(error.beyond(rules.retry, wait), until: clock + wait))
    }
  }

  /// The state of a request that may be sent at this time. In one-shot mode, a requested pause longer than the user
  /// allows is a failure; the pager shows the remaining time instead.
  func stateOfRequest<Response>(startingAt start: Double) -> RequestState<Response> {
    if start <= clock { return RequestState() }
    let requested = ledger.current.notBefore
    if rules.awaitsWriting, requested - clock > rules.retry.maxWait {
      let error = PageError(
        .rateLimited, message: "the service requests a pause before the next page", wait: requested - clock)
      return RequestState(status: .failed(error.beyond(rules.retry, requested - clock), until: requested))
    }
    return RequestState(status: .waiting(Wait(until: start, reason: .pacing)))
  }

  /// The next time, later than `clock`, at which a wait is over, a budget is reset, or a refused request may
  /// be sent again; nil if there is none. A feedback sends `.reached` then.
  package var alarm: Double? {
    let times = slots.map(\.state.changesAt) + [total(\.changesAt), ledger.current.budget?.resetsAt]
    return times.compactMap(\.self).filter { $0 > clock }.min()
  }

  /// When the failed page or total may be requested again; nil if no time is named, or it has passed.
  package var refusedUntil: Double? {
    let page = slots.first?.state
    let until = page?.failure == nil ? total(\.refusedUntil) : page?.refusedUntil
    return until.flatMap { $0 > clock ? $0 : nil }
  }

  /// When the next page may be requested; 0 for immediately.
  var earliestStart: Double {
    let account = ledger.current
    let pace = min(account.pace, rules.retry.maxWait)
    let start = max(account.notBefore, pace > 0 ? account.sentAt + pace : 0)
    let last = lastStart
    guard last > 0 else { return start }
    let interval = Pacing.interval(
      budget: budget?.share(rules.rateShare), pagesWanted: pagesWanted, minInterval: rules.minInterval,
      maxWait: rules.retry.maxWait, now: account.budgetReceivedAt)
    return max(start, max(interval, pace) > 0 ? last + max(interval, pace) : 0)
  }

  /// When the last request is sent, or was: those that wait for their time are counted.
  var lastStart: Double {
    let paced = slots.compactMap(\.state.wait).filter { $0.reason == .pacing }
    return paced.map(\.until).reduce(lastSentAt, max)
  }

  /// The number of pages still to be requested, as far as it is known.
  private var pagesWanted: Int {
    var bounds: [Int] = []
    switch demand {
    case .nothing: bounds.append(0)
    case .pages(let count): bounds.append(count - slots.count)
    case .rows(let count): bounds += pages(for: count - fresh.count)
    case .everything: break
    }
    if let most = rules.maxPages { bounds.append(most - pageCount - slots.count) }
    if let most = rules.maxRows { bounds += pages(for: most - fresh.count) }
    if let last = rules.range?.last { bounds.append(last - (nextPosition?.ordinal ?? 0)) }
    if let parts {
      bounds += pages(for: (total?.count ?? .max) - parts.rows - progress.received)
    } else if let count = progress.pageCount {
      bounds.append(count - (nextPosition?.ordinal ?? 0))
    } else if let total {
      bounds += pages(for: total.count - progress.received)
    }
    let wanted = max(bounds.min() ?? Pacing.unknownPages, 0)
    // Lists of further parents may follow.
    return list != nil && demand == .everything ? max(wanted, Pacing.unknownPages) : wanted
  }

  /// The pages for a number of rows; empty if the page size is not known.
  private func pages(for rows: Int) -> [Int] {
    guard let size = progress.pageSize, size > 0 else { return [] }
    return [rows / size + (rows % size > 0 ? 1 : 0) - slots.count]
  }
}

/// The interval between the requests of a run.
package enum Pacing {
  /// The interval between two requests in seconds. Requests are spread over the rest of the window only if
  /// more pages are wanted than requests remain, and then at most ten seconds apart. Without a request left, the next
  /// one waits for the end of the window, if that is not too long.
  ///
  /// - Parameters:
  ///   - minInterval: The minimum interval that the source requires, in seconds.
  ///   - pagesWanted: The number of pages still to be requested.
  ///   - maxWait: The longest wait for the end of the window, in seconds.
  ///   - now: When the budget was received, in seconds since 1970.
  package static func interval(
    budget: RateBudget?, pagesWanted: Int, minInterval: Double, maxWait: Double, now: Double
  ) -> Double {
    guard let remaining = budget?.remaining, let reset = budget?.resetsAt, reset > now,
      pagesWanted > remaining
    else { return minInterval }
    let window = reset - now
    if remaining == 0, window <= maxWait { return max(minInterval, window) }
    return max(minInterval, min(longest, window / Double(max(remaining, 1))))
  }

  /// The maximum interval that riffle chooses itself, in seconds.
  static let longest = 10.0

  /// The number of pages assumed if nothing limits them.
  static let unknownPages = 20
}

/// Whether and when a failed page is retried. A pure function of the error, the attempt, and a random number.
package struct RetryPolicy: Sendable, Hashable {
  /// The number of retries after the first attempt.
  package var attempts = 3
  /// The longest single wait in seconds; a longer one ends the run.
  package var maxWait = 120.0
  /// Where it was set, for messages: a setting or an option.
  package var maxWaitName = "search.max_wait"

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
    let wait =
      if let requested = error.wait {
        requested
      } else if error.kind != .rateLimited {
        max(error.waitAtLeast ?? 0, backoff(attempt, jitter))
      } else if let least = error.waitAtLeast {
        secondaryWait(least: least, attempt, refusals)
      } else {
        // The wait before the last attempt is a minute, the most common window.
        max(
          backoff(attempt, jitter), pace,
          attempt > 0 && attempt == bound - 1 ? min(Self.standardLimitWait, maxWait) : 0)
      }
    return wait <= maxWait ? .again(after: wait) : .tooLong(wait)
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
    max(max(least, 1) * Self.doubling(attempt), refusals >= 2 ? Self.standardLimitWait : 0)
  }

  private static func doubling(_ attempt: Int) -> Double { Double(1 << min(attempt, 16)) }

  /// Seconds to wait after a rate limit refusal that does not say for how long.
  static let standardLimitWait = 60.0

  /// The minimum wait in seconds after a failure that a rule of the source recognizes; nil if there is none.
  static func minWait(
    after kind: PageError.Kind, _ canRepeat: PageError.Repeat, by rule: ErrorRule?
  ) -> Double? {
    guard let rule else { return nil }
    return rule.waitAtLeast ?? (kind == .rateLimited && canRepeat != .never ? standardLimitWait : nil)
  }
}

extension PageError {
  /// The same error with one more remedy, for a wait longer than the policy allows.
  func beyond(_ policy: RetryPolicy, _ seconds: Double) -> PageError {
    var error = self
    // After repeated refusals, and if the service names no time, riffle chooses the wait itself.
    let isAsked = wait.map { $0 >= seconds } ?? false
    let start = isAsked ? "the service asks you to wait" : "the next request must wait"
    let need = "\(start) \(DurationText.words(seconds: seconds))"
    // A credential may raise the limit.
    error.remedy = Sentences.joined(["\(need), longer than \(policy.maxWaitName)", remedy])
    error.commandLineRemedy = Sentences.joined([
      need, "to wait, use --max-wait \(DurationText.option(seconds: seconds))", commandLineRemedy ?? remedy,
    ])
    error.wait = seconds
    return error
  }
}

/// The wait that a response requests. The first one present counts: `Retry-After` (seconds, or an HTTP date
/// compared with the response's own `Date`), the source's own field, an exhausted policy of the `RateLimit`
/// field, an exhausted budget with a known reset.
package enum RequestedWait {
  /// Seconds from `now`; nil if the response requests no wait.
  ///
  /// - Parameter stated: The value of the source's own field (`wait_from`, `backoff`).
  package static func seconds(
    headers: HTTPFields, stated: Double? = nil, budget: RateBudget?, now: Double
  ) -> Double? {
    if let wait = retryAfter(headers, now: now) ?? stated { return min(wait, WaitSeconds.most) }
    if let wait = RateLimitField(headers)?.exhaustedFor { return wait }
    guard let budget, budget.remaining == 0, let reset = budget.resetsAt else { return nil }
    return min(max(0, reset - now) + 1, WaitSeconds.most)
  }

  /// The value of the source's own field in a failed response: that of the matching rule, or else `backoff`.
  static func stated(in response: ResponseValues, by rule: ErrorRule?, limits: Limits) -> Double? {
    if let field = rule?.waitFrom, let seconds = response.text(of: field.value).flatMap(field.seconds) {
      return seconds
    }
    return limits.backoff.flatMap { response.text(of: $0) }.flatMap { WaitSeconds.seconds($0) }
  }

  /// RFC 9110 section 10.2.3. A fraction, which some services send, is rounded up; negative, empty, and malformed
  /// values are ignored.
  static func retryAfter(_ headers: HTTPFields, now: Double) -> Double? {
    guard let text = headers.first("Retry-After")?.trimmedBlanks, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }) {
      return Double(text)?.rounded(.up)
    }
    guard let now = Timestamp(epoch: now), let until = Timestamp(httpDate: text, now: now),
      let date = headers.first("Date").flatMap({ Timestamp(httpDate: $0, now: now) })
    else { return nil }
    let wait = until.epoch - date.epoch
    return wait >= 0 ? wait : nil
  }
}

/// `wait_from = {path|header, number_after}`: a wait in seconds, or a message that contains one.
package struct WaitField: Sendable, Hashable {
  package var value: ValueExpression
  /// The words before the number, ignoring case; nil if the value is the number.
  package var numberAfter: String?

  package init(value: ValueExpression) { self.value = value }

  /// The wait in a text, in seconds; only the beginning of a long text is searched.
  package func seconds(in text: String) -> Double? {
    guard let words = numberAfter?.lowercased(), !words.isEmpty else { return WaitSeconds.seconds(text) }
    let text = text.prefix(2_000).lowercased()
    return text.ranges(of: words).lazy.compactMap { WaitSeconds.leadingSeconds(text[$0.upperBound...]) }.first
  }
}

/// Numbers of seconds as services write them; invalid ones (infinite, negative, not a number) are rejected.
enum WaitSeconds {
  /// The maximum number of seconds: longer than any real wait, and small enough for exact arithmetic.
  static let most = 1e9

  static func seconds(_ text: some StringProtocol) -> Double? {
    guard let number = Double(text.trimmedBlanks), number.isFinite, number >= 0 else { return nil }
    return min(number, most)
  }

  /// The number at the beginning of a text.
  static func leadingSeconds(_ text: Substring) -> Double? {
    seconds(text.prefix { $0.isASCII && $0.isNumber || $0 == "." })
  }
}
