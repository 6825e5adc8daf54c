/// One whole reply: the head, and the body after content decoding.
package struct HTTPReply: Sendable {
  package var status: Int
  package var headers: HTTPFields
  package var body: [UInt8]
  /// Where the reply came from after redirects; relative links resolve against it (RFC 3986 section 5.1.3).
  package var url: WebURL
  /// When the request was sent, in seconds since 1970.
  package var sentAt: Double
  /// When the last byte of the body had arrived, in seconds since 1970.
  package var arrivedAt: Double
  /// How many requests it took, redirects included.
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
