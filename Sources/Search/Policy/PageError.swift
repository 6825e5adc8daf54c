package import HTTPValues
import JSON
private import Text

/// Why a page failed: enough to decide (retry, wait, exit status), and to tell the user what to do.
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
    let isGood = HTTPStatus.isSuccess(status)
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

  /// Whether sending the same request again can help; false if the service or riffle rejects it.
  package var isWorthRepeating: Bool {
    switch kind {
    case .invalidRequest: false
    case .rejected: canRepeat != .never
    case .offline, .connection, .rateLimited, .unauthorized, .server, .unreadable: true
    }
  }
}

/// How a source recognizes and classifies errors (`[errors]`).
package struct ErrorRules: Sendable {
  package static let standard = ErrorRules()

  /// The service's error message.
  package var message: ValueExpression?
  /// Recognizes an error in a reply with status 200. If `unless` is present too, the rows count and the error
  /// is a warning (rule 22).
  package var inside: [ErrorRule] = []
  package var rateLimited: [ErrorRule] = []
  /// Transient errors.
  package var retry: [ErrorRule] = []
  /// Errors that a retry cannot resolve.
  package var fatal: [ErrorRule] = []
}

/// An `[[errors.…]]` entry: statuses and a condition, both of which must hold.
package struct ErrorRule: Sendable, Hashable {
  package static let standard = ErrorRule()

  /// If empty: any status of 400 or above, and an error inside a 200.
  package var statuses: [Int] = []
  package var condition: Condition?
  /// The rule does not hold if this value is present.
  package var unless: ValueExpression?
  /// Where the reply contains the wait.
  package var waitFrom: WaitField?
  /// The minimum wait in seconds if the reply contains none.
  package var waitAtLeast: Double?
}

/// The classification of a reply before its rows are read: by the source's rules, then by one table of statuses.
package enum ReplyVerdict: Sendable, Hashable {
  /// The body is a page.
  case page
  /// The body is a page that also reports an error; its rows count (rule 22).
  case pageWithErrors
  /// The list ended before this page. Only valid after some rows; otherwise an error (rule 8).
  case pastTheEnd
  /// - Parameter rule: The matching rule of the source; nil if the table decided.
  case failure(PageError.Kind, PageError.Repeat, rule: ErrorRule?)

  /// - Parameter isFirst: Whether this is the first page of the run.
  package static func of(
    _ reply: HTTPReply, _ values: ReplyValues, source: Source, isFirst: Bool
  ) -> ReplyVerdict {
    let status = reply.status
    let signs = ErrorConditions(source: source, status: status, reply: values, body: reply.body)
    if HTTPStatus.isSuccess(status) {
      switch signs.inside {
      case .none: return signs.stated ?? .page
      // A rule that recognizes the error takes precedence over rows in the same reply.
      case .warning: return signs.matching ?? .pageWithErrors
      case .error: return signs.matching ?? .failure(.rejected, .never, rule: nil)
      }
    }
    // 416 (RFC 9110, section 15.5.17) says that nothing is there.
    if !isFirst, status == 416 || source.pagination.settings.endStatuses.contains(status) {
      return .pastTheEnd
    }
    if !isFirst, source.pagination.settings.expiredStatuses.contains(status) {
      return .failure(.rejected, .afterRestart, rule: nil)
    }
    if let verdict = signs.matching { return verdict }
    if status == 403, signs.isLimited { return .failure(.rateLimited, .freely, rule: nil) }
    let (kind, canRepeat) = meaning(of: status)
    return .failure(kind, canRepeat, rule: nil)
  }

  /// The table of statuses. 403 alone is not a rate limit: for most services it means "not authorized".
  static func meaning(of status: Int) -> (PageError.Kind, PageError.Repeat) {
    switch status {
    case 401, 403: (.unauthorized, .never)
    case 429: (.rateLimited, .freely)
    case 408, 425, 500, 502, 503, 504, 520...524, 529: (.server, .freely)
    case 500...: (.server, .never)
    default: (.rejected, .never)
    }
  }
}

/// Evaluates the rules of a source (`[errors]`, `[limits]`) for one reply.
struct ErrorConditions {
  let source: Source
  let status: Int
  let reply: ReplyValues
  let body: [UInt8]

  /// Whether a reply with a success status contains an error.
  enum Inside { case none, warning, error }

  var inside: Inside {
    var found = Inside.none
    for rule in source.errors.inside where matches(rule) {
      if isThere(rule.unless) { found = .warning } else { return .error }
    }
    if source.errors.inside.isEmpty, let errors = GraphQLErrors(reply.document) {
      return errors.hasData ? .warning : .error
    }
    return found
  }

  /// The verdict of the first matching rule; rules that forbid a retry come first.
  var matching: ReplyVerdict? { verdict { holds($0) } }

  /// The same among the rules that name this status, which may be a success status.
  var stated: ReplyVerdict? { verdict { $0.statuses.contains(status) && holds($0) } }

  /// Whether the refusal says that it is a rate limit: by a wait, by an exhausted budget, or by its message.
  var isLimited: Bool {
    if reply.headers.first("Retry-After") != nil { return true }
    if RateBudget(in: reply, limits: source.limits, now: 0)?.remaining == 0 { return true }
    let beginning = reply.error.map { _ in String(decoding: body.prefix(4_096), as: UTF8.self) }
    return (beginning ?? reply.errorMessage(of: source)).map(CommonErrorFields.mentionsRateLimit) ?? false
  }

  /// The verdict of the first rule that holds.
  private func verdict(where holds: (ErrorRule) -> Bool) -> ReplyVerdict? {
    let kind = status < 400 ? PageError.Kind.server : ReplyVerdict.meaning(of: status).0
    if let rule = source.errors.fatal.first(where: holds) {
      return .failure(status < 400 ? .rejected : kind, .never, rule: rule)
    }
    if let rule = source.errors.rateLimited.first(where: holds) {
      return .failure(.rateLimited, .freely, rule: rule)
    }
    return source.errors.retry.first(where: holds).map { .failure(kind, .freely, rule: $0) }
  }

  private func holds(_ rule: ErrorRule) -> Bool { matches(rule) && !isThere(rule.unless) }

  private func matches(_ rule: ErrorRule) -> Bool {
    let isMeant = rule.statuses.isEmpty ? !(300..<400).contains(status) : rule.statuses.contains(status)
    guard isMeant else { return false }
    return rule.condition.map { reply.holds($0) } ?? true
  }

  private func isThere(_ expression: ValueExpression?) -> Bool {
    expression.flatMap { reply.value(of: $0) } != nil
  }
}

/// Converts an error reply to a message.
struct ErrorReply {
  let source: Source
  let credentials: Credentials
  let reply: HTTPReply
  let values: ReplyValues

  var budget: RateBudget? { RateBudget(in: values, limits: source.limits, now: reply.arrivedAt) }
  var bucket: RateBucket { RateBucket(of: values, limits: source.limits) }

  func error(_ kind: PageError.Kind, _ canRepeat: PageError.Repeat, _ rule: ErrorRule?) -> PageError {
    let stated = RequestedWait.stated(in: values, by: rule, limits: source.limits)
    return PageError(
      kind, status: reply.status, message: message(kind, canRepeat), remedy: remedy(kind, canRepeat),
      canRepeat: canRepeat.allowed(forSafe: source.endpoint.isSafe),
      wait: RequestedWait.seconds(
        headers: reply.headers, stated: stated, budget: budget, now: reply.arrivedAt),
      waitAtLeast: RetryPolicy.leastWait(after: kind, canRepeat, by: rule),
      budget: budget, bucket: bucket, serviceMessage: serviceMessage)
  }

  /// For a page that has rows in spite of the error.
  var warning: String {
    "the service reported an error along with the rows" + (serviceMessage.map { ": \($0)" } ?? "")
  }

  private func message(_ kind: PageError.Kind, _ canRepeat: PageError.Repeat) -> String {
    let origin = reply.url.origin
    let start =
      switch kind {
      case .rateLimited: "rate limited by \(origin)" + (isGood ? "" : " (\(phrase))")
      case .unauthorized: "not authorized by \(origin) (\(phrase))"
      case _ where canRepeat == .afterRestart: "\(origin) no longer accepts this position (\(phrase))"
      case _ where isGood: "\(origin) reported an error"
      default: "\(origin) returned \(phrase)"
      }
    if isWebPage, let title = WebPage.title(in: reply.body) { return "\(start): a web page, \"\(title)\"" }
    return serviceMessage.map { "\(start): \($0)" } ?? start
  }

  /// Whether a page for people was sent, as by a proxy or a protection against programs.
  private var isWebPage: Bool { (values.error?.isMarkup ?? false) && !(values.error?.isXML ?? false) }

  private var isGood: Bool { HTTPStatus.isSuccess(reply.status) }

  private var phrase: String { HTTPStatus.text(reply.status) }

  /// The service's error message, at most 300 characters; nil if it only repeats the status.
  private var serviceMessage: String? {
    let repetitions = [
      "", String(reply.status), HTTPStatus.phrase(reply.status)?.lowercased(), phrase.lowercased(),
    ]
    guard values.error == nil, let text = values.errorMessage(of: source, inCommonMembers: !isGood),
      !repetitions.contains(text.lowercased())
    else { return nil }
    return text.count > 300 ? text.prefix(300) + "…" : text
  }

  private func remedy(_ kind: PageError.Kind, _ canRepeat: PageError.Repeat) -> String? {
    if canRepeat == .afterRestart { return "load again from the first page" }
    let places = source.secretOrigins.map(\.description).joined(separator: ", ")
    let isAnonymous = credentials.provenances.isEmpty
    switch kind {
    case .unauthorized where isWebPage && reply.status != 401:
      return "open \(reply.url.origin) in a browser: something before the service may block programs"
    case .unauthorized where credentials.isQuoted:
      return
        "the credential from \(credentials.provenances.joined(separator: ", ")) is sent with its quotes. Remove them"
    case .unauthorized where places.isEmpty && isAnonymous:
      return "source \(source.id) sends no credential: add [auth] to it, or pass a credential with -H"
    case _ where places.isEmpty: return nil
    case .unauthorized where isAnonymous:
      return "no credential was sent: \(credentials.absence ?? "provide one (\(places))")"
    case .unauthorized: return "renew the credential from \(credentials.provenances.joined(separator: ", "))"
    case .rateLimited where isAnonymous: return "a credential (\(places)) usually raises the limit"
    default: return nil
    }
  }
}

extension ReplyValues {
  /// The service's error message: where the source declares it, else as in GraphQL, else in a common member.
  func errorMessage(of source: Source, inCommonMembers: Bool = true) -> String? {
    source.errors.message.flatMap { text(of: $0) } ?? GraphQLErrors(document)?.message
      ?? (inCommonMembers ? CommonErrorFields.found(in: document) : nil)
  }
}

/// Finds the error message of a reply in common members, for a source that does not declare where it is.
enum CommonErrorFields {
  private static let names = [
    "message", "error_description", "error", "detail", "title", "description", "reason", "msg",
  ]

  /// Nil if none of these members contains a string.
  static func found(in document: JSONDocument) -> String? {
    let root = document.root
    return words(of: root) ?? root["error"].flatMap(words)
      ?? root["errors"]?[0].flatMap { $0.string ?? words(of: $0) }
  }

  /// Whether the message describes a limit on the request rate: "API rate limit exceeded", "You are being
  /// rate limited". A text that merely mentions limits, such as an advertisement for a better plan, does not
  /// match.
  static func mentionsRateLimit(_ text: String) -> Bool {
    let text = String(text.lowercased().map { $0 == "-" || $0 == "_" ? " " : $0 })
    func holds(_ parts: [String]) -> Bool { parts.contains { text.contains($0) } }
    if holds(["too many requests", "rate limited", "ratelimited", "being throttled", "was throttled"]) {
      return true
    }
    if holds(["storage", "disk"]) { return false }
    return holds([
      "rate limit", "ratelimit", "quota", "request limit", "requests limit", "api limit", "daily limit",
    ])
      && holds(["exceed", "reached", "exhausted", "hit the", "hit your", "over the", "over your", "used up"])
      || ["rate limit", "ratelimit"].contains { text.trimmedBlanks == $0 }
  }

  private static func words(of object: JSONValue) -> String? {
    names.lazy.compactMap { object[$0]?.string }.first { !$0.isEmpty }
  }
}

extension HTTPReply {
  /// Whether the reply refuses a request because of a rate limit, for a service whose source is not known yet.
  package var looksRateLimited: Bool {
    if status == 429 { return true }
    guard status == 403 else { return false }
    let words = (try? JSONDocument(body)).flatMap { CommonErrorFields.found(in: $0) }
    if words.map(CommonErrorFields.mentionsRateLimit) ?? false { return true }
    return headers.first("Retry-After") != nil || headers.first("X-RateLimit-Remaining") == "0"
      || RateLimitField(headers)?.exhaustedFor != nil
  }
}

/// The errors of a reply in the GraphQL response format (October 2021 edition, section 7.1): an object with
/// only `data`, `errors`, and `extensions`, which is recognized without rules in the source.
struct GraphQLErrors {
  /// The message of the first error.
  let message: String
  /// Whether the reply has data in addition to the errors.
  let hasData: Bool

  /// Nil for a reply without errors, or in another format.
  init?(_ document: JSONDocument) {
    let root = document.root
    guard let message = root["errors"]?[0]?["message"]?.string, root.count <= 3,
      root.members.allSatisfy({ Self.names.contains($0.name) })
    else { return nil }
    self.message = message
    hasData = root["data"].map { !$0.isNull } ?? false
  }

  private static let names: Set = ["data", "errors", "extensions"]
}

extension PageError {
  /// Converts a failed exchange to a message with a remedy. Refused and unknown hosts may be retried twice;
  /// if the request is safe, timeouts and lost connections within the user's limit, and a damaged body once;
  /// TLS errors never.
  ///
  /// - Parameter isPage: Whether the request is for a page, so that smaller pages may help.
  package init(_ failure: TransportFailure, isSafe: Bool, isPage: Bool = false) {
    let repeatIfSafe: Repeat = isSafe ? .freely : .never
    let onceIfSafe = Repeat.atMost(1).allowed(forSafe: isSafe)
    let host = failure.origin
    switch failure.kind {
    case .hostNotFound:
      self.init(
        .offline, message: "host not found: \(host)", remedy: "is the network up?", canRepeat: .atMost(2))
    case .refused:
      self.init(
        .offline, message: "connection refused by \(host)", remedy: "is the service running on that port?",
        canRepeat: .atMost(2))
    case .tls:
      self.init(
        .connection, message: "cannot establish a secure connection to \(host): \(failure.detail)",
        remedy: "check the certificate, the system clock, and that ca-certificates is installed")
    case .connectTimeout(let seconds):
      self.init(
        .offline, message: "connecting to \(host) timed out after \(Self.text(seconds))",
        canRepeat: repeatIfSafe)
    case .replyTimeout(let seconds):
      self.init(
        .connection, message: "\(host) did not respond within \(Self.text(seconds))", canRepeat: repeatIfSafe)
    case .idleTimeout(let seconds):
      self.init(
        .connection, message: "\(host) sent no data for \(Self.text(seconds))", canRepeat: repeatIfSafe)
    case .deadline(let seconds):
      self.init(
        .connection, message: "\(host) did not finish its response within \(Self.text(seconds))",
        remedy: "use --timeout to allow more", canRepeat: repeatIfSafe)
    case .deadlineBeforeHead(let seconds):
      self.init(
        .connection, message: "\(host) did not respond within \(Self.text(seconds))",
        remedy: "use --timeout to allow more", canRepeat: repeatIfSafe)
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
    case .bodyTooLarge(let limit):
      self.init(
        .unreadable, message: "\(host) sent a \(isPage ? "page" : "reply") larger than \(limit >> 20) MiB",
        remedy: isPage ? "use --page-size to request smaller pages" : nil)
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
    case .redirect(let refusal): self.init(.rejected, message: "\(host) \(refusal)")
    case .privateAddress(let address):
      self.init(
        .rejected,
        message: "request blocked: a reply points to \(host), which has the private address \(address)",
        remedy: "only a source with whose own address is private may follow such links")
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
      self.init(.invalidRequest, message: "this recording has no reply for \(failure.detail)")
    case .other: self.init(.connection, message: "\(host): \(failure.detail)", canRepeat: repeatIfSafe)
    }
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}

extension RedirectRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooMany(let limit): "redirected more than \(limit) times"
    case .noLocation: "sent a redirect without a Location header"
    case .target(let refusal): "sent a redirect that \(refusal)"
    case .unsafeMethod: "redirected a POST request, which riffle does not send again to another address"
    case .unreadable(let text): "redirected to an invalid address: \(text)"
    }
  }
}

/// What a page for people says of itself.
enum WebPage {
  /// The text of its title, on one line; nil if there is none.
  static func title(in body: [UInt8]) -> String? {
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
