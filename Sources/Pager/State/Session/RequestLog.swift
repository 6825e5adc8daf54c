/// One request and what became of it, for the log popup. Nothing in it is secret.
package struct RequestLogEntry: Sendable, Hashable {
  /// Seconds since 1970.
  package var time: Double
  /// Method and address, secrets as `$NAME`.
  package var address: String
  /// HTTP status; nil when no reply came.
  package var status: Int?
  /// Bytes of the body, after decoding.
  package var bytes: Int?
  /// From sending to the last byte.
  package var duration: Duration?
  /// 0 for the first try.
  package var attempt: Int
  /// What the reply says about limits, as one reads it: `27/30 requests, reset 14:02`.
  package var limits: String?
  /// What failed; nil for a good reply.
  package var failure: String?

  package init(
    time: Double, address: String, status: Int? = nil, bytes: Int? = nil, duration: Duration? = nil,
    attempt: Int = 0, limits: String? = nil, failure: String? = nil
  ) {
    self.time = time
    self.address = address
    self.status = status
    self.bytes = bytes
    self.duration = duration
    self.attempt = attempt
    self.limits = limits
    self.failure = failure
  }
}

/// The latest requests, the latest last.
package struct RequestLog: Sendable {
  private static let most = 1_000

  /// Requests ever.
  private(set) var count = 0
  private(set) var entries: [RequestLogEntry] = []

  mutating func append(_ entry: RequestLogEntry) {
    if entries.count >= Self.most { entries.removeFirst(entries.count - Self.most + 1) }
    entries.append(entry)
    count += 1
  }
}
