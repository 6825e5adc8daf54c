package import Search

/// Sends one request and gives the whole reply, redirects followed. A struct of one closure, so that a test can
/// answer from memory.
package struct Transport: Sendable {
  private let send: @Sendable (HTTPRequest, Duration?) async throws(TransportFailure) -> HTTPReply

  package init(
    send: @escaping @Sendable (HTTPRequest, Duration?) async throws(TransportFailure) -> HTTPReply
  ) {
    self.send = send
  }

  /// The reply to a request, whatever its status; its body is decoded.
  ///
  /// - Parameter total: The time for everything, from the connection to the last byte after the last redirect;
  ///   nil for the transport's own limit.
  /// - Throws: `TransportFailure`, of kind `cancelled` soon after the task is cancelled.
  package func reply(
    to request: HTTPRequest, within total: Duration? = nil
  ) async throws(TransportFailure) -> HTTPReply {
    try await send(request, total)
  }
}
