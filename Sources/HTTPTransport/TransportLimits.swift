/// Timeouts, and limits on the size of a reply.
package struct TransportLimits: Sendable, Hashable {
  /// Until a connection is established, including name resolution and TLS.
  package var connect: Duration = .seconds(10)
  /// From the start of a request to the first byte of its reply.
  package var firstByte: Duration = .seconds(30)
  /// Between two parts of a body.
  package var idle: Duration = .seconds(30)
  /// For the whole exchange, including redirects.
  package var total: Duration = .seconds(60)
  /// The size of the decoded body in bytes.
  package var bodyBytes = 32 << 20
  /// The size of all header fields together in bytes.
  package var headBytes = 64 << 10

  package init() {}
}

extension Duration {
  /// The number of seconds for messages, rounded to the millisecond.
  var inSeconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}
