/// An error reply, put into words.
struct ErrorReply {
  let source: Source
  let credentials: Credentials
  let reply: HTTPReply
  let values: ReplyValues?
  let budget: RateBudget?

  func error(_ kind: PageError.Kind, _ canRepeat: PageError.Repeat) -> PageError {
    let rule = RateLimitSigns(source: source, headers: reply.headers, reply: values)
      .matchingRule(status: reply.status)
    return PageError(
      kind, status: reply.status, message: message(kind), remedy: remedy(kind),
      canRepeat: canRepeat,
      wait: RequestedWait.seconds(headers: reply.headers, budget: budget, now: reply.arrivedAt),
      waitAtLeast: rule?.waitAtLeast, budget: budget)
  }

  private func message(_ kind: PageError.Kind) -> String {
    let phrase = [String(reply.status), HTTPStatus.phrase(reply.status)].compactMap { $0 }.joined(
      separator: " ")
    let start =
      switch kind {
      case .rateLimited: "rate limited by \(reply.url.origin) (\(phrase))"
      case .unauthorized: "not authorised by \(reply.url.origin) (\(phrase))"
      default: "\(reply.url.origin) answered \(phrase)"
      }
    return serviceMessage.map { "\(start): \($0)" } ?? start
  }

  /// The service's own words, at most 300 characters of them.
  private var serviceMessage: String? {
    let expression = source.errors.message
    guard let values, let text = expression.flatMap({ values.text(of: $0) }), !text.isEmpty else {
      return nil
    }
    return text.count > 300 ? text.prefix(300) + "…" : text
  }

  private func remedy(_ kind: PageError.Kind) -> String? {
    let places = source.secretOrigins.map(\.description).joined(separator: ", ")
    if places.isEmpty { return nil }
    switch kind {
    case .unauthorized where !credentials.provenances.isEmpty:
      return "the credential comes from \(credentials.provenances.joined(separator: ", ")): renew it"
    case .unauthorized: return "no credential was sent: \(credentials.absence ?? "set \(places)")"
    case .rateLimited where credentials.provenances.isEmpty:
      return "a credential (\(places)) usually raises the limit"
    default: return nil
    }
  }
}

/// Reason phrases of RFC 9110 and RFC 6585, for messages.
package enum HTTPStatus {
  package static func phrase(_ status: Int) -> String? { phrases[status] }

  private static let phrases: [Int: String] = [
    300: "Multiple Choices", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout",
    409: "Conflict", 410: "Gone", 415: "Unsupported Media Type", 422: "Unprocessable Content",
    425: "Too Early", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}
