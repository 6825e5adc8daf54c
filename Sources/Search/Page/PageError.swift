/// Why a page could not be had: enough to decide (retry, wait, exit status) and to tell the user what
/// happened and what to do next.
package struct PageError: Error, Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The host cannot be reached: no network, unknown host, connection refused or not made in time.
    case offline
    /// The host was reached, but no whole reply came: timed out, connection lost, not trusted.
    case connection
    case rateLimited = "rate-limited"
    case unauthorized
    /// The service refused this request for good (400, 404, 422 …).
    case rejected
    /// The service is in trouble (5xx).
    case server
    /// Not JSON, cut off, or not of the shape the source describes.
    case unreadable
    /// The request could not be made at all: an option is missing, a credential is required.
    case unaskable
  }

  /// Whether asking again may help.
  package enum Repeat: Sendable, Hashable {
    case never
    /// Within the attempts the user allows.
    case freely
    /// At most this often, whatever the user allows.
    case atMost(Int)
    /// Never this page; the list can be had again from its first page.
    case afterRestart

    /// What is left of it for a request that may not be sent twice.
    func allowed(forSafe isSafe: Bool) -> Repeat { isSafe || self == .afterRestart ? self : .never }
  }

  package var kind: Kind
  package var status: Int?
  /// One line: what failed and why, raw text of the service included (sanitised when shown).
  package var message: String
  /// The service's own words about it, which `message` repeats.
  package var serviceMessage: String?
  /// What the user can do about it; nil when asking again is all there is.
  package var remedy: String?
  package var canRepeat: Repeat
  /// The wait the service asked for, in seconds from the reply.
  package var wait: Double?
  /// The least wait before asking again, in seconds, when the service named none.
  package var waitAtLeast: Double?
  package var budget: RateBudget?
  package var bucket: RateBucket?
  /// The request that failed, when one was sent.
  package var exchange: Exchange?

  package init(
    _ kind: Kind, status: Int? = nil, message: String, remedy: String? = nil, canRepeat: Repeat = .never,
    wait: Double? = nil, waitAtLeast: Double? = nil, budget: RateBudget? = nil,
    bucket: RateBucket? = nil, serviceMessage: String? = nil
  ) {
    self.kind = kind
    self.status = status
    self.message = message
    self.remedy = remedy
    self.canRepeat = canRepeat
    self.wait = wait
    self.waitAtLeast = waitAtLeast
    self.budget = budget
    self.bucket = bucket
    self.serviceMessage = serviceMessage
  }
}

extension PageError {
  /// What failed in the fewest words, to follow `Page 3 failed: `. It names the host where no reply came, and is without
  /// the service's own words: `500 Internal Server Error`, `connection refused by example.org`.
  package var brief: String {
    guard let status else { return message }
    let phrase = HTTPStatus.text(status)
    let isGood = (200..<300).contains(status)
    switch kind {
    case .rateLimited: return isGood ? "rate limited" : "rate limited (\(phrase))"
    case .unauthorized: return isGood ? "not authorized" : "not authorized (\(phrase))"
    case .rejected where canRepeat == .afterRestart:
      return "the service no longer knows this place in the list (\(phrase))"
    case .rejected, .server: return isGood ? "the service reported an error" : phrase
    case .offline, .connection, .unreadable, .unaskable: return message
    }
  }

  /// Whether sending the same request once more can help. A request that the service or this program refuses as such
  /// stays refused.
  package var isWorthRepeating: Bool {
    switch kind {
    case .unaskable: false
    case .rejected: canRepeat != .never
    case .offline, .connection, .rateLimited, .unauthorized, .server, .unreadable: true
    }
  }
}
