/// Why an exchange brought no whole reply. One mapping function in the transport makes it from the
/// library's errors; the policy decides from `kind` alone.
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
    /// Head and body together took longer than `seconds`.
    case deadline(seconds: Double)
    /// Not even a head came within these `seconds`.
    case deadlineBeforeHead(seconds: Double)
    case lostBeforeHead
    /// The connection ended in the body, after `received` decoded bytes; the detail is what the head calls them
    /// (`application/json`).
    case lostInBody(received: Int)
    /// The content encoding (gzip, deflate) is damaged, after `received` decoded bytes.
    case brokenEncoding(received: Int)
    case bodyTooLarge(limit: Int)
    case headTooLarge(limit: Int)
    /// Not HTTP.
    case malformed
    /// A status line without a status from 100 to 999.
    case invalidStatusLine
    /// The proxy did not open a way to the origin and answered this status; the detail is its address.
    case refusedByProxy(status: Int)
    case redirect(RedirectRefusal)
    /// The host, which a reply named, has this address in a private network.
    case privateAddress(String)
    /// The host, which was at a public address before, has this one now, in a private network.
    case reboundAddress(String)
    /// The name of this machine leads to this address, which is not of this machine.
    case notThisMachine(String)
    case cancelled
    case other
  }

  package let kind: Kind
  /// The origin that was asked, as text.
  package let origin: String
  /// The library's own words, already free of secrets; may be empty.
  package let detail: String
  /// How many requests were sent, redirects included.
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
