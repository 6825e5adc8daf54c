package import HTTPValues
import JSON

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

/// `wait_from = {path|header, number_after}`: a wait in seconds, or a message that contains one.
package struct WaitField: Sendable, Hashable {
  package var value: ValueExpression
  /// The words before the number, ignoring case; nil if the value is the number.
  package var numberAfter: String?

  package init(value: ValueExpression, numberAfter: String? = nil) {
    self.value = value
    self.numberAfter = numberAfter
  }

  /// The wait in a text, in seconds; only the beginning of a long text is searched.
  package func seconds(in text: String) -> Double? {
    guard let words = numberAfter?.lowercased(), !words.isEmpty else { return WaitSeconds.seconds(text) }
    let text = text.prefix(2_000).lowercased()
    return text.ranges(of: words).lazy.compactMap { WaitSeconds.leadingSeconds(text[$0.upperBound...]) }.first
  }
}

/// The classification of a reply before its rows are read: by the rules of the source, then by one table of
/// statuses for all sources.
package enum ReplyVerdict: Sendable, Hashable {
  /// The body is a page.
  case page
  /// The body is a page that also reports an error; its rows count (rule 22).
  case partialPage
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
      case .none: return signs.stated.map { signs.verdict(of: $0) } ?? .page
      // A rule that recognizes the error takes precedence over rows in the same reply.
      case .warning: return signs.matching.map { signs.verdict(of: $0) } ?? .partialPage
      case .error:
        return signs.matching.map { signs.verdict(of: $0) } ?? .failure(.rejected, .never, rule: nil)
      }
    }
    if !isFirst, source.pagination.settings.endStatuses.contains(status) { return .pastTheEnd }
    if !isFirst, source.pagination.settings.expiredStatuses.contains(status) {
      return .failure(.rejected, .afterRestart, rule: nil)
    }
    if let finding = signs.matching { return signs.verdict(of: finding) }
    if status == 403, signs.isLimited { return .failure(.rateLimited, .freely, rule: nil) }
    let (kind, canRepeat) = meaning(of: status)
    return .failure(kind, canRepeat, rule: nil)
  }

  /// The table of statuses. (403 means "not authorized" for most services, so the status alone is not a rate
  /// limit.)
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

  /// The list that contained the matching rule, and the rule.
  enum Finding {
    case fatal(ErrorRule)
    case rateLimited(ErrorRule)
    case retry(ErrorRule)
  }

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

  /// The first matching rule; rules that forbid a retry come first.
  var matching: Finding? { finding { holds($0) } }

  /// The first matching rule that names this status, which may be a success status.
  var stated: Finding? { finding { $0.statuses.contains(status) && holds($0) } }

  /// Whether the refusal says that it is a rate limit: by a wait, by an exhausted budget, or by its message.
  var isLimited: Bool {
    if reply.headers.first("Retry-After") != nil { return true }
    if RateBudget(in: reply, limits: source.limits, now: 0)?.remaining == 0 { return true }
    let beginning = reply.error.map { _ in String(decoding: body.prefix(4_096), as: UTF8.self) }
    return (beginning ?? reply.errorMessage(of: source)).map(CommonErrorFields.mentionsRateLimit) ?? false
  }

  func verdict(of finding: Finding) -> ReplyVerdict {
    let kind = status < 400 ? PageError.Kind.server : ReplyVerdict.meaning(of: status).0
    switch finding {
    case .fatal(let rule): return .failure(status < 400 ? .rejected : kind, .never, rule: rule)
    case .rateLimited(let rule): return .failure(.rateLimited, .freely, rule: rule)
    case .retry(let rule): return .failure(kind, .freely, rule: rule)
    }
  }

  private func finding(where holds: (ErrorRule) -> Bool) -> Finding? {
    let rules = source.errors
    if let rule = rules.fatal.first(where: holds) { return .fatal(rule) }
    if let rule = rules.rateLimited.first(where: holds) { return .rateLimited(rule) }
    return rules.retry.first(where: holds).map { .retry($0) }
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

extension HTTPReply {
  /// Whether the reply refuses a request because of a rate limit, by the common names: for a service whose source
  /// is not known yet.
  package var looksRateLimited: Bool {
    if status == 429 { return true }
    guard status == 403 else { return false }
    let words = (try? JSONDocument(body)).flatMap { CommonErrorFields.found(in: $0) }
    if words.map(CommonErrorFields.mentionsRateLimit) ?? false { return true }
    return headers.first("Retry-After") != nil || headers.first("X-RateLimit-Remaining") == "0"
      || RateLimitField(headers)?.exhaustedFor != nil
  }
}
