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

  /// - Parameters:
  ///   - values: The parsed reply; nil if its body is not JSON.
  ///   - isFirst: Whether this is the first page of the run.
  package static func of(
    _ reply: HTTPReply, _ values: ReplyValues?, source: Source, isFirst: Bool
  ) -> ReplyVerdict {
    let status = reply.status
    let signs = ErrorConditions(
      source: source, status: status, headers: reply.headers, reply: values, body: reply.body)
    if (200..<300).contains(status) {
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
