/// The facts about a request and its reply: what was requested, when, and how much was received. Contains no
/// secrets.
package struct Exchange: Sendable, Hashable {
  package var method: HTTPMethod
  /// As requested, without credentials.
  package var address: String
  /// Nil if there was no reply.
  package var status: Int?
  /// The size of the decoded body; nil if there was none.
  package var bytes: Int?
  /// When the request was sent and the reply was complete, in seconds since 1970; 0 if unknown.
  package var sentAt: Double
  package var arrivedAt: Double
  /// The number of requests sent, including redirects and a repetition with other credentials.
  package var requests: Int

  package init(
    method: HTTPMethod = .get, address: String = "", status: Int? = nil, bytes: Int? = nil,
    sentAt: Double = 0, arrivedAt: Double = 0, requests: Int = 1
  ) {
    self.method = method
    self.address = address
    self.status = status
    self.bytes = bytes
    self.sentAt = sentAt
    self.arrivedAt = arrivedAt
    self.requests = requests
  }

  /// - Parameter reply: Nil if there was none.
  package init(_ request: HTTPRequest, _ reply: HTTPReply?) {
    self.init(
      method: request.method, address: request.url.description, status: reply?.status,
      bytes: reply?.body.count, sentAt: reply?.sentAt ?? 0, arrivedAt: reply?.arrivedAt ?? 0,
      requests: reply?.requests ?? 1)
  }
}
