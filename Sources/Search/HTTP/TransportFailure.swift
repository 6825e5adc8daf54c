/// Why an exchange produced no complete reply. One function in the transport creates it from the library's
/// errors; the policy uses only `kind`.
package struct TransportFailure: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case hostNotFound
    case refused
    case tls
    /// No connection within `seconds`.
    case connectTimeout(seconds: Double)
    /// Connected, but no first byte within `seconds`.
    case replyTimeout(seconds: Double)
    /// The body stalled for `seconds`.
    case idleTimeout(seconds: Double)
    /// Headers and body together took longer than `seconds`.
    case deadline(seconds: Double)
    /// The overall time limit of `seconds` passed before the headers were received.
    case deadlineBeforeHead(seconds: Double)
    case lostBeforeHead
    /// The connection ended within the body, after `received` decoded bytes; `detail` is the content type
    /// from the headers (`application/json`).
    case lostInBody(received: Int)
    /// The content encoding (gzip, deflate) is damaged, after `received` decoded bytes.
    case brokenEncoding(received: Int)
    case bodyTooLarge(limit: Int)
    case headTooLarge(limit: Int)
    /// The reply is not HTTP.
    case malformed
    /// A status line without a status from 100 to 999.
    case invalidStatusLine
    /// The proxy refused to open a tunnel to the origin with this status; `detail` is the proxy's address.
    case refusedByProxy(status: Int)
    case redirect(RedirectRefusal)
    /// The host, which a reply named, has this address in a private network.
    case privateAddress(String)
    /// The host had a public address before and now has this one in a private network.
    case reboundAddress(String)
    /// The name of the local machine resolves to this address, which is not local.
    case notThisMachine(String)
    case cancelled
    case other
  }

  package let kind: Kind
  /// The requested origin, as text.
  package let origin: String
  /// The library's message, already redacted; may be empty.
  package let detail: String
  /// The number of requests sent, including redirects.
  package var requests: Int

  package init(_ kind: Kind, origin: String, detail: String = "", requests: Int = 1) {
    self.kind = kind
    self.origin = origin
    self.detail = detail
    self.requests = requests
  }
}

/// Why a redirect was not followed.
package enum RedirectRefusal: Sendable, Hashable {
  case tooMany(limit: Int)
  case noLocation
  case target(FollowRefusal)
  case unsafeMethod
  case unreadable(String)
}
