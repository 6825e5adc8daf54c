import HTTPValues
import JSON
import Search

/// The keys of `[request]`, and of the tables that have some of them.
struct EndpointDraft: Sendable {
  var url: Template?
  var method: HTTPMethod?
  var parameters: [Endpoint.Field] = []
  var headers: [Endpoint.Field] = []
  var body: RequestBody?
  var bodyType = Endpoint.BodyType.json
  var graphQL: GraphQLDocument?
  var additions: [Endpoint.Addition] = []
  var isSafe: Bool?
  var timeout: Duration?

  static let table = KeyTable<EndpointDraft>("[request]", "The request.", EndpointDraft(), keys)

  private static let additionTable = KeyTable<EndpointDraft>(
    "[request.when.NAME]",
    "Additions to the request when the query (`NAME` is `query`) or an option is not empty.",
    EndpointDraft(), parts)

  /// Some of its keys, for another table.
  static func keys(_ names: [String]) -> [SourceKey<EndpointDraft>] {
    keys.filter { names.contains($0.name) }
  }

  static func method(_ methods: [HTTPMethod]) -> SourceKey<EndpointDraft> {
    SourceKey(
      "method", .word(methods.map { ($0.rawValue, $0) }), \.method,
      "Default: POST with a body, otherwise GET.")
  }

  static func timeout(_ meaning: String) -> SourceKey<EndpointDraft> {
    SourceKey("timeout", .duration(.seconds(1) ... .seconds(3_600)), \.timeout, meaning)
  }

  private static let parts: [SourceKey<EndpointDraft>] = [
    SourceKey(
      "params", KeyKind(words: "a table") { readParameters(&$0, $1) }, \.parameters,
      "Query parameters: strings, numbers or booleans; a list repeats the parameter."),
    SourceKey(
      "headers", KeyKind(words: "a table") { readHeaders(&$0, $1) }, \.headers,
      "Headers, which replace riffle's own."),
    SourceKey(
      "body", KeyKind(words: "a table") { readBody(&$0, $1) }, \.body,
      "A JSON body; fields keep their order."),
  ]

  private static let bodyTypeKey = SourceKey<EndpointDraft>(
    "body_type", .choice, \.bodyType,
    "`form` sends the body as a form (`a=1&b=x+y`; fields of a table as `table[field]`). Default: `json`."
  )

  private static let keys = addressKeys + parts + [bodyTypeKey] + otherKeys

  private static let addressKeys: [SourceKey<EndpointDraft>] = [
    SourceKey(
      "url", KeyKind(words: "a URL") { readAddress(&$0, $1) }, \.url,
      required: "the URL of the API, like \"https://api.example.org/search\"",
      "The URL, with placeholders. If a placeholder supplies scheme and host, the URL must start with it."),
    method([.get, .post]),
  ]

  private static let otherKeys: [SourceKey<EndpointDraft>] = [
    SourceKey(
      "graphql", .text, "A GraphQL document, sent as POST with `variables`. It cannot contain placeholders."
    ) { $0.graphQL = GraphQLDocument($1) },
    SourceKey("variables", "a table", "Variables of the GraphQL document.", read: readVariables),
    SourceKey("user_agent", "a string", "Shorthand for `headers.User-Agent`.", read: readUserAgent),
    SourceKey(
      "when", "a table of tables", "See `[request.when.NAME]`.", tables: [additionTable.manual],
      read: readAdditions),
    SourceKey(
      "safe", .bool, \.isSafe,
      "Whether the request can be repeated safely. Default: true for GET and for GraphQL other than mutations."
    ),
    timeout("Time limit for one page, unless `--timeout` is given."),
  ]

  /// Nil without a valid address. With `pagesInBody`, the pagination puts values into the body.
  func endpoint(_ reader: inout TableReader, pagesInBody: Bool) -> Endpoint? {
    let hasBody = body != nil || additions.contains { $0.body != nil } || pagesInBody
    if method == .head, hasBody { reader.report("a HEAD request cannot have a body", for: "method") }
    if bodyType == .form, !hasBody {
      reader.report("requires a body", for: "body_type")
    }
    if graphQL != nil, bodyType == .form {
      reader.report("a GraphQL document is sent as JSON", for: "body_type")
    }
    let method = method ?? (hasBody ? .post : .get)
    guard let url else { return nil }
    var endpoint = Endpoint(
      method: method, url: url, parameters: parameters, headers: headers, body: body, additions: additions,
      isSafe: isSafe ?? (method != .post || !(graphQL?.isMutation ?? true)), timeout: timeout)
    endpoint.bodyType = bodyType
    return endpoint
  }
}

/// The keys of `[rows.total_request]`.
struct TotalDraft: Sendable {
  var endpoint = EndpointDraft()
  var total = ValueExpression.none

  private static let names = ["method", "url", "params", "body", "body_type"]

  static let table = KeyTable<TotalDraft>(
    "[rows.total_request]", "A request for the total, sent once with the first page, to the same origin.",
    TotalDraft(),
    [
      SourceKey(
        "total", .response, \.total, required: "where the total is in the response", "Where the total is.")
    ]
      + ([EndpointDraft.method(HTTPMethod.allCases)]
      + EndpointDraft.keys(names).filter { $0.name != "method" })
      .map { $0.inside(\.endpoint) })

  static func request(_ reader: inout TableReader) -> TotalRequest? {
    let others = EndpointDraft.table.keys.map(\.name).filter { !names.contains($0) }
    reader.refuse(others, "not allowed here. Expected one of \(names.joined(separator: ", ")), total")
    let draft = table.value(&reader)
    guard let endpoint = draft.endpoint.endpoint(&reader, pagesInBody: false) else { return nil }
    if let problem = reader.scope.problem(of: reader.scope.placeholders.sample(endpoint.url)) {
      reader.report(problem, for: "url")
    }
    if endpoint.method == .head, draft.total.readsBody {
      reader.report("a HEAD request has no body in its response. Use header:NAME", for: "total")
    }
    return TotalRequest(endpoint: endpoint, total: draft.total)
  }
}

extension EndpointDraft {
  private static func readAddress(_ reader: inout TableReader, _ key: String) -> Template? {
    let placeholders = reader.scope.placeholders
    let url = reader.parsed(key) { try placeholders.template($0, in: .address) }
    for problem in url.map({ AddressCheck(template: $0, placeholders: placeholders).problems }) ?? [] {
      reader.report(problem, for: key)
    }
    return url
  }

  @Sendable private static func readAdditions(_ reader: inout TableReader, _ draft: inout EndpointDraft) {
    let placeholders = reader.scope.placeholders
    let names = ["query"] + placeholders.options.map(\.name)
    draft.additions = reader.namedTables("when") { entry, reader in
      if !names.contains(entry.key), !placeholders.isFragment {
        reader.report(
          "unknown option. \(Wording.suggestion(for: entry.key, among: names))", for: nil, at: entry.position)
      }
      let parts = additionTable.value(&reader)
      var addition = Endpoint.Addition(name: entry.key)
      addition.parameters = parts.parameters
      addition.headers = parts.headers
      addition.body = parts.body
      return addition
    }
  }

  @Sendable private static func readUserAgent(_ reader: inout TableReader, _ draft: inout EndpointDraft) {
    let placeholders = reader.scope.placeholders
    let value = reader.parsed("user_agent") { text in
      let template = try placeholders.template(text, in: .header)
      _ = try HTTPField(name: "User-Agent", value: placeholders.sample(template))
      return template
    }
    guard let value else { return }
    if draft.headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
      reader.report("user_agent and headers.User-Agent cannot be used together", for: "user_agent")
    }
    draft.headers.append(Endpoint.Field(name: "User-Agent", value: value))
  }

  /// `variables` of a GraphQL document, which is literal text, never a template.
  @Sendable private static func readVariables(_ reader: inout TableReader, _ draft: inout EndpointDraft) {
    let document = draft.graphQL
    var members =
      document.map { [RequestBody.Member(name: "query", value: .token(JSONToken($0.text)))] } ?? []
    if let variables = reader.value("variables") {
      if document == nil { reader.report("not allowed without graphql", for: "variables") }
      if variables.table == nil {
        reader.report("expected a table, found \(variables.kindName)", for: "variables")
      }
      BodyDecoder(placeholders: reader.scope.placeholders).body(variables, ["variables"], &reader)
        .map { members.append(RequestBody.Member(name: "variables", value: $0)) }
    }
    guard document != nil else { return }
    if draft.body != nil { reader.report("body and graphql cannot be used together", for: "graphql") }
    draft.body = .table(members)
  }

  private static func readBody(_ reader: inout TableReader, _ key: String) -> RequestBody? {
    guard let value = reader.value(key, expecting: "a table", { $0.table == nil ? nil : $0 })
    else { return nil }
    return BodyDecoder(placeholders: reader.scope.placeholders).body(value, [key], &reader)
  }

  /// A list produces several parameters with the same name.
  private static func readParameters(_ reader: inout TableReader, _ key: String) -> [Endpoint.Field] {
    reader.members(key).flatMap { entry in
      entry.value.elements.compactMap { value in
        field([key, entry.key], value, .parameter, &reader) { template in
          template.names.isEmpty && SecretName.isLikely(parameter: entry.key) ? LiteralSecret.problem : nil
        }
      }
    }
  }

  private static func readHeaders(_ reader: inout TableReader, _ key: String) -> [Endpoint.Field] {
    let placeholders = reader.scope.placeholders
    return reader.members(key).compactMap { entry in
      field([key, entry.key], entry.value, .header, &reader) { template in
        if SecretName.isLikely(header: entry.key), !template.hasSecrets { return LiteralSecret.problem }
        return HeaderCheck.problem(name: entry.key, value: placeholders.sample(template))
      }
    }
  }

  /// A text, or a number or Boolean converted to text.
  private static func field(
    _ keys: [String], _ value: TOMLValue, _ place: Placeholders.Place, _ reader: inout TableReader,
    problem: (Template) -> String?
  ) -> Endpoint.Field? {
    do throws(ValueFormatError) {
      guard let text = value.scalarText else {
        throw ValueFormatError("expected a string, a number or a boolean, found \(value.oddName)")
      }
      let template = try reader.scope.placeholders.template(text, in: place)
      if let problem = problem(template) { throw ValueFormatError(problem) }
      return keys.last.map { Endpoint.Field(name: $0, value: template) }
    } catch {
      reader.report(error.description, inside: keys, at: value.position)
      return nil
    }
  }
}

/// Reads the JSON body of a request from TOML, in document order. Recursion is bounded by the depth of a
/// document.
struct BodyDecoder {
  let placeholders: Placeholders

  /// - Parameter keys: The path to the value, for messages.
  func body(_ value: TOMLValue, _ keys: [String], _ reader: inout TableReader) -> RequestBody? {
    switch value.content {
    case .integer(let number): return .token(JSONToken(number))
    case .float(let number) where number.isFinite: return .token(JSONToken(literal: String(number)))
    case .bool(let flag): return .token(JSONToken(flag))
    case .string(let text): return self.text(text, at: value.position, keys, &reader)
    case .array(let elements): return .list(elements.compactMap { body($0, keys, &reader) })
    case .table(let table):
      return .table(
        table.entries.compactMap { entry in
          body(entry.value, keys + [entry.key], &reader)
            .map { RequestBody.Member(name: entry.key, value: $0) }
        })
    case .float, .date:
      reader.report(
        "JSON cannot represent \(value.oddName). Write it as a string", inside: keys, at: value.position)
      return nil
    }
  }

  private func text(
    _ text: String, at position: FilePosition, _ keys: [String], _ reader: inout TableReader
  ) -> RequestBody? {
    do throws(ValueFormatError) {
      let isGraphQL = keys == ["body", "query"] && GraphQLDocument(text).isLikely
      let template = try placeholders.template(text, in: isGraphQL ? .graphQL : .body)
      if template.names.isEmpty, !text.isEmpty, let name = keys.last, SecretName.isLikely(member: name) {
        throw ValueFormatError(LiteralSecret.problem)
      }
      return .text(template)
    } catch {
      reader.report(error.description, inside: keys, at: position)
      return nil
    }
  }
}
