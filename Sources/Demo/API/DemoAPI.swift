/// The API behind the server: from a request to how it is answered, without a socket.
struct DemoAPI: Sendable {
  var routes = Route.all
  var faults = Fault.all

  /// The plan of the reply to a request that was admitted.
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

  /// Ten minutes.
  private static let longestDelay = 600_000

  private func reply(to request: Request) throws(Refusal) -> Reply {
    guard let route = routes.first(where: { $0.paths.contains(request.path) }) else {
      throw Refusal(404, "there is no '\(request.path)'; / lists what there is")
    }
    guard route.method.names.contains(request.method) else {
      let names = route.method.names
      let answered = names.joined(separator: " and ")
      var reply = Refusal(405, "\(request.path) answers \(answered), not \(request.method)").reply
      reply.add("Allow", names.joined(separator: ", "))
      return reply
    }
    return try route.reply(to: request)
  }

  /// The fault a request asks for, when it strikes this one.
  private func fault(striking request: Request) throws(Refusal) -> Fault? {
    guard let name = request.query["fault"], !name.isEmpty else { return nil }
    guard let fault = faults.first(where: { $0.name == name }) else {
      let names = faults.map(\.name).joined(separator: ", ")
      throw Refusal(422, "there is no fault '\(name)'; there are \(names)")
    }
    let first = try request.query.number("from", in: 1...Self.mostRequests, standard: 1)
    let times = try request.query.number("times", in: 1...Self.mostRequests, standard: Self.mostRequests)
    return (first..<first + times).contains(request.number) ? fault : nil
  }

  private static let mostRequests = 1_000_000_000
}
