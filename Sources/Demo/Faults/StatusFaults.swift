/// Replies with a status other than 200.
extension Fault {
  static let serverError = Fault("500", "internal server error") { plan, _ in
    plan.reply = Refusal(500, "a fault was requested").reply
  }

  static let rateLimited = Fault(
    "429", "too many requests, with Retry-After: retry_after in seconds (1)",
    example: "&retry_after=2&times=1"
  ) { plan, request throws(Refusal) in
    let seconds = try request.wait
    plan.reply = Refusal(429, "a fault was requested. Wait \(seconds) s").reply
    plan.reply.add("Retry-After", String(seconds))
  }

  static let rateLimitedUntil = Fault(
    "429-reset", "too many requests, with only X-RateLimit-Reset: retry_after in seconds (1)",
    example: "&retry_after=2&times=1"
  ) { plan, request throws(Refusal) in
    plan.reply = Refusal(429, "a fault was requested. See X-RateLimit-Reset").reply
    plan.reply.add("X-RateLimit-Remaining", "0")
    plan.reply.add("X-RateLimit-Reset", String(request.time + (try request.wait)))
  }

  static let secondaryLimit = Fault(
    "secondary", "a 403 whose message mentions a rate limit, as in GitHub", example: "&times=1"
  ) { plan, _ in
    let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    plan.reply = Refusal(403, message).reply
  }

  static let unavailable = Fault(
    "503", "unavailable until the date in Retry-After: retry_after in seconds (1)",
    example: "&retry_after=2&times=1"
  ) { plan, request throws(Refusal) in
    plan.reply = Refusal(503, "a fault was requested. See Retry-After").reply
    plan.reply.add("Date", HTTPDate.text(request.time))
    plan.reply.add("Retry-After", HTTPDate.text(request.time + (try request.wait)))
  }

  static let redirect = Fault("redirect", "a 307 to the same address without the fault") { plan, request in
    plan.reply = .redirect(to: request.baseURL + request.targetWithoutFault)
  }

  static let redirectAway = Fault(
    "redirect-away", "a 307 to the same path on another origin, this server as localhost"
  ) {
    plan, request in
    plan.reply = .redirect(to: request.otherBaseURL + request.targetWithoutFault)
  }
}

extension Request {
  /// The parameter `retry_after`, in seconds, at most a day.
  fileprivate var wait: Int {
    get throws(Refusal) { try query.number("retry_after", in: 0...86_400, standard: 1) }
  }

  fileprivate var targetWithoutFault: String {
    let rest = query.removing("fault").text
    return path + (rest.isEmpty ? "" : "?" + rest)
  }

  /// This server under its other name, which is a different origin.
  var otherBaseURL: String { baseURL.replacing("127.0.0.1", with: "localhost") }
}

extension Reply {
  fileprivate static func redirect(to location: String) -> Reply {
    var reply = Reply(status: 307, json: ["message": "a fault was requested. See Location"])
    reply.add("Location", location)
    return reply
  }
}
