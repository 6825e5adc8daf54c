/// A defect of a reply, requested with the parameter `fault`.
struct Fault: Sendable {
  var name: String
  /// A one-line description, including the fault's own parameters.
  var summary: String
  /// The text after `fault=NAME` in an example: `"&retry_after=2"`.
  var example: String
  private let mislead: @Sendable (inout Request) -> Void
  private let change: @Sendable (inout ReplyPlan, Request) throws(Refusal) -> Void

  /// A fault that changes the reply or its delivery.
  init(
    _ name: String, _ summary: String, example: String = "",
    change: @escaping @Sendable (inout ReplyPlan, Request) throws(Refusal) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.example = example
    self.mislead = { _ in }
    self.change = change
  }

  /// A fault that makes the route itself return a wrong reply.
  init(_ name: String, _ summary: String, mislead: @escaping @Sendable (inout Request) -> Void) {
    self.name = name
    self.summary = summary
    self.example = "&per_page=5"
    self.mislead = mislead
    self.change = { _, _ in }
  }

  /// The request as the route receives it.
  func misled(_ request: Request) -> Request {
    var request = request
    mislead(&request)
    return request
  }

  func plan(instead plan: ReplyPlan, for request: Request) throws(Refusal) -> ReplyPlan {
    var plan = plan
    try change(&plan, request)
    return plan
  }

  /// All faults. To add one, write it next to similar ones and add it here.
  static let all: [Fault] = [
    serverError, rateLimited, rateLimitedUntil, secondaryLimit, unavailable, redirect, redirectAway,
    html, truncate, deep, badUTF8, escapes,
    loop, duplicates, empty, crossLink,
    hang, drip, huge, endless, gzipBomb,
  ]
}
