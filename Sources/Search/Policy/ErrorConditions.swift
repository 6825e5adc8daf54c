/// Evaluates the rules of a source (`[errors]`, `[limits]`) for one reply.
struct ErrorConditions {
  let source: Source
  let status: Int
  let headers: HTTPFields
  /// Nil if the body cannot be parsed.
  let reply: ReplyValues?
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
    if source.errors.inside.isEmpty, let errors = reply.flatMap({ GraphQLErrors($0.document) }) {
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
    if headers.first("Retry-After") != nil { return true }
    if RateBudget(limits: source.limits, headers: headers, values: reply, now: 0)?.remaining == 0 {
      return true
    }
    return CommonErrorFields.found(in: body, reply, of: source).map(CommonErrorFields.mentionsRateLimit)
      ?? false
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
    return rule.condition?.holds(in: reply, headers) ?? true
  }

  private func isThere(_ expression: ValueExpression?) -> Bool {
    guard let expression else { return false }
    return reply.map { $0.value(of: expression) != nil } ?? (headers.value(of: expression) != nil)
  }
}
