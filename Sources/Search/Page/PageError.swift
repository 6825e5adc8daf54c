private import Text

/// Why a page failed: enough to decide (retry, wait, exit status), and to tell the user what happened and
/// what to do.
package struct PageError: Error, Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The host cannot be reached: no network, unknown host, connection refused or timed out.
    case offline
    /// The host was reached, but there is no complete reply: timeout, connection lost, not trusted.
    case connection
    case rateLimited = "rate-limited"
    case unauthorized
    /// The service rejected this request permanently (400, 404, 422, …).
    case rejected
    /// A server error (5xx).
    case server
    /// Not JSON, truncated, or not in the form that the source describes.
    case unreadable
    /// The request could not be created: an option is missing, a credential is required.
    case invalidRequest
  }

  /// Whether and how a retry may help.
  package enum Repeat: Sendable, Hashable {
    case never
    /// Up to the number of attempts that the user allows.
    case freely
    /// At most this often, even if the user allows more.
    case atMost(Int)
    /// Not for this page, but the list can be loaded again from its first page.
    case afterRestart

    /// The same rule restricted by whether the request may be sent more than once.
    func allowed(forSafe isSafe: Bool) -> Repeat { isSafe || self == .afterRestart ? self : .never }
  }

  package var kind: Kind
  package var status: Int?
  /// One line: what failed and why, including raw text of the service (sanitized for display).
  package var message: String
  /// The service's error message, which `message` includes.
  package var serviceMessage: String?
  /// What the user can do; nil if a retry is the only remedy.
  package var remedy: String?
  package var canRepeat: Repeat
  /// The wait that the service requested, in seconds from the reply.
  package var wait: Double?
  /// The minimum wait before a retry in seconds, if the service requested none.
  package var waitAtLeast: Double?
  package var budget: RateBudget?
  package var bucket: RateBucket?
  /// The failed request, if one was sent.
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
  /// A short description that follows `Page 3 failed: `. It names the host if there was no reply, and omits
  /// the service's own message: `500 Internal Server Error`, `connection refused by example.org`.
  package var brief: String {
    guard let status else { return message }
    let phrase = HTTPStatus.text(status)
    let isGood = (200..<300).contains(status)
    switch kind {
    case .rateLimited: return isGood ? "rate limited" : "rate limited (\(phrase))"
    case .unauthorized: return isGood ? "not authorized" : "not authorized (\(phrase))"
    case .rejected where canRepeat == .afterRestart:
      return "the service no longer accepts this position (\(phrase))"
    case .rejected, .server: return isGood ? "the service reported an error" : phrase
    case .offline, .connection, .unreadable, .invalidRequest: return message
    }
  }

  /// The message, followed by the remedy as a sentence: `connection refused by example.org. Is the service running?`
  package var fullMessage: String { Sentences.joined([message, remedy]) }

  /// Whether sending the same request again can help, as opposed to a request that the service or riffle
  /// rejects.
  package var isWorthRepeating: Bool {
    switch kind {
    case .invalidRequest: false
    case .rejected: canRepeat != .never
    case .offline, .connection, .rateLimited, .unauthorized, .server, .unreadable: true
    }
  }
}
