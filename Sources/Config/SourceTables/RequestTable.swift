import HTTPValues
import JSON
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

/// The keys shared by `[request]` and `[request.when.NAME]`: `params`, `headers` and `body`.
struct RequestParts {
  var parameters: [Endpoint.Field]
  var headers: [Endpoint.Field]
  var body: RequestBody?

  init(_ reader: inout TableReader, _ placeholders: Placeholders) {
    parameters = Self.parameters(&reader, placeholders)
    headers = Self.headers(&reader, placeholders)
    body = reader.value("body").flatMap { value in
      guard value.table != nil else {
        reader.report("expected a table, found \(value.kindName)", for: "body")
        return nil
      }
      return BodyDecoder(placeholders: placeholders).body(value, ["body"], &reader)
    }
  }

  /// A list produces several parameters with the same name.
  private static func parameters(
    _ reader: inout TableReader, _ placeholders: Placeholders
  ) -> [Endpoint.Field] {
    reader.members("params").flatMap { entry in
      let elements = if case .array(let elements) = entry.value.content { elements } else { [entry.value] }
      return elements.compactMap { value in
        field(["params", entry.key], value, .parameter, &reader, placeholders) { template in
          template.names.isEmpty && LiteralSecret.isLikely(parameter: entry.key) ? LiteralSecret.problem : nil
        }
      }
    }
  }

  private static func headers(
    _ reader: inout TableReader, _ placeholders: Placeholders
  ) -> [Endpoint.Field] {
    reader.members("headers").compactMap { entry in
      field(["headers", entry.key], entry.value, .header, &reader, placeholders) { template in
        problem(header: entry.key, template, placeholders)
      }
    }
  }

  private static func problem(
    header name: String, _ template: Template, _ placeholders: Placeholders
  ) -> String? {
    if LiteralSecret.isLikely(header: name), !template.hasSecrets { return LiteralSecret.problem }
    return HeaderCheck.problem(name: name, value: placeholders.sample(template))
  }

  /// A text, or a number or Boolean converted to text.
  private static func field(
    _ keys: [String], _ value: TOMLValue, _ place: Placeholders.Place, _ reader: inout TableReader,
    _ placeholders: Placeholders, problem: (Template) -> String?
  ) -> Endpoint.Field? {
    do throws(ValueProblem) {
      guard let text = value.scalarText else {
        throw ValueProblem("expected a string, a number or a boolean, found \(value.oddName)")
      }
      let template = try placeholders.template(text, in: place)
      if let problem = problem(template) { throw ValueProblem(problem) }
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
    do throws(ValueProblem) {
      let isGraphQL = keys == ["body", "query"] && GraphQLDocument(text).isLikely
      let template = try placeholders.template(text, in: isGraphQL ? .graphQL : .body)
      if template.names.isEmpty, !text.isEmpty, let name = keys.last, LiteralSecret.isLikely(member: name) {
        throw ValueProblem(LiteralSecret.problem)
      }
      return .text(template)
    } catch {
      reader.report(error.description, inside: keys, at: position)
      return nil
    }
  }
}

extension GraphQLDocument {
  /// `graphql` and `variables`: the GraphQL document is literal text, never a template.
  static func operation(
    _ reader: inout TableReader, _ placeholders: Placeholders
  ) -> (document: GraphQLDocument, body: RequestBody)? {
    let text = reader.string("graphql")
    var members = text.map { [RequestBody.Member(name: "query", value: .token(JSONToken($0)))] } ?? []
    if let variables = reader.value("variables") {
      if text == nil { reader.report("not allowed without graphql", for: "variables") }
      if variables.table == nil {
        reader.report("expected a table, found \(variables.kindName)", for: "variables")
      }
      BodyDecoder(placeholders: placeholders).body(variables, ["variables"], &reader)
        .map { members.append(RequestBody.Member(name: "variables", value: $0)) }
    }
    return text.map { (GraphQLDocument($0), .table(members)) }
  }
}

/// Checks which headers a source or the user may set.
package enum HeaderCheck {
  /// Reserved for the connection.
  static let reserved: Set = [
    "accept-encoding", "connection", "content-length", "host", "transfer-encoding",
  ]

  /// Why a header cannot be sent; nil if it can.
  package static func problem(name: String, value: String) -> String? {
    if reserved.contains(name.lowercased()) { return "cannot be set: riffle sets this header itself" }
    do { _ = try HTTPField(name: name, value: value) } catch { return "\(error)" }
    return nil
  }
}
