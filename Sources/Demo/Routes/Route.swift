/// One address of the API.
struct Route: Sendable {
  var path: String
  /// One line for people, with the parameters.
  var summary: String
  private let handler: @Sendable (Request) throws(Refusal) -> Reply

  init(_ path: String, _ summary: String, handler: @escaping @Sendable (Request) throws(Refusal) -> Reply) {
    self.path = path
    self.summary = summary
    self.handler = handler
  }

  func reply(to request: Request) throws(Refusal) -> Reply { try handler(request) }

  /// Every route; to add one, write its file and enter it here.
  static let all: [Route] = [index, characters, charactersByCursor, charactersByLink]

  /// What there is, for a reader who opens the server's address.
  private static let index: Route = Route("/", "this list") { request in
    let routes = all.map { route -> JSONValue in
      ["url": .string(request.baseURL + route.path), "summary": .string(route.summary)]
    }
    let faults = Fault.all.map { fault -> JSONValue in
      ["parameter": .string("fault=" + fault.name), "summary": .string(fault.summary)]
    }
    return Reply(json: ["routes": .array(routes), "faults": .array(faults)])
  }
}
