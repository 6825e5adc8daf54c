/// The API behind the server: from a request to how it is answered, without a socket.
struct DemoAPI: Sendable {
  var routes = Route.all
  var faults = Fault.all

  /// The plan of the reply to a request that was admitted.
  func plan(for request: Request) -> ReplyPlan {
    do throws(Refusal) {
      let plan = ReplyPlan(
        reply: try reply(to: request),
        delay: try request.query.number("delay", in: 0...Self.longestDelay, standard: 0))
      guard let fault = try fault(of: request) else { return plan }
      return try fault.plan(instead: plan, for: request)
    } catch {
      return ReplyPlan(reply: error.reply)
    }
  }

  /// Ten minutes.
  private static let longestDelay = 600_000

  private func reply(to request: Request) throws(Refusal) -> Reply {
    guard let route = routes.first(where: { $0.path == request.path }) else {
      throw Refusal(404, "there is no '\(request.path)'; / lists what there is")
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      var reply = Refusal(405, "\(route.path) answers GET and HEAD, not \(request.method)").reply
      reply.add("Allow", "GET, HEAD")
      return reply
    }
    return try route.reply(to: request)
  }

  private func fault(of request: Request) throws(Refusal) -> Fault? {
    guard let name = request.query["fault"], !name.isEmpty else { return nil }
    if let fault = faults.first(where: { $0.name == name }) { return fault }
    let names = faults.map(\.name).joined(separator: ", ")
    throw Refusal(422, "there is no fault '\(name)'; there are \(names)")
  }
}
