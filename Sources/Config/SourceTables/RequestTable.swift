import Search

extension Endpoint {
  /// `[request]`.
  ///
  /// - Parameter pagination: Its slots may be in the body, in which case the request has a body.
  init?(_ reader: inout TableReader, placeholders: Placeholders, pagination: PaginationSettings?) {
    reader.require("url", "the address of the API, like \"https://api.example.org/search\"")
    let url = reader.parsed("url") { try placeholders.template($0, in: .address) }
    for problem in url.map({ AddressCheck(template: $0, placeholders: placeholders).problems }) ?? [] {
      reader.report(problem, for: "url")
    }
    let stated = reader.choice("method", among: ["GET", "POST"]).flatMap(HTTPMethod.init)
    var parts = RequestParts(&reader, placeholders)
    let operation = GraphQLDocument.operation(&reader, placeholders)
    if operation != nil, parts.body != nil {
      reader.report("body and graphql cannot be used together", for: "graphql")
    }
    parts.body = operation?.body ?? parts.body
    parts.headers += Field.userAgent(&reader, placeholders, among: parts.headers)
    let additions = reader.namedTables("when") { Addition($0, &$1, placeholders) }
    let hasBody =
      parts.body != nil || additions.contains { $0.body != nil } || pagination?.putsIntoBody ?? false
    if stated == .get, hasBody {
      reader.report("a GET request cannot have a body. Set method = \"POST\"", for: "method")
    }
    // The default method is POST if there is a body.
    let method = stated ?? (hasBody ? .post : .get)
    let isMutation = operation?.document.isMutation ?? true
    let isSafe = reader.bool("safe") ?? (method != .post || !isMutation)
    let timeout = reader.duration("timeout", in: .seconds(1) ... .seconds(3_600))
    guard let url else { return nil }
    self.init(
      method: method, url: url, parameters: parts.parameters, headers: parts.headers, body: parts.body,
      additions: additions, isSafe: isSafe, timeout: timeout)
  }
}

extension Endpoint.Field {
  /// `user_agent`, a shorthand for the header.
  fileprivate static func userAgent(
    _ reader: inout TableReader, _ placeholders: Placeholders, among headers: [Self]
  ) -> [Self] {
    let value = reader.parsed("user_agent") { text in
      let template = try placeholders.template(text, in: .header)
      _ = try HTTPField(name: "User-Agent", value: placeholders.sample(template))
      return template
    }
    guard let value else { return [] }
    if headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
      reader.report("user_agent and headers.User-Agent cannot be used together", for: "user_agent")
    }
    return [Self(name: "User-Agent", value: value)]
  }
}

extension Endpoint.Addition {
  /// `[request.when.NAME]`.
  fileprivate init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader, _ placeholders: Placeholders) {
    let names = ["query"] + placeholders.options.map(\.name)
    if !names.contains(entry.key), !placeholders.isPartial {
      reader.report(
        "unknown option. \(Wording.suggestion(for: entry.key, among: names))", for: nil,
        at: entry.position)
    }
    let parts = RequestParts(&reader, placeholders)
    self.init(name: entry.key, parameters: parts.parameters, headers: parts.headers, body: parts.body)
  }
}

extension PaginationSettings {
  fileprivate var putsIntoBody: Bool {
    ([into, size.slot] + carry.map(\.into)).contains { if case .body? = $0 { true } else { false } }
  }
}
