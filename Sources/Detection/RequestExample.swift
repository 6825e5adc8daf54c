package import HTTPValues
import JSON
package import Search

/// A request as written: a URL with headers, or a curl command line.
package struct WrittenRequest: Sendable, Hashable {
  /// The method; nil if it follows from the rest.
  package var method: HTTPMethod?
  package var url: WrittenText
  package var headers: [Named<WrittenText>]
  /// A user name and password, as `user:password`.
  package var user: WrittenText?
  /// The body as sent.
  package var body: WrittenText?

  package init(_ url: WrittenText, headers: [Named<WrittenText>] = []) {
    self.url = url
    self.headers = headers
  }
}

/// The request that a source is made from. Its secrets are replaced by variables, so that the source contains none.
package struct RequestExample: Sendable, Hashable {
  package let method: HTTPMethod
  /// The URL without its secrets.
  package private(set) var address: WebURL
  /// The query parameters that are confidential.
  let parameters: [Named<WrittenText>]
  let headers: [Named<WrittenText>]
  let user: BasicUser?
  /// The body as an object; nil if there is none.
  let body: BodyExample?
  let bodyType: Endpoint.BodyType
  /// The values that were written in place of variables.
  package let secrets: [String: Secret]

  struct BasicUser: Sendable, Hashable {
    let name: WrittenText
    let password: WrittenText
  }

  /// - Parameter service: The beginning of the names of new variables: `FORGE`.
  /// - Throws: If a source cannot make the request.
  package init(_ written: WrittenRequest, service: String) throws(RequestExampleError) {
    // The name of a variable does not begin with a digit.
    var hidden = HiddenValues(service: service.first?.isNumber == true ? "API_\(service)" : service)
    let (url, userinfo) = try Self.address(written.url)
    user = Self.user(userinfo ?? written.user, &hidden)
    let type = written.headers.last { $0.name.lowercased() == "content-type" }?.value.plain?.lowercased()
    let parsed = try written.body.flatMap { text throws(RequestExampleError) in
      text.pieces.isEmpty ? nil : try BodyExample.parsed(text, type: type)
    }
    bodyType = parsed?.type ?? .json
    let usual = bodyType.contentType
    headers = written.headers.filter { $0.name.lowercased() != "content-type" || type != usual }.map {
      Named(name: $0.name, value: hidden.header($0))
    }
    (address, parameters) = hidden.parameters(of: url.address, url.variables)
    body = parsed.map { hidden.members(of: $0.body).withVariables }
    method = written.method ?? (body == nil ? .get : .post)
    secrets = hidden.secrets
    if method == .head { throw .method("HEAD") }
    if body?.graphQL?.document.isMutation == true { throw .body("it is a mutation, which changes data") }
  }

  /// The request after a redirect.
  func moved(to target: WebURL) -> RequestExample {
    var moved = self
    moved.address = target
    return moved
  }
}

extension RequestExample {
  /// The variables that the source reads.
  package var variables: [String] {
    let texts = parameters + headers
    let names =
      texts.flatMap { $0.value.variables } + (user.map { $0.name.variables + $0.password.variables } ?? [])
    return (names + (body?.variables ?? [])).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The parameters of the URL that are credentials.
  var credentialsInAddress: [String] {
    address.queryItems.filter {
      ParameterRole(name: $0.name, value: $0.value ?? "") == .credential && $0.value != ""
    }
    .map(\.name)
  }

  private typealias Address = (address: WebURL, variables: [String])

  /// The URL with marks in place of variables, and its user name and password.
  private static func address(_ url: WrittenText) throws(RequestExampleError) -> (Address, WrittenText?) {
    var text = url
    var userinfo: WrittenText?
    if case .text(let first)? = url.pieces.first,
      let match = first.firstMatch(of: /^([a-zA-Z]+:\/\/)([^\/?#@]*)@/)
    {
      userinfo = WrittenText(PercentEncoding.decoded(match.2))
      text =
        WrittenText(String(match.1) + String(first[match.range.upperBound...]))
        + WrittenText(pieces: Array(url.pieces.dropFirst()))
    }
    do {
      let address = try WebURL(text.marked { mark($0) })
      let place = "\(address.origin)\(address.path)"
      if place.contains(mark) { throw RequestExampleError.variableInAddress }
      return ((address, text.variables), userinfo)
    } catch let error as RequestExampleError { throw error } catch { throw .address("\(error)") }
  }

  private static func user(_ written: WrittenText?, _ hidden: inout HiddenValues) -> BasicUser? {
    guard let written else { return nil }
    var (name, password) = (WrittenText(""), WrittenText(""))
    var isName = true
    for piece in written.pieces {
      guard isName, case .text(let text) = piece, let colon = text.firstIndex(of: ":") else {
        if isName { name.append(piece) } else { password.append(piece) }
        continue
      }
      isName = false
      name.append(.text(String(text[..<colon])))
      password.append(.text(String(text[text.index(after: colon)...])))
    }
    // Many services accept an API key as the user name, with an empty or arbitrary password.
    if password.plain.map({ $0.utf8.count <= 1 }) ?? false {
      return BasicUser(name: hidden.text(name, "TOKEN"), password: password)
    }
    return BasicUser(name: hidden.text(name, "USER"), password: hidden.text(password, "PASSWORD"))
  }

  /// The mark that represents a variable in a text that is parsed.
  fileprivate static func mark(_ index: Int) -> String { "\(mark)\(index)-" }
  fileprivate static let mark = "riffle-variable-"

  /// The text in which marks are variables again.
  fileprivate static func text(_ marked: String, _ variables: [String]) -> WrittenText {
    var text = WrittenText("")
    var end = marked.startIndex
    for match in marked.matches(of: /riffle-variable-([0-9]+)-/) {
      guard let index = Int(match.1), variables.indices.contains(index) else { continue }
      text.append(.text(String(marked[end..<match.range.lowerBound])))
      text.append(.variable(variables[index]))
      end = match.range.upperBound
    }
    text.append(.text(String(marked[end...])))
    return text
  }
}

/// The reason why a source cannot make a request. It repeats only parts of the request that cannot be confidential.
package enum RequestExampleError: Error, Sendable, Hashable, CustomStringConvertible {
  case address(String)
  case variableInAddress
  case method(String)
  case body(String)

  package var description: String {
    switch self {
    case .address(let problem): problem
    case .variableInAddress: "the URL contains a variable outside its parameters. Write its value instead"
    case .method(let name): "the request uses \(name). riffle supports only GET and POST"
    case .body(let problem): "the body of the request cannot be used: \(problem)"
    }
  }
}

// MARK: - What is confidential

/// Replaces secrets with variables, and remembers their values.
private struct HiddenValues {
  let service: String
  var secrets: [String: Secret] = [:]

  /// The text as a variable, unless it contains one.
  ///
  /// - Parameter ending: The end of the name of the variable, after that of the service.
  mutating func text(_ text: WrittenText, _ ending: String) -> WrittenText {
    guard let plain = text.plain, !plain.isEmpty else { return text }
    let name = "\(service)_\(ending)"
    secrets[name] = Secret(plain)
    return WrittenText(pieces: [.variable(name)])
  }

  /// The first value gets the plainest name, because most requests have only one.
  private mutating func text(_ written: WrittenText, named name: String) -> WrittenText {
    if secrets["\(service)_TOKEN"] == nil { return text(written, "TOKEN") }
    let word = name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return text(written, String(word))
  }

  mutating func header(_ field: Named<WrittenText>) -> WrittenText {
    guard let plain = field.value.plain else { return field.value }
    let scheme = plain.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
    let rest = plain.dropFirst(scheme.count)
    let hasScheme = !scheme.isEmpty && rest.first == " " && rest.count > 1
    let isBearer = hasScheme && ["bearer", "basic", "token"].contains(scheme.lowercased())
    let isSecret =
      SecretName.isLikely(header: field.name) || field.name.lowercased().hasSuffix("key") || isBearer
      || Self.looksRandom(plain, in: field.name)
    guard isSecret else { return field.value }
    guard hasScheme else { return text(field.value, named: field.name) }
    return WrittenText("\(scheme) ") + text(WrittenText(String(rest.drop { $0 == " " })), named: field.name)
  }

  /// Whether the value of a header is a long string of letters and digits, like an API key.
  private static func looksRandom(_ text: String, in name: String) -> Bool {
    text.utf8.count >= 16 && text.contains { $0.isLetter } && text.contains { $0.isNumber }
      && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "+/=".utf8.contains($0) }
      && !namesOfPlainValues.contains(where: name.lowercased().hasSuffix)
  }

  /// Endings of headers whose values are no secrets, whatever they look like.
  private static let namesOfPlainValues = [
    "accept", "content-type", "user-agent", "target", "tenant", "version", "tenant-id", "request-id",
    "region",
    "organization", "org", "org-id", "organization-id", "project", "project-id", "workspace", "workspace-id",
    "account-id", "trace-id", "traceparent",
  ]

  /// The URL without its confidential parameters, and those parameters.
  mutating func parameters(of address: WebURL, _ variables: [String]) -> (WebURL, [Named<WrittenText>]) {
    var address = address
    var hidden: [Named<WrittenText>] = []
    for item in address.queryItems where !hidden.contains(where: { $0.name == item.name }) {
      let value = RequestExample.text(item.value ?? "", variables)
      let isSecret =
        ParameterRole(name: item.name, value: item.value ?? "") == .credential && !value.pieces.isEmpty
      guard isSecret || value.plain == nil else { continue }
      address.removeQueryItems(named: item.name)
      hidden.append(Named(name: item.name, value: text(value, named: item.name)))
    }
    return (address, hidden)
  }

  /// The body with variables in place of its confidential fields. Recursion is bounded by the depth of a document.
  mutating func members(of body: BodyExample, named name: String = "") -> BodyExample {
    switch body {
    case .token: return body
    case .text(let text):
      let isCursor = ParameterRole(name: name, value: text.plain ?? "") == .cursor
      return SecretName.isLikely(member: name) && !isCursor ? .text(self.text(text, named: name)) : body
    case .list(let elements): return .list(elements.map { members(of: $0, named: name) })
    case .table(let entries):
      return .table(entries.map { Named(name: $0.name, value: members(of: $0.value, named: $0.name)) })
    }
  }
}

// MARK: - Bodies

/// The body of a request: JSON, or the fields of a form as texts.
package indirect enum BodyExample: Sendable, Hashable {
  /// A number, a Boolean, or null, as JSON.
  case token(String)
  case text(WrittenText)
  case list([BodyExample])
  case table([Named<BodyExample>])
}

extension BodyExample {
  /// - Parameter type: The content type, in lower case; nil if it is not stated.
  fileprivate static func parsed(
    _ written: WrittenText, type: String?
  ) throws(RequestExampleError) -> (body: BodyExample, type: Endpoint.BodyType) {
    let text = written.marked { RequestExample.mark($0) }
    if type?.hasPrefix("multipart/") == true { throw .body("it is multipart, not JSON or a form") }
    // curl sends all data as a form, unless a header declares another type.
    let isJSON =
      type?.contains("json") ?? false || text.first { !$0.isWhitespace }.map { "{[".contains($0) } ?? false
    guard isJSON else {
      if type?.contains("xml") == true { throw .body("it is XML, not JSON or a form") }
      return (form(text, written.variables), .form)
    }
    let document: JSONDocument
    do { document = try JSONDocument(Array(text.utf8), maxDepth: 64) } catch {
      throw .body(
        written.variables.isEmpty ? "it is not JSON" : "it is not JSON with each $NAME inside quotes")
    }
    guard document.root.kind == .object else {
      throw .body("it is \(document.root.kind.phrase), not a JSON object")
    }
    return (value(document.root, written.variables), .json)
  }

  private static func form(_ text: String, _ variables: [String]) -> BodyExample {
    let items = text.split(separator: "&").map { item in
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { PercentEncoding.decoded($0, plusIsSpace: true) }
      return (name: pair[0], value: pair.count > 1 ? pair[1] : "")
    }
    var names: [String] = []
    for item in items where !names.contains(item.name) { names.append(item.name) }
    return .table(
      names.map { name in
        let values = items.filter { $0.name == name }.map {
          BodyExample.text(RequestExample.text($0.value, variables))
        }
        return Named(name: name, value: values.count == 1 ? values[0] : .list(values))
      })
  }

  /// Recursion is bounded by the depth of a document.
  private static func value(_ value: JSONValue, _ variables: [String]) -> BodyExample {
    switch value.kind {
    case .object:
      .table(value.members.map { Named(name: $0.name, value: Self.value($0.value, variables)) })
    case .array: .list(value.elements.map { Self.value($0, variables) })
    case .string: .text(RequestExample.text(value.string ?? "", variables))
    case .number: .token(value.numberText ?? "0")
    case .bool: .token(value.bool == true ? "true" : "false")
    case .null: .token("null")
    }
  }
}

extension BodyExample {
  /// A field that is not a table, and the names that lead to it.
  typealias Leaf = (path: [String], text: WrittenText)

  /// The fields outside lists, in order. A null is an empty string.
  var leaves: [Leaf] { leaves(at: []) }

  private func leaves(at path: [String]) -> [Leaf] {
    switch self {
    case .token("null"): [(path, WrittenText(""))]
    case .token(let text): [(path, WrittenText(text))]
    case .text(let text): [(path, text)]
    case .list: []
    case .table(let members): members.flatMap { $0.value.leaves(at: path + [$0.name]) }
    }
  }

  var variables: [String] {
    switch self {
    case .token: []
    case .text(let text): text.variables
    case .list(let elements): elements.flatMap(\.variables)
    case .table(let members): members.flatMap { $0.value.variables }
    }
  }

  subscript(name: String) -> BodyExample? {
    if case .table(let members) = self { members.first { $0.name == name }?.value } else { nil }
  }

  /// A document and its variables, if the body is a GraphQL request.
  var graphQL: (document: GraphQLDocument, variables: BodyExample?)? {
    guard case .table(let members) = self, case .text(let query)? = self["query"], let text = query.plain,
      members.allSatisfy({ ["query", "variables", "operationName", "extensions"].contains($0.name) })
    else { return nil }
    let document = GraphQLDocument(text)
    guard document.isLikely else { return nil }
    if case .table? = self["variables"] { return (document, self["variables"]) }
    return (document, nil)
  }

  /// The same request with variables for the page size and the position of its list, if a GraphQL document has numbers
  /// or strings there: `first: 10`. The field that selects `endCursor` also gets an argument `after`.
  fileprivate var withVariables: BodyExample {
    guard case .table(let members) = self, let (document, variables) = graphQL,
      let list = document.argumentLists.first(where: { $0.contains { Self.sizeRole($0.name, "1") != nil } }),
      list.contains(where: { Self.sizeRole($0.name, $0.value) != nil })
    else { return self }
    var names: Set<String> = []
    var values: [(argument: GraphQLDocument.Argument, text: String)] = []
    var declarations: [String] = []
    var added: [Named<BodyExample>] = []
    let hasCursor = list.contains { ParameterRole.word($0.name) == "after" }
    for argument in list where !document.text.contains("$\(argument.name)") {
      let value =
        argument.value.hasPrefix("\"") ? String(argument.value.dropFirst().dropLast()) : argument.value
      let role = Self.sizeRole(argument.name, value) ?? ParameterRole(name: argument.name, value: value)
      let isNumber = Int(value) != nil
      switch role {
      case .pageSize, .page, .offset: if !isNumber { continue }
      case .cursor: if value.contains("\\") { continue }
      case .search, .credential, .literal: continue
      }
      guard value != "$", names.insert(argument.name).inserted else { continue }
      let isFirst = argument.name == "first" && !hasCursor && document.text.contains("endCursor")
      values.append((argument, "$\(argument.name)\(isFirst ? ", after: $after" : "")"))
      declarations.append(
        "$\(argument.name): \(isNumber ? "Int!" : "String")\(isFirst ? ", $after: String" : "")")
      let isToken = isNumber || value == "null"
      added.append(Named(name: argument.name, value: isToken ? .token(value) : .text(WrittenText(value))))
    }
    guard let changed = document.replacing(values, declaring: declarations.joined(separator: ", ")),
      !values.isEmpty
    else { return self }
    var known: [Named<BodyExample>] = []
    if case .table(let members)? = variables { known = members }
    let rest = members.filter { !["query", "variables"].contains($0.name) }
    return .table(
      [Named(name: "query", value: .text(WrittenText(changed.text)))] + rest
        + [Named(name: "variables", value: .table(known + added))])
  }

  /// The role of an argument or a variable that is the page size of a connection or a list.
  private static func sizeRole(_ name: String, _ value: String) -> ParameterRole? {
    let role = ParameterRole(graphQL: name, value: value)
    if case .pageSize = role { return role }
    return nil
  }
}
