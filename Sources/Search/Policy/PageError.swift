package import HTTPValues
import JSON
private import Text

/// The reason why a page failed. It determines the retry, the wait, and the exit status, and includes a remedy for the
/// user.
package struct PageError: Error, Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The host cannot be reached: no network, unknown host, connection refused or timed out.
    case offline
    /// The host was reached, but there is no complete response: timeout, connection lost, not trusted.
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
    case invalidRequest = "invalid-request"
  }

  /// Whether and how a retry may help.
  package enum Repeat: Sendable, Hashable {
    case never
    /// Retried up to the number of attempts that the user allows.
    case freely
    /// Retried at most this often, even if the user allows more.
    case atMost(Int)
    /// The page is not retried, but the list can be loaded again from its first page.
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
  /// The remedy for the user, as a sentence; nil if a retry is the only one.
  package var remedy: String? { didSet { commandLineRemedy = nil } }
  /// The remedy on a command line, where options can be given; nil if `remedy` applies there as well.
  package var commandLineRemedy: String?
  package var canRepeat: Repeat
  /// Whether the remedy takes effect only when riffle starts again: it changes a source or a variable.
  package var needsRestart: Bool
  /// Whether the value of an option is the mistake.
  package var isAboutOption = false
  /// Whether no credential was sent, and one is required.
  package var needsCredential = false
  /// The wait that the service requested, in seconds from the response.
  package var wait: Double?
  /// The minimum wait before a retry in seconds, if the service requested none.
  package var waitAtLeast: Double?
  package var budget: RateBudget?
  package var bucket: RateBucket?
  /// The failed request, if one was sent.
  package var exchange: Exchange?

  package init(
    _ kind: Kind, status: Int? = nil, message: String, remedy: String? = nil,
    commandLineRemedy: String? = nil, canRepeat: Repeat = .never,
    needsRestart: Bool = false,
    wait: Double? = nil, waitAtLeast: Double? = nil, budget: RateBudget? = nil,
    bucket: RateBucket? = nil, serviceMessage: String? = nil
  ) {
    self.kind = kind
    self.status = status
    self.message = message
    self.remedy = remedy
    self.commandLineRemedy = commandLineRemedy
    self.canRepeat = canRepeat
    self.needsRestart = needsRestart
    self.wait = wait
    self.waitAtLeast = waitAtLeast
    self.budget = budget
    self.bucket = bucket
    self.serviceMessage = serviceMessage
  }
}

extension PageError {
  /// A short description that follows `Page 3 failed: `. It names the host if there was no response, and omits
  /// the service's own message: `500 Internal Server Error`, `connection refused by example.org`.
  package var brief: String {
    guard let status else { return message }
    let phrase = HTTPStatus.text(status)
    let isGood = HTTPStatus.isSuccess(status)
    switch kind {
    case .rateLimited: return isGood ? "rate limited" : "rate limited (\(phrase))"
    case .unauthorized: return isGood ? "not authorized" : phrase
    case .rejected where canRepeat == .afterRestart:
      return "the service no longer accepts this position (\(phrase))"
    case .rejected, .server: return isGood ? "the service reported an error" : phrase
    case .offline, .connection, .unreadable, .invalidRequest: return message
    }
  }

  /// The message, followed by the remedy as a sentence: `connection refused by example.org. Is the service running?`
  package var fullMessage: String { Sentences.joined([message, remedy]) }

  /// The remedy on a command line.
  package var advice: String? { commandLineRemedy ?? remedy }

  /// The message and the remedy of a command.
  package var commandLineMessage: String { Sentences.joined([message, advice]) }

  /// Whether the service or riffle rejects the request for good, in this run and in later ones. An error inside a page
  /// may be gone later.
  package var isRejected: Bool {
    kind == .rejected && canRepeat == .never && !(status.map(HTTPStatus.isSuccess) ?? false)
  }

  /// Whether sending the same request again can help; false if the service or riffle rejects it.
  package var isWorthRepeating: Bool {
    if needsRestart { return false }
    return switch kind {
    case .invalidRequest: false
    case .rejected: canRepeat != .never
    case .offline, .connection, .rateLimited, .unauthorized, .server, .unreadable: true
    }
  }
}

extension PageError {
  /// Converts a failed exchange to a message with a remedy. Refused and unknown hosts may be retried twice;
  /// if the request is safe, timeouts and lost connections within the user's limit, and a damaged body once;
  /// TLS errors never.
  ///
  /// - Parameters:
  ///   - source: The id of the source whose settings decide about redirects; nil if none does.
  ///   - isPage: Whether the request is for a page, so that smaller pages may help.
  ///   - placesPageSize: Whether the request contains a page size.
  package init(
    _ failure: TransportError, isSafe: Bool, of source: String? = nil, isPage: Bool = false,
    placesPageSize: Bool = true
  ) {
    let repeatIfSafe: Repeat = isSafe ? .freely : .never
    let onceIfSafe = Repeat.atMost(1).allowed(forSafe: isSafe)
    let host = failure.origin
    switch failure.kind {
    case .hostNotFound:
      self.init(
        .offline, message: "host not found: \(host)",
        remedy: "check the host name in the URL and your network connection", canRepeat: .atMost(2))
    case .refused:
      self.init(
        .offline, message: "connection refused by \(host)",
        remedy: "is the \(host.hasPrefix("proxy ") ? "proxy" : "service") running on that port?",
        canRepeat: .atMost(2))
    case .tls where failure.detail.contains("CERTIFICATE_VERIFY_FAILED"):
      self.init(
        .connection,
        message: "cannot establish a secure connection to \(host): its certificate is not trusted",
        remedy: """
          for a certificate of your company, set tls.ca_file in config.toml or SSL_CERT_FILE to a PEM file with its \
          root certificate. Otherwise check the system clock, and that ca-certificates is installed
          """)
    case .tls:
      self.init(
        .connection, message: "cannot establish a secure connection to \(host): \(failure.detail)",
        remedy: "check the scheme and port of the URL, and that the server supports TLS 1.2 or later")
    case .invalidProxy: self.init(.connection, message: failure.detail)
    case .noRoots(let setting):
      self.init(.connection, message: failure.detail, remedy: Self.rootsRemedy(setting))
    case .connectTimeout(let seconds):
      self.init(
        .offline, message: "connecting to \(host) timed out after \(Self.text(seconds))",
        canRepeat: repeatIfSafe)
    case .deadline(let seconds):
      self.init(
        .connection, message: "\(host) did not finish its response within \(Self.text(seconds))",
        remedy: "set search.timeout to allow more", commandLineRemedy: "use --timeout to allow more",
        canRepeat: repeatIfSafe)
    case .deadlineBeforeHead(let seconds):
      self.init(
        .connection, message: "\(host) did not respond within \(Self.text(seconds))",
        remedy: "set search.timeout to allow more", commandLineRemedy: "use --timeout to allow more",
        canRepeat: repeatIfSafe)
    case .lostBeforeHead:
      self.init(
        .connection, message: "\(host) closed the connection without a response", canRepeat: repeatIfSafe)
    case .lostInBody(let received):
      self.init(
        .connection,
        message: "connection to \(host) lost after \(received) bytes"
          + (failure.detail.isEmpty ? "" : " of \(failure.detail)"), canRepeat: onceIfSafe)
    case .brokenEncoding(let received):
      self.init(
        .unreadable, message: "\(host) sent invalid compressed data after \(received) bytes",
        canRepeat: onceIfSafe)
    case .unrequestedEncoding(let name):
      self.init(
        .unreadable, message: "\(host) sent a body in the encoding \(name), which riffle did not request",
        canRepeat: onceIfSafe)
    case .bodyTooLarge(let limit):
      self.init(
        .unreadable, message: "\(host) sent a \(isPage ? "page" : "response") larger than \(limit >> 20) MiB",
        remedy: !isPage
          ? nil
          : placesPageSize
            ? "set search.page_size to request smaller pages"
            : "set pagination.size in the source, if the service has a parameter for it",
        commandLineRemedy: isPage && placesPageSize ? "use --page-size to request smaller pages" : nil)
    case .headTooLarge(let limit):
      self.init(.unreadable, message: "\(host) sent more than \(limit >> 10) KiB of headers")
    case .malformed:
      self.init(
        .unreadable, message: "\(host) did not send a valid HTTP response",
        remedy: "check the port and the scheme", canRepeat: onceIfSafe)
    case .invalidStatusLine:
      self.init(
        .unreadable, message: "\(host) sent an invalid HTTP status line",
        remedy: "check the port and the scheme")
    case .refusedByProxy(let status):
      self.init(
        .offline,
        message: "proxy \(failure.detail) returned \(HTTPStatus.text(status)): cannot connect to \(host)",
        remedy: status == 407 ? "add USER:PASSWORD@ before the host in the proxy variable" : nil,
        canRepeat: status >= 500 ? repeatIfSafe : .never)
    case .redirect(.target(.otherOrigin(let origin))):
      self.init(
        .rejected, message: "\(host) \(RedirectError.target(.otherOrigin(origin)))",
        remedy: source.map { "to allow it, add its host to pagination.hosts of source \($0)" },
        needsRestart: source != nil)
    case .redirect(let refusal): self.init(.rejected, message: "\(host) \(refusal)")
    case .privateAddress(let address):
      self.init(
        .rejected,
        message: "request blocked: a response points to \(host), which has the private address \(address)",
        remedy: "only a source whose own address is private may follow such links")
    case .reboundAddress(let address):
      self.init(
        .rejected,
        message:
          "request blocked: \(host) had a public address and now resolves to the private address \(address)")
    case .notThisMachine(let address):
      self.init(
        .rejected, message: "request blocked: \(host) resolves to \(address), which is not this machine",
        remedy: "names ending in localhost must resolve to this machine")
    case .cancelled: self.init(.connection, message: "canceled")
    case .notRecorded:
      self.init(.invalidRequest, message: "this recording has no response for \(failure.detail)")
    case .other: self.init(.connection, message: "\(host): \(failure.detail)", canRepeat: repeatIfSafe)
    }
  }

  /// The remedy for a file of root certificates that cannot be used.
  ///
  /// - Parameter setting: The setting or environment variable that names it; nil for that of the system.
  package static func rootsRemedy(_ setting: String?) -> String {
    setting.map { "set \($0) to a PEM file of root certificates, or unset it to use those of the system" }
      ?? "install ca-certificates, or set tls.ca_file to a PEM file of root certificates"
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}

extension RedirectError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooMany(let limit): "redirected more than \(limit) times. Check the URL in the source"
    case .noLocation: "sent a redirect without a Location header"
    case .target(let refusal): "sent a redirect that \(refusal)"
    case .unsafeMethod: "redirected a POST request, which riffle does not send again to another URL"
    case .unreadable(let text): "redirected to an \(text)"
    }
  }
}

/// Reads a web page that was received instead of JSON.
package enum WebPage {
  /// The title of the page, on one line; nil if there is none.
  package static func title(in body: [UInt8]) -> String? {
    let text = String(decoding: body.prefix(16_384), as: UTF8.self)
    guard let start = text.firstRange(of: /<title[^>]*>/.ignoresCase()),
      let end = text[start.upperBound...].firstRange(of: /<\/title/.ignoresCase())
    else { return nil }
    let words = text[start.upperBound..<end.lowerBound].split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : String(words.joined(separator: " ").prefix(100))
  }
}

/// Reason phrases of RFC 9110 and RFC 6585, for messages.
package enum HTTPStatus {
  package static func isSuccess(_ status: Int) -> Bool { 200..<300 ~= status }

  package static func phrase(_ status: Int) -> String? { phrases[status] }

  /// `404 Not Found`, or the number alone.
  package static func text(_ status: Int) -> String {
    phrase(status).map { "\(status) \($0)" } ?? String(status)
  }

  private static let phrases: [Int: String] = [
    300: "Multiple Choices", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 415: "Unsupported Media Type",
    422: "Unprocessable Content", 425: "Too Early", 429: "Too Many Requests", 500: "Internal Server Error",
    501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}
