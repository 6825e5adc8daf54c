/// What the rules of a source (`[errors]`, `[limits]`) say about one reply.
struct ErrorSigns {
  let source: Source
  let status: Int
  let headers: HTTPFields
  /// Nil when the body cannot be read.
  let reply: ReplyValues?
  let body: [UInt8]

  /// Which list of rules told, and the rule.
  enum Finding {
    case fatal(ErrorRule)
    case rateLimited(ErrorRule)
    case retry(ErrorRule)
  }

  /// Whether a good status carries an error.
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

  /// The first rule that holds; those that forbid asking again come first.
  var matching: Finding? { finding { holds($0) } }

  /// The first rule that holds and names this very status, which may be a good one.
  var stated: Finding? { finding { $0.statuses.contains(status) && holds($0) } }

  /// What a refusal says of itself: how long to wait, that nothing remains, or in words that there were too many
  /// requests.
  var isLimited: Bool {
    if headers.first("Retry-After") != nil { return true }
    if RateBudget(limits: source.limits, headers: headers, values: reply, now: 0)?.remaining == 0 {
      return true
    }
    return UsualErrorWords.found(in: body, reply, of: source).map(UsualErrorWords.tellOfRateLimit) ?? false
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
