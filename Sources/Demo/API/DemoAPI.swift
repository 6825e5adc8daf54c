/// The API of the server: maps a request to a reply plan, without sockets.
struct DemoAPI: Sendable {
  var routes = Route.all
  var faults = Fault.all

  /// The reply plan for an admitted request.
  func plan(for request: Request) -> ReplyPlan {
    do throws(Refusal) {
      let delay = try request.query.number("delay", in: 0...Self.longestDelay, standard: 0)
      guard let fault = try fault(striking: request) else {
        return ReplyPlan(reply: try reply(to: request), delay: delay)
      }
      let request = fault.misled(request)
      let plan = ReplyPlan(reply: try reply(to: request), delay: delay)
      return try fault.plan(instead: plan, for: request)
    } catch {
      return ReplyPlan(reply: error.reply)
    }
  }

  /// Ten minutes, in milliseconds.
  private static let longestDelay = 600_000

  private func reply(to request: Request) throws(Refusal) -> Reply {
    guard let route = routes.first(where: { $0.paths.contains(request.path) }) else {
      throw Refusal(404, "no route '\(request.path)'. See / for all routes")
    }
    guard route.method.names.contains(request.method) else {
      let names = route.method.names
      let answered = names.joined(separator: " and ")
      var reply = Refusal(405, "\(request.path) supports \(answered), not \(request.method)").reply
      reply.add("Allow", names.joined(separator: ", "))
      return reply
    }
    return try route.reply(to: request)
  }

  /// The requested fault, if it applies to this request; if several apply, they take turns.
  private func fault(striking request: Request) throws(Refusal) -> Fault? {
    let names = (request.query["fault"] ?? "").split(separator: ",").map(String.init)
    guard !names.isEmpty else { return nil }
    var requested: [Fault] = []
    for name in names { requested.append(try fault(named: name)) }
    let first = try request.query.number("from", in: 1...Self.mostRequests, standard: 1)
    let times = try request.query.number("times", in: 1...Self.mostRequests, standard: Self.mostRequests)
    let every = try request.query.number("every", in: 1...Self.mostRequests, standard: 1)
    let (turn, rest) = (request.number - first).quotientAndRemainder(dividingBy: every)
    return rest == 0 && (0..<times).contains(turn) ? requested[turn % requested.count] : nil
  }

  private func fault(named name: String) throws(Refusal) -> Fault {
    if let fault = faults.first(where: { $0.name == name }) { return fault }
    let names = faults.map(\.name).joined(separator: ", ")
    throw Refusal(422, "unknown fault '\(name)'. Faults are \(names)")
  }

  private static let mostRequests = 1_000_000_000
}
