/// Where a service reports its rate limits, and how requests are paced (`[limits]`).
package struct Limits: Sendable {
  package var limit: ValueExpression?
  package var remaining: ValueExpression?
  package var reset: ValueExpression?
  package var resetKind: ResetKind?
  /// The budget that a request counts against, if there are several.
  package var bucket: ValueExpression?
  /// A body field with a requested pause in seconds.
  package var backoff: ValueExpression?
  /// The minimum interval between two requests of a run.
  package var minInterval: Duration
  /// The number of addressable pages that may be requested concurrently.
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
