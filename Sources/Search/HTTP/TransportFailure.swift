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
    /// The connection ended in the body, after `received` decoded bytes.
    case lostInBody(received: Int)
    /// The content encoding (gzip, deflate) is damaged, after `received` decoded bytes.
    case brokenEncoding(received: Int)
    case bodyTooLarge(limit: Int)
    case headTooLarge(limit: Int)
    /// Not HTTP.
    case malformed
    case redirect(RedirectRefusal)
    /// The host, which a reply named, has this address in a private network.
    case privateAddress(String)
    case cancelled
    case other
  }

  package let kind: Kind
  /// The origin that was asked, as text.
  package let origin: String
  /// The library's own words, already free of secrets; may be empty.
  package let detail: String

  package init(_ kind: Kind, origin: String, detail: String = "") {
    self.kind = kind
    self.origin = origin
    self.detail = detail
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
