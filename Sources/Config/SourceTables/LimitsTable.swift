import Search

extension Limits {
  /// `[limits]`.
  init(_ reader: inout TableReader) {
    self.init(
      limit: reader.expression("limit"), remaining: reader.expression("remaining"),
      bucket: reader.expression("bucket"), backoff: reader.expression("backoff"))
    if let (reset, kind) = reader.table("reset", Self.reset) {
      self.reset = reset
      resetKind = kind
    }
    minInterval = reader.duration("min_interval", in: .zero ... .seconds(3_600)) ?? minInterval
    concurrency = reader.integer("concurrency", in: 1...64) ?? concurrency
  }

  private static func reset(_ reader: inout TableReader) -> (ValueExpression, ResetKind?)? {
    reader.require("from", "where the reset time is, like \"header:X-RateLimit-Reset\"")
    let kind = reader.choice("kind", of: ResetKind.self)
    return reader.expression("from").map { ($0, kind) }
  }
}
