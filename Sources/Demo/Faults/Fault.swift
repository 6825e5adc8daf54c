/// A way for a reply to go wrong, asked for with the parameter `fault`.
struct Fault: Sendable {
  var name: String
  /// One line for people, with its own parameters.
  var summary: String
  private let change: @Sendable (inout ReplyPlan, Request) throws(Refusal) -> Void

  init(
    _ name: String, _ summary: String,
    change: @escaping @Sendable (inout ReplyPlan, Request) throws(Refusal) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.change = change
  }

  func plan(instead plan: ReplyPlan, for request: Request) throws(Refusal) -> ReplyPlan {
    var plan = plan
    try change(&plan, request)
    return plan
  }

  /// Every fault; to add one, enter it here.
  static let all: [Fault] = [serverError, rateLimited, html, hang, drip, truncate]

  private static let serverError = Fault("500", "an internal error") { plan, _ in
    plan.reply = Refusal(500, "a fault was asked for").reply
  }

  private static let rateLimited = Fault("429", "too many requests: retry_after in seconds (1)") {
    plan, request throws(Refusal) in
    let seconds = try request.query.number("retry_after", in: 0...86_400, standard: 1)
    plan.reply = Refusal(429, "a fault was asked for; wait \(seconds) s").reply
    plan.reply.add("Retry-After", String(seconds))
  }

  private static let html = Fault("html", "a sign-in page in place of JSON") { plan, _ in
    plan.reply = Reply(html: "<!doctype html>\n<title>Sign in</title>\n<p>Please sign in.</p>\n")
  }

  private static let hang = Fault("hang", "no reply at all") { plan, _ in plan.delivery = .hanging }

  private static let drip = Fault("drip", "32 bytes of the body every 100 ms") { plan, _ in
    plan.delivery = .dripping(bytes: 32, pause: 100)
  }

  private static let truncate = Fault("truncate", "the connection closes in the middle of the body") {
    plan, _ in
    plan.delivery = .truncated(bytes: plan.reply.body.count / 2)
  }
}
