extension Route {
  /// A list of the routes, for a user who opens the server's URL.
  static let index = Route("/", summary: "this list", example: Example(""), settings: "") { request in
    let base = request.baseURL
    return Reply(json: [
      "routes": .array(listed.map { $0.entry(baseURL: base) }),
      "faults": .array(Fault.all.map { $0.entry(baseURL: base) }),
      "parameters": [
        "delay": "milliseconds before the first byte of any reply",
        "from": "with a fault: it strikes from this request of a search on (1)",
        "times": "with a fault: it strikes so many requests of a search, then no more",
        "every": "with a fault: it strikes only each so-many-th of them (1)",
        "fault": "several, separated by commas, take turns",
        "run": "with a fault: another value starts counting the requests anew",
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
