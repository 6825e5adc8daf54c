import HTTPValues
import JSON

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
    let isSecondaryLimit = kind == .rateLimited && rule != nil && canRepeat != .never
    return PageError(
      kind, status: reply.status, message: message(kind, canRepeat), remedy: remedy(kind, canRepeat),
      canRepeat: canRepeat.allowed(forSafe: source.endpoint.isSafe),
      wait: RequestedWait.seconds(
        headers: reply.headers, stated: stated, budget: budget, now: reply.arrivedAt),
      waitAtLeast: rule?.waitAtLeast ?? (isSecondaryLimit ? RetryPolicy.standardLimitWait : nil),
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
      case _ where canRepeat == .afterRestart:
        "\(origin) no longer accepts this position (\(phrase))"
      case _ where isGood: "\(origin) reported an error"
      default: "\(origin) returned \(phrase)"
      }
    return serviceMessage.map { "\(start): \($0)" } ?? start
  }

  private var isGood: Bool { HTTPStatus.isSuccess(reply.status) }

  private var phrase: String { HTTPStatus.text(reply.status) }

  /// The service's error message, at most 300 characters; nil if it only repeats the status.
  private var serviceMessage: String? {
    guard let words = statedWords else { return nil }
    let repetitions = [String(reply.status), HTTPStatus.phrase(reply.status), phrase].compactMap {
      $0?.lowercased()
    }
    return repetitions.contains(words.lowercased()) ? nil : words
  }

  private var statedWords: String? {
    guard values.error == nil, let text = values.errorMessage(of: source, inCommonMembers: !isGood),
      !text.isEmpty
    else { return nil }
    return text.count > 300 ? text.prefix(300) + "…" : text
  }

  /// The remedy for a source without a credential.
  private var credentialAdvice: String? {
    credentials.provenances.isEmpty
      ? "source \(source.id) sends no credential: add [auth] to it, or pass a credential with -H" : nil
  }

  private func remedy(_ kind: PageError.Kind, _ canRepeat: PageError.Repeat) -> String? {
    if canRepeat == .afterRestart { return "load again from the first page" }
    let places = source.secretOrigins.map(\.description).joined(separator: ", ")
    if places.isEmpty { return kind == .unauthorized ? credentialAdvice : nil }
    switch kind {
    case .unauthorized where !credentials.provenances.isEmpty:
      return "renew the credential from \(credentials.provenances.joined(separator: ", "))"
    case .unauthorized: return "no credential was sent: \(credentials.absence ?? "provide one (\(places))")"
    case .rateLimited where credentials.provenances.isEmpty:
      return "a credential (\(places)) usually raises the limit"
    default: return nil
    }
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
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    415: "Unsupported Media Type", 422: "Unprocessable Content",
    425: "Too Early", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}

/// Finds the error message of a reply in commonly used members, for a source that does not declare where it
/// is.
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
    let words = text.lowercased().map { $0 == "-" || $0 == "_" ? " " : $0 }
    let text = String(words)
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

extension ReplyValues {
  /// The service's error message: at the location that the source declares, else in the GraphQL format, else in
  /// a common member.
  func errorMessage(of source: Source, inCommonMembers: Bool = true) -> String? {
    source.errors.message.flatMap { text(of: $0) } ?? GraphQLErrors(document)?.message
      ?? (inCommonMembers ? CommonErrorFields.found(in: document) : nil)
  }
}

/// The errors of a reply in the GraphQL response format (October 2021 edition, section 7.1): an object with
/// only `data`, `errors`, and `extensions`. The strict format lets errors be recognized without any rules in
/// the source.
struct GraphQLErrors {
  /// The message of the first error.
  let message: String
  /// Whether the reply has data in addition to the errors.
  let hasData: Bool

  /// Nil for a reply without errors, or in another format.
  init?(_ document: JSONDocument) {
    let root = document.root
    guard 1...3 ~= root.count, root.members.allSatisfy({ Self.names.contains($0.name) }),
      let message = root["errors"]?[0]?["message"]?.string
    else { return nil }
    self.message = message
    hasData = root["data"].map { !$0.isNull } ?? false
  }

  private static let names: Set = ["data", "errors", "extensions"]
}
