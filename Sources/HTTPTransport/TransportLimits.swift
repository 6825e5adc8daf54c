/// What a reply may cost.
package struct TransportLimits: Sendable, Hashable {
  /// Until a connection stands, name lookup and TLS included.
  package var connect: Duration = .seconds(10)
  /// From the start of a request to the first byte of its reply.
  package var firstByte: Duration = .seconds(30)
  /// Between two parts of a body.
  package var idle: Duration = .seconds(30)
  /// For everything, redirects included.
  package var total: Duration = .seconds(60)
  /// Of the decoded body.
  package var bodyBytes = 32 << 20
  /// Of all header fields together.
  package var headBytes = 64 << 10

  package init() {}
}

extension Duration {
  /// For messages: a number of seconds, exact to the millisecond.
  var inSeconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}
