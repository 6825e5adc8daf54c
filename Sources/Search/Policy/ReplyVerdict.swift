/// What a status means before the body is looked at (design: one table for all sources).
package enum ReplyVerdict: Sendable, Hashable {
  /// The body is a page.
  case page
  /// No body and no rows: 204.
  case empty
  /// The list ended before this page; only after rows, else an error (rule 8).
  case pastTheEnd
  case failure(PageError.Kind, PageError.Repeat)

  /// - Parameter isFirst: whether this is the first page of the run.
  package static func of(
    status: Int, source: Source, reply: ReplyValues?, headers: HTTPFields, isFirst: Bool
  ) -> ReplyVerdict {
    if (200..<300).contains(status) { return status == 204 ? .empty : .page }
    if !isFirst, source.pagination.settings.endStatuses.contains(status) { return .pastTheEnd }
    let isLimited = RateLimitSigns(source: source, headers: headers, reply: reply).areSeen(status: status)
    switch status {
    case 401: return .failure(.unauthorized, .never)
    case 403: return isLimited ? .failure(.rateLimited, .freely) : .failure(.unauthorized, .never)
    case 429: return .failure(.rateLimited, .freely)
    case 408, 425, 500, 502, 504, 520...524, 529: return .failure(.server, .freely)
    case 503: return .failure(.server, .freely)
    case 500...: return .failure(.server, .never)
    default: return isLimited ? .failure(.rateLimited, .freely) : .failure(.rejected, .never)
    }
  }
}

/// Whether an error reply is a rate limit: `Retry-After`, nothing remaining, or a rule of the source.
/// (403 means "not authorised" in most services, so the status alone does not tell.)
struct RateLimitSigns {
  let source: Source
  let headers: HTTPFields
  let reply: ReplyValues?

  func areSeen(status: Int) -> Bool {
    if status == 403, headers.first("Retry-After") != nil { return true }
    let budget = RateBudget(limits: source.limits, headers: headers, values: reply, now: 0)
    if status == 403, budget?.remaining == 0 { return true }
    return matchingRule(status: status) != nil
  }

  func matchingRule(status: Int) -> ErrorRule? {
    source.errors.rateLimited.first { rule in
      guard rule.statuses.isEmpty ? status >= 400 : rule.statuses.contains(status) else { return false }
      guard let condition = rule.condition else { return true }
      return condition.holds(for: value(of: condition.value))
    }
  }

  private func value(of expression: ValueExpression) -> String? {
    reply.map { $0.text(of: expression) } ?? headers.value(of: expression)
  }
}
