/// Where a service says how much it still allows, and how gently to ask (`[limits]`).
package struct Limits: Sendable {
  package var limit: ValueExpression?
  package var remaining: ValueExpression?
  package var reset: ValueExpression?
  package var resetKind: ResetKind?
  /// Which of several budgets a request counts against.
  package var bucket: ValueExpression?
  /// A body field that asks for a pause in seconds.
  package var backoff: ValueExpression?
  /// The least time between two requests of one run.
  package var minInterval: Duration
  /// How many addressable pages may be asked at once.
  package var concurrency: Int

  package init(
    limit: ValueExpression? = nil, remaining: ValueExpression? = nil, reset: ValueExpression? = nil,
    resetKind: ResetKind? = nil, bucket: ValueExpression? = nil, backoff: ValueExpression? = nil,
    minInterval: Duration = .zero,
    concurrency: Int = 4
  ) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
    self.resetKind = resetKind
    self.bucket = bucket
    self.backoff = backoff
    self.minInterval = minInterval
    self.concurrency = concurrency
  }
}

/// The unit of a reset field.
package enum ResetKind: String, Sendable, CaseIterable {
  case epoch
  case epochMilliseconds = "epoch_ms"
  case seconds
  case iso8601
  case httpDate = "http-date"
}
