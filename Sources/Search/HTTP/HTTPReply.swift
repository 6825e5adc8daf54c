/// A complete reply: its head, and its body after content decoding.
package struct HTTPReply: Sendable {
  package var status: Int
  package var headers: HTTPFields
  package var body: [UInt8]
  /// The URL of the reply after redirects; relative links are resolved against it (RFC 3986 section 5.1.3).
  package var url: WebURL
  /// When the request was sent, in seconds since 1970.
  package var sentAt: Double
  /// When the last byte of the body was received, in seconds since 1970.
  package var arrivedAt: Double
  /// The number of requests sent, including redirects.
  package var requests: Int

  package init(
    status: Int, headers: HTTPFields, body: [UInt8], url: WebURL, sentAt: Double = 0, arrivedAt: Double = 0,
    requests: Int = 1
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.sentAt = sentAt
    self.arrivedAt = arrivedAt
    self.requests = requests
  }
}
