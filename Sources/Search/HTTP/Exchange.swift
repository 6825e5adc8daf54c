/// One request and its reply in facts: what was asked, when, and how much came. Nothing secret is in it.
package struct Exchange: Sendable, Hashable {
  package var method: HTTPMethod
  /// As asked, without credentials.
  package var address: String
  /// Nil when no reply came.
  package var status: Int?
  /// Of the body, decoded; nil when none came.
  package var bytes: Int?
  /// When the request was sent and the reply had arrived, in seconds since 1970; 0 when that is not known.
  package var sentAt: Double
  package var arrivedAt: Double
  /// How many requests were sent for it, redirects and one with other credentials included.
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

  /// - Parameter reply: nil when none came.
  package init(_ request: HTTPRequest, _ reply: HTTPReply?) {
    self.init(
      method: request.method, address: request.url.description, status: reply?.status,
      bytes: reply?.body.count, sentAt: reply?.sentAt ?? 0, arrivedAt: reply?.arrivedAt ?? 0,
      requests: reply?.requests ?? 1)
  }
}
