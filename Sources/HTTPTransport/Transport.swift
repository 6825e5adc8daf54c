package import Search

/// Sends a request and returns the complete reply, after redirects. It is a struct with one closure, so that
/// tests can reply from memory.
package struct Transport: Sendable {
  private let send: @Sendable (HTTPRequest, Duration?) async throws(TransportFailure) -> HTTPReply

  package init(
    send: @escaping @Sendable (HTTPRequest, Duration?) async throws(TransportFailure) -> HTTPReply
  ) {
    self.send = send
  }

  /// The reply to a request, whatever its status, with its body decoded.
  ///
  /// - Parameter total: The time limit for everything, from the connection to the last byte after the last
  ///   redirect; nil for the transport's default.
  /// - Throws: `TransportFailure`; its kind is `cancelled` soon after the task is canceled.
  package func reply(
    to request: HTTPRequest, within total: Duration? = nil
  ) async throws(TransportFailure) -> HTTPReply {
    try await send(request, total)
  }
}
