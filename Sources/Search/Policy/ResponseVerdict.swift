package import HTTPValues
package import JSON
private import Text

/// How a source recognizes and classifies errors (`[errors]`).
package struct ErrorRules: Sendable {
  package static let standard = ErrorRules()

  /// The service's error message.
  package var message: ValueExpression?
  /// Recognizes an error in a response with status 200. If `unless` is also present, the rows count and the error is a
  /// warning (rule 22).
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

  /// The statuses of the rule; if empty, any status of 400 or above, and an error inside a 200.
  package var statuses: [Int] = []
  package var condition: Condition?
  /// The rule does not hold if this value is present.
  package var unless: ValueExpression?
  /// The location of the wait in the response.
  package var waitFrom: WaitField?
  /// The minimum wait in seconds if the response contains none.
  package var waitAtLeast: Double?
}

/// The classification of a response before its rows are read: by the source's rules, then by one table of statuses.
package enum ResponseVerdict: Sendable, Hashable {
  /// The body is a page.
  case page
  /// The body is a page that also reports an error; its rows count (rule 22).
  case pageWithErrors
  /// The list ended before this page. On the first page this is an error (rule 8).
  case pastTheEnd
  /// - Parameter rule: The matching rule of the source; nil if the table decided.
  case failure(PageError.Kind, PageError.Repeat, rule: ErrorRule?)

  /// - Parameter isFirst: Whether this is the first page of the run.
  package static func of(
    _ response: HTTPResponse, _ values: ResponseValues, source: Source, isFirst: Bool
  ) -> ResponseVerdict {
    let status = response.status
    let signs = ErrorConditions(source: source, status: status, response: values, body: response.body)
    if HTTPStatus.isSuccess(status) {
      switch signs.embeddedError {
      case .none: return signs.stated ?? .page
      // A rule that recognizes the error takes precedence over rows in the same response.
      case .warning: return signs.matching ?? .pageWithErrors
      case .error: return signs.matching ?? .failure(.rejected, .never, rule: nil)
      }
    }
    // 416 (RFC 9110, section 15.5.17) means that the page does not exist.
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
  package static func meaning(of status: Int) -> (PageError.Kind, PageError.Repeat) {
    switch status {
    case 401, 403: (.unauthorized, .never)
    case 429: (.rateLimited, .freely)
    case 408, 425, 500, 502, 503, 504, 520...524, 529: (.server, .freely)
    case 500...: (.server, .never)
    default: (.rejected, .never)
    }
  }
}

/// Evaluates the rules of a source (`[errors]`, `[limits]`) for one response.
struct ErrorConditions {
  let source: Source
  let status: Int
  let response: ResponseValues
  let body: [UInt8]

  /// Whether a response with a success status contains an error.
  enum EmbeddedError { case none, warning, error }

  var embeddedError: EmbeddedError {
    var found = EmbeddedError.none
    for rule in source.errors.inside where matches(rule) {
      if isThere(rule.unless) { found = .warning } else { return .error }
    }
    if source.errors.inside.isEmpty, let errors = GraphQLErrors(response.document) {
      return errors.hasData ? .warning : .error
    }
    return found
  }

  /// The verdict of the first matching rule; rules that forbid a retry come first.
  var matching: ResponseVerdict? { verdict { holds($0) } }

  /// The verdict of the first matching rule that names this status, which may be a success status.
  var stated: ResponseVerdict? { verdict { $0.statuses.contains(status) && holds($0) } }

  /// Whether the response indicates a rate limit: by a wait, by an exhausted budget, or by its message.
  var isLimited: Bool {
    if response.headers.first("Retry-After") != nil { return true }
    if RateBudget(in: response, limits: source.limits, now: 0)?.remaining == 0 { return true }
    let beginning = response.error.map { _ in String(decoding: body.prefix(4_096), as: UTF8.self) }
    return (beginning ?? response.errorMessage(of: source)).map(CommonErrorFields.mentionsRateLimit) ?? false
  }

  /// The verdict of the first rule that holds.
  private func verdict(where holds: (ErrorRule) -> Bool) -> ResponseVerdict? {
    let kind = status < 400 ? PageError.Kind.server : ResponseVerdict.meaning(of: status).0
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
    return rule.condition.map { response.holds($0) } ?? true
  }

  private func isThere(_ expression: ValueExpression?) -> Bool {
    expression.flatMap { response.value(of: $0) } != nil
  }
}

/// Converts an error response to a message.
struct ErrorResponse {
  let source: Source
  let credentials: ResolvedCredentials
  let response: HTTPResponse
  let values: ResponseValues
  /// The options that the user chose.
  let options: [String: String]
  /// Whether it responds to the request for the first page. After that, the URL is known to be right.
  let isFirst: Bool

  var budget: RateBudget? { RateBudget(in: values, limits: source.limits, now: response.arrivedAt) }
  var bucket: RateBucket { RateBucket(of: values, limits: source.limits) }

  func error(_ kind: PageError.Kind, _ canRepeat: PageError.Repeat, _ rule: ErrorRule?) -> PageError {
    let stated = RequestedWait.stated(in: values, by: rule, limits: source.limits)
    var error = PageError(
      kind, status: response.status, message: message(kind, canRepeat), remedy: remedy(kind, canRepeat),
      commandLineRemedy: commandLineRemedy(kind),
      canRepeat: canRepeat.allowed(forSafe: source.endpoint.isSafe),
      needsRestart: lacksCredential(kind) || kind == .unauthorized && onlyVariables
        || isNotFound(kind) && chosenInAddress == nil,
      wait: RequestedWait.seconds(
        headers: response.headers, stated: stated, budget: budget, now: response.arrivedAt),
      waitAtLeast: RetryPolicy.minWait(after: kind, canRepeat, by: rule),
      budget: budget, bucket: bucket, serviceMessage: serviceMessage)
    error.needsCredential = kind == .unauthorized && credentials.provenances.isEmpty
    return error
  }

  /// The warning for a page that has rows in spite of the error.
  var warning: String {
    "the service reported an error along with the rows" + (serviceMessage.map { ": \($0)" } ?? "")
  }

  private func message(_ kind: PageError.Kind, _ canRepeat: PageError.Repeat) -> String {
    let url = response.url.withoutQuery
    let start =
      switch kind {
      case .rateLimited: "rate limited by \(url)" + (isGood ? "" : " (\(phrase))")
      case .unauthorized: "\(url) rejected the request (\(phrase))"
      case _ where canRepeat == .afterRestart: "\(url) no longer accepts this position (\(phrase))"
      case _ where isGood: "\(url) reported an error"
      default: "\(url) returned \(phrase)"
      }
    if isWebPage, let title = WebPage.title(in: response.body) { return "\(start): a web page, \"\(title)\"" }
    return serviceMessage.map { "\(start): \($0)" } ?? start
  }

  /// Whether the body is a web page, such as those of proxies and bot protection.
  private var isWebPage: Bool { values.error?.isHTML ?? false }

  private var isGood: Bool { HTTPStatus.isSuccess(response.status) }

  private var phrase: String { HTTPStatus.text(response.status) }

  /// The service's error message, at most 300 characters; nil if it only repeats the status.
  private var serviceMessage: String? {
    let repetitions = [
      "", String(response.status), HTTPStatus.phrase(response.status)?.lowercased(), phrase.lowercased(),
    ]
    guard values.error == nil, let text = values.errorMessage(of: source, inCommonMembers: !isGood),
      !repetitions.contains(text.lowercased())
    else { return nil }
    return text.count > 300 ? text.prefix(300) + "…" : text
  }

  private var noCredential: String { "source \(source.id) sends no credential. Add [auth] to it" }

  /// Whether the service requires a credential and the source has none.
  private func lacksCredential(_ kind: PageError.Kind) -> Bool {
    kind == .unauthorized && source.secretOrigins.isEmpty && credentials.provenances.isEmpty
      && !(isWebPage && response.status != 401)
  }

  private func commandLineRemedy(_ kind: PageError.Kind) -> String? {
    if lacksCredential(kind) { return "\(noCredential), or use -H 'Authorization: …'" }
    return isNotFound(kind) ? chosenInAddress.map { "check --set \($0)" } : nil
  }

  /// Whether all rejected credentials are those of variables, which riffle reads when it starts.
  private var onlyVariables: Bool {
    response.status == 401 && !credentials.provenances.isEmpty
      && credentials.provenances.allSatisfy { $0.hasPrefix("env:") }
  }

  private func isNotFound(_ kind: PageError.Kind) -> Bool {
    isFirst && kind == .rejected && [404, 410].contains(response.status)
  }

  /// An option that the user chose and that the URL contains, with its value.
  private var chosenInAddress: String? {
    source.endpoint.url.placeholders.lazy
      .compactMap { placeholder in options[placeholder.name].map { "\(placeholder.name)=\($0)" } }.first
  }

  private func remedy(_ kind: PageError.Kind, _ canRepeat: PageError.Repeat) -> String? {
    if canRepeat == .afterRestart { return "load again from the first page" }
    let places = source.secretOrigins.map(\.description).joined(separator: ", ")
    let isAnonymous = credentials.provenances.isEmpty
    switch kind {
    case .unauthorized where isWebPage && response.status != 401:
      return "open \(response.url.withoutQuery) in a browser: something before the service may block programs"
    case .unauthorized where credentials.isQuoted:
      return
        "the credential from \(credentials.provenances.joined(separator: ", ")) is sent with its quotes. Remove them"
    case .unauthorized where lacksCredential(kind):
      return noCredential
    case _ where isNotFound(kind):
      if let option = chosenInAddress { return "check the option \(option)" }
      return "correct \(source.endpoint.table).url in source \(source.id)"
    case _ where places.isEmpty: return nil
    case .unauthorized where isAnonymous:
      return """
        no credential was sent: \(credentials.absence ?? "provide one (\(places))\(source.credentialHint)")
        """
    case .unauthorized where response.status == 403 && serviceMessage != nil:
      return "check the permissions of the credential from \(credentials.provenances.joined(separator: ", "))"
    case .unauthorized:
      return credentials.provenances.map { source.renewal(of: $0) }.joined(separator: ", or ")
    case .rateLimited where isAnonymous && source.unusedBenefit != nil: return source.unusedBenefit
    case .rateLimited where isAnonymous:
      return "a credential (\(places)) usually raises the limit\(source.credentialHint)"
    default: return nil
    }
  }
}

extension Source {
  /// The remedy for a credential that the service rejected.
  ///
  /// - Parameter place: Where the credential was read from: the text of a `SecretOrigin`, or an option of the command
  ///   line.
  fileprivate func renewal(of place: String) -> String {
    if place == SecretOrigin.store.description { return "log in again: riffle auth login \(commandName)" }
    let parts = place.split(separator: ":", maxSplits: 1).map(String.init)
    return switch (parts.first, parts.last) {
    case ("env", let name?): "set \(name) to a valid credential\(credentialHint)"
    case ("file", let path?): "replace the credential in \(path)"
    case ("cmd", let command?): "check the credential that \"\(command)\" prints"
    default: "check the credential given with \(place)"
    }
  }
}

extension ResponseValues {
  /// The service's error message: at the location that the source declares, else as in GraphQL, else in a common field.
  func errorMessage(of source: Source, inCommonMembers: Bool = true) -> String? {
    source.errors.message.flatMap { text(of: $0) } ?? GraphQLErrors(document)?.message
      ?? (inCommonMembers ? CommonErrorFields.found(in: document) : nil)
  }
}

/// Finds the error message of a response in common fields, for a source that does not declare its location.
package enum CommonErrorFields {
  private static let names = [
    "message", "error_description", "error", "detail", "title", "description", "reason", "msg",
  ]

  /// The message; nil if none of these fields contains a string.
  package static func found(in document: JSONDocument) -> String? {
    let root = document.root
    return words(of: root) ?? root["error"].flatMap(words)
      ?? root["errors"]?[0].flatMap { $0.string ?? words(of: $0) }
  }

  /// Whether the message describes a limit on the request rate: "API rate limit exceeded", "You are being rate
  /// limited". A message that merely mentions limits, such as an advertisement for a better plan, does not match.
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

extension HTTPResponse {
  /// Whether the response refuses a request because of a rate limit, for a service whose source is not known yet.
  package var looksRateLimited: Bool {
    if status == 429 { return true }
    guard status == 403 else { return false }
    let words = (try? JSONDocument(body)).flatMap { CommonErrorFields.found(in: $0) }
    if words.map(CommonErrorFields.mentionsRateLimit) ?? false { return true }
    return headers.first("Retry-After") != nil || headers.first("X-RateLimit-Remaining") == "0"
      || RateLimitField(headers)?.exhaustedFor != nil
  }
}

/// The errors of a response in the GraphQL response format (October 2021 edition, section 7.1): an object with
/// only `data`, `errors`, and `extensions`, which is recognized without rules in the source.
struct GraphQLErrors {
  /// The message of the first error.
  let message: String
  /// Whether the response has data in addition to the errors.
  let hasData: Bool

  /// Parses the errors; nil for a response without errors, or in another format.
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
