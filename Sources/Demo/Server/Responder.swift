import NIOHTTP1
import Synchronization

/// What all connections of a server share: the API, the budget, and the log of request targets.
final class Responder: Sendable {
  private let api = DemoAPI()
  private let clock: @Sendable () -> Int
  private let state: Mutex<State>

  private struct State {
    var budget: RequestBudget
    var log: [String] = []
  }

  init(allowance: RequestAllowance, clock: @escaping @Sendable () -> Int) {
    self.clock = clock
    state = Mutex(State(budget: RequestBudget(allowance)))
  }

  /// The targets of the latest requests, oldest first.
  var log: [String] { state.withLock { $0.log } }

  /// How many targets are kept at most.
  private static let longestLog = 10_000

  /// How to answer a request made to the server of that name.
  func plan(for head: HTTPRequestHead, to name: LoopbackName) -> ReplyPlan {
    record(head.uri)
    if let refusal = name.refusal(ofHosts: head.headers["host"]) { return ReplyPlan(reply: refusal.reply) }
    let now = clock()
    let (refusal, fields) = state.withLock { state in
      let refusal = state.budget.spend(at: now)
      return (refusal, state.budget.fields(at: now))
    }
    let request = Request(method: head.method.rawValue, target: head.uri, baseURL: name.baseURL)
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
