import NIOHTTP1
import Synchronization

/// The state shared by all connections of a server: the API, the budget, the request counts, and the log of
/// request targets.
final class Responder: Sendable {
  private let api = DemoAPI()
  private let clock: @Sendable () -> Int
  private let state: Mutex<State>

  private struct State {
    var budget: RequestBudget
    var counts = RunRequestCounts()
    var log: [String] = []
  }

  init(allowance: RequestAllowance, clock: @escaping @Sendable () -> Int) {
    self.clock = clock
    state = Mutex(State(budget: RequestBudget(allowance)))
  }

  /// The targets of the latest requests, oldest first.
  var log: [String] { state.withLock { $0.log } }

  /// The maximum number of targets in the log.
  private static let longestLog = 10_000

  /// The reply plan for a request to the server with this name.
  func plan(for head: HTTPRequestHead, body: RequestBody, to name: LoopbackName) -> ReplyPlan {
    record(head.uri)
    if let refusal = name.refusal(ofHosts: head.headers["host"]) { return ReplyPlan(reply: refusal.reply) }
    if body.isTooLong {
      return ReplyPlan(reply: Refusal(413, "the body must have at most \(RequestBody.limit) bytes").reply)
    }
    var request = Request(method: head.method.rawValue, target: head.uri, baseURL: name.baseURL)
    request.body = body.bytes
    request.time = clock()
    return plan(for: request)
  }

  private func plan(for request: Request) -> ReplyPlan {
    var request = request
    let (refusal, fields) = state.withLock { state in
      let refusal = state.budget.spend(at: request.time)
      if refusal == nil, let runID = request.runID { request.number = state.counts.add(runID) }
      return (refusal, state.budget.fields(at: request.time))
    }
    var plan = refusal.map { ReplyPlan(reply: $0.reply) } ?? api.plan(for: request)
    for field in fields where plan.reply[field.name] == nil { plan.reply.fields.append(field) }
    return plan
  }

  private func record(_ target: String) {
    state.withLock { state in
      if state.log.count == Self.longestLog { state.log.removeFirst(Self.longestLog / 2) }
      state.log.append(target)
    }
  }
}
