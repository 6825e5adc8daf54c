extension Route {
  /// A list of the routes, for a user who opens the server's URL.
  static let index = Route("/", summary: "this list", example: Example(""), settings: "") { request in
    let base = request.baseURL
    return Reply(json: [
      "routes": .array(listed.map { $0.entry(baseURL: base) }),
      "faults": .array(Fault.all.map { $0.entry(baseURL: base) }),
      "parameters": [
        "delay": "milliseconds before the first byte of any reply",
        "from": "with a fault: first request of a search that fails (1)",
        "times": "with a fault: how many requests of a search fail",
        "every": "with a fault: only every Nth request fails (1)",
        "fault": "several, separated by commas, alternate",
        "run": "with a fault: a new value restarts the request count",
      ],
    ])
  }

  private func entry(baseURL: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "path", value: .string(path)),
      .init(name: "summary", value: .string(summary)),
      .init(name: "example", value: .string(baseURL + path + example.query)),
    ]
    if let body = example.body { members.append(.init(name: "body", value: .string(body))) }
    let lines = document(baseURL: baseURL).map { JSONValue.string($0) }
    members.append(.init(name: "source", value: .array(lines)))
    return .object(members)
  }
}

extension Fault {
  fileprivate func entry(baseURL: String) -> JSONValue {
    [
      "fault": .string(name), "summary": .string(summary),
      "example": .string("\(baseURL)/pages?q=arrow&fault=\(name)\(example)"),
    ]
  }
}
