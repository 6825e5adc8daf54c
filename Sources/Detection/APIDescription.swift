package import HTTPValues
package import JSON
import Search
import Text

/// An API description (OpenAPI 3.0 and 3.1, Swagger 2.0): its lists, and why other endpoints are left out.
///
/// Any JSON document can be read without failure, because invalid parts are skipped. References into other documents
/// are never requested.
package struct APIDescription: Sendable {
  /// An endpoint that is not a list, or cannot be one in a source.
  package struct Omission: Sendable, Hashable {
    package let method: String
    package let path: String
    package let reason: String
  }

  package let title: String
  /// The lists, in document order.
  package let endpoints: [DescribedEndpoint]
  package let omissions: [Omission]

  /// O(bytes), with a limit on the schemas that are read.
  ///
  /// - Parameter address: The URL of the document, for relative server URLs.
  package init(_ document: JSONDocument, at address: WebURL? = nil) throws(APIDescriptionError) {
    let root = document.root
    guard root.kind == .object else { throw .notADescription }
    let isSwagger: Bool
    if let version = root["openapi"]?.text {
      guard version.hasPrefix("3") else { throw .version(String(version.prefix(40))) }
      isSwagger = false
    } else if let version = root["swagger"]?.text ?? root["swaggerVersion"]?.text {
      guard version == "2" || version.hasPrefix("2.") else { throw .version(String(version.prefix(40))) }
      isSwagger = true
    } else {
      throw .notADescription
    }
    guard root["paths"]?.kind == .object else { throw .noPaths }
    let title = root["info"]?["title"]?.string.map { Sanitized(String($0.prefix(200))).string } ?? ""
    self.title = title.isEmpty ? "API" : title
    var reading = DescriptionReader(root, isSwagger: isSwagger, title: self.title, at: address)
    reading.read()
    endpoints = reading.withParents
    omissions = reading.omissions
  }
}

/// The reason why a document is not an API description.
package enum APIDescriptionError: Error, Sendable, Hashable, CustomStringConvertible {
  case notADescription
  case version(String)
  case noPaths

  package var description: String {
    switch self {
    case .notADescription:
      "the document is not an API description: it has neither openapi nor swagger. Use OpenAPI 3 or Swagger 2.0"
    case .version(let version):
      "the version \(JSONText.quoted(version)) of the API description is not supported. Use OpenAPI 3 or Swagger 2.0"
    case .noPaths: "the API description has no paths, so it describes no endpoints"
    }
  }
}

/// A list of an API description.
package struct DescribedEndpoint: Sendable {
  package let method: String
  package let path: String
  package let summary: String
  let service: String
  let server: EndpointServer
  let parameters: [EndpointParameter]
  let body: EndpointBody?
  /// Whether the request only reads.
  package let isSafe: Bool
  let response: EndpointResponse
  let total: String?
  /// The pagination guesses, most likely first; the last one is a single page.
  let paginations: [PaginationGuess]
  let authorization: EndpointAuthorization?
  /// The parent list in the same description, whose rows have the value of the last path parameter.
  var parent: Parent?

  struct Parent: Sendable, Hashable {
    let path: String
    let parameter: String
    let key: String
  }

  /// The path of the rows in the response.
  package var rowsPath: String { "\(response.rowsPath)" }

  // Value expressions.
  package var key: String? { response.key }
  package var link: String? { response.link }

  /// The parameter or field for the search text.
  package var searchName: String? { searchParameter?.name }

  /// The most likely pagination.
  package var pagination: PaginationGuess { paginations.first ?? .onePage }

  /// How the list pages: `cursor with parameter page_token`, with a question mark if that is doubtful.
  package var style: String { "\(pagination)\(pagination.isDoubtful ? "?" : "")" }

  /// The name in lists: `/things`, `POST /things/search`.
  package var name: String { method == "GET" ? path : "\(method) \(path)" }
}

extension APIDescription {
  /// A different id for the source of each list, from its path: `forge-teams-things` for `/v1/teams/{team}/things`.
  ///
  /// - Parameter prefix: A name of a source.
  package func ids(prefix: String) -> [String] {
    var taken: Set<String> = []
    return endpoints.map { endpoint in
      let words = PathPiece.pieces(of: endpoint.path).flatMap { piece -> [Substring] in
        guard case .literal(let text) = piece else { return [] }
        return text.split(separator: "/").filter { $0.wholeMatch(of: /v[0-9.]+|api|rest/) == nil }
      }
      let name = words.joined(separator: "-").lowercased()
      let plain = name.utf8.split { byte in
        !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte)
      }
      let parts = [prefix] + plain.map { String(decoding: $0, as: UTF8.self) }
      let id = String(parts.filter { !$0.isEmpty }.joined(separator: "-").prefix(60))
      return id.numbered("-", taken: &taken)
    }
  }

  /// The name of the API as a name of a source: `shop` for "Shop API v2"; nil if the title says nothing.
  package var shortName: String? {
    let words = title.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
      .filter { $0.wholeMatch(of: /v?[0-9]+|api|rest|the|openapi|swagger|http|service/) == nil }
    return words.isEmpty ? nil : String(words.joined(separator: "-").prefix(40))
  }

  /// The id of the parent list of an endpoint.
  package func parentID(of endpoint: DescribedEndpoint, _ ids: [String]) -> String? {
    guard let path = endpoint.parent?.path else { return nil }
    return zip(endpoints, ids).first { $0.0.path == path }?.1
  }

  /// The URL of the first server without variables to choose.
  package var home: WebURL? {
    endpoints.lazy.compactMap { $0.server.options.isEmpty ? try? WebURL($0.server.base) : nil }.first
  }
}

/// Whether a request reads a list.
private enum EndpointPurpose {
  case reading
  /// The request takes a position, a page size or a search text, but nothing guarantees that it only reads.
  case probablyReading
  case unknown

  init(_ method: String, _ path: String, _ id: String, _ parameters: [EndpointParameter]) {
    let roles = parameters.map(\.role)
    let isPaged = roles.contains(where: \.isPosition)
    let isWhole = roles.contains(.pageSize) && roles.contains { $0.isPosition && $0 != .pageSize }
    let isSearch = roles.contains { if case .search = $0 { true } else { false } }
    let place = path.split(separator: "/").last { !$0.hasPrefix("{") }.map(String.init) ?? ""
    if method == "GET" || isWhole || Self.isReading(place) || Self.isReading(id) {
      self = .reading
    } else {
      self = isPaged || isSearch ? .probablyReading : .unknown
    }
  }

  /// Whether a name begins or ends with a verb of reading: `searchOrders`, `crm-search`.
  private static func isReading(_ name: String) -> Bool {
    let verbs = ["search", "query", "find", "list", "filter", "lookup", "browse", "scroll"]
    let words = name.words
    return [words.first, words.last].contains { word in word.map(verbs.contains) ?? false }
  }
}

extension String {
  /// The words of a name in any spelling, in lower case: `listOrders`, `list_orders`, `orders.list`.
  fileprivate var words: [String] {
    var words: [String] = []
    var word = ""
    for scalar in unicodeScalars.prefix(200) {
      let isLetter = scalar.properties.isAlphabetic
      if !isLetter
        || scalar.properties.isUppercase && word.unicodeScalars.last?.properties.isLowercase == true
      {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if isLetter { word.unicodeScalars.append(scalar) }
    }
    return word.isEmpty ? words : words + [word.lowercased()]
  }
}

/// Reads the endpoints of a description.
private struct DescriptionReader {
  let root: JSONValue
  let isSwagger: Bool
  let title: String
  let address: WebURL?
  let security: SecuritySchemes
  let rootServer: EndpointServer?
  var reader: SchemaReader
  var endpoints: [DescribedEndpoint] = []
  var omissions: [APIDescription.Omission] = []

  private static let maxPaths = 20_000
  private static let maxParameters = 200
  private static let maxPathLength = 2_000

  init(_ root: JSONValue, isSwagger: Bool, title: String, at address: WebURL?) {
    (self.root, self.isSwagger, self.title, self.address) = (root, isSwagger, title, address)
    security = SecuritySchemes(root, isSwagger: isSwagger)
    reader = SchemaReader(root.document)
    rootServer =
      isSwagger
      ? EndpointServer(swagger: root, at: address)
      : EndpointServer(root["servers"]?.node, at: address, in: root.document)
        ?? address.flatMap { try? $0.resolving("/") }.map {
          EndpointServer(base: "\($0)".withDoubledBraces.withoutLastSlash)
        }
  }

  mutating func read() {
    guard let paths = root["paths"] else { return }
    for (path, entry) in paths.members.prefix(Self.maxPaths) {
      guard let node = reader.node(entry.node) else {
        if case .missing(let reason) = reader.target(of: entry.node) { omit("GET", path, reason) }
        continue
      }
      let item = value(node)
      for method in ["get", "post"] {
        guard let operation = item[method], operation.kind == .object else { continue }
        do throws(OmissionReason) {
          endpoints.append(try endpoint(method.uppercased(), path, item, operation))
        } catch { omit(method.uppercased(), path, error.text) }
      }
    }
  }

  private mutating func omit(_ method: String, _ path: String, _ reason: String) {
    omissions.append(
      APIDescription.Omission(method: method, path: String(path.prefix(Self.maxPathLength)), reason: reason))
  }

  private func value(_ node: JSONNode) -> JSONValue { JSONValue(document: root.document, node: node) }

  private mutating func endpoint(
    _ method: String, _ path: String, _ item: JSONValue, _ operation: JSONValue
  ) throws(OmissionReason) -> DescribedEndpoint {
    guard path.hasPrefix("/"), path.utf8.count <= Self.maxPathLength, path.isWritable else {
      throw OmissionReason("the path does not begin with /")
    }
    if path.utf8.contains(UInt8(ascii: "#")) || path.utf8.contains(UInt8(ascii: "?")) {
      throw OmissionReason("the path has a query or a fragment")
    }
    var parameters = parameters(item, operation)
    let body = method == "POST" ? try EndpointBody(operation, item, isSwagger: isSwagger, &reader) : nil
    parameters += body?.parameters ?? []
    let purpose = EndpointPurpose(method, path, operation["operationId"]?.string ?? "", parameters)
    if purpose == .unknown {
      throw OmissionReason("a POST request may change something. Write its source by hand")
    }
    let described = try response(operation)
    let schema = try schema(described)
    let response = EndpointResponse(schema, &reader)
    if reader.isExhausted {
      throw OmissionReason("the description is too large: no more of its schemas are read")
    }
    guard let response else {
      let found = reader.schema(schema)
      if let defect = found.defect, found.properties.isEmpty {
        throw OmissionReason("the schema of the response is missing: \(defect)")
      }
      throw OmissionReason(
        found.kind == .object ? "the response is one object" : "the response has no list of objects")
    }
    let headers = described["headers"]?.members.prefix(100).map(\.name).filter(\.isWritable) ?? []
    let isItem = path.hasSuffix("}") && response.rowsPath != .root
    let pages = parameters.contains(where: \.role.isPosition)
    if !pages, response.isOneObject || isItem, response.total(headers) == nil {
      throw OmissionReason("the response is one object, in which \(response.rowsPath) is a list")
    }
    let summary =
      operation["summary"]?.string ?? operation["description"]?.string ?? operation["operationId"]?.string
    let line = summary?.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return DescribedEndpoint(
      method: method, path: path, summary: Sanitized(String(line.prefix(200))).string,
      service: EndpointAuthorization.service(title),
      server: server(item, operation), parameters: parameters, body: body, isSafe: purpose == .reading,
      response: response, total: response.total(headers),
      paginations: EndpointPagination(parameters: parameters, response: response, headers: headers).guesses,
      authorization: security.authorization(operation, &reader) ?? Self.authorization(parameters))
  }

  /// A required parameter that is a credential, in a description without security schemes.
  private static func authorization(_ parameters: [EndpointParameter]) -> EndpointAuthorization? {
    parameters.first { $0.role == .credential && $0.location == .query }.map {
      EndpointAuthorization(kind: .query($0.name), isOptional: !$0.isRequired)
    }
  }

  private func server(_ item: JSONValue, _ operation: JSONValue) -> EndpointServer {
    let own = isSwagger ? nil : operation["servers"] ?? item["servers"]
    return own.flatMap { EndpointServer($0.node, at: address, in: root.document) } ?? rootServer ?? .unknown
  }

  /// The parameters of the path and of the operation; the latter override the former.
  private mutating func parameters(_ item: JSONValue, _ operation: JSONValue) -> [EndpointParameter] {
    var parameters: [EndpointParameter] = []
    for list in [operation["parameters"], item["parameters"]] {
      for node in list?.elements.prefix(Self.maxParameters) ?? [] {
        guard let parameter = EndpointParameter(node.node, &reader),
          !parameters.contains(where: { $0.name == parameter.name && $0.location == parameter.location })
        else { continue }
        parameters.append(parameter)
      }
    }
    return parameters
  }

  private mutating func response(_ operation: JSONValue) throws(OmissionReason) -> JSONValue {
    let responses = operation["responses"]
    let names = ["200", "2XX", "2xx", "206", "201", "203", "default"]
    guard let found = names.lazy.compactMap({ responses?[$0] }).first else {
      throw OmissionReason("no successful response is described")
    }
    switch reader.target(of: found.node) {
    case .node(let node): return value(node)
    case .missing(let reason): throw OmissionReason("the response is missing: \(reason)")
    }
  }

  /// The schema of a response, or else its example.
  private mutating func schema(_ response: JSONValue) throws(OmissionReason) -> JSONNode {
    let body = isSwagger ? response : try content(response)
    let examples = body["examples"]?.members.prefix(50) ?? []
    let example =
      body["example"]
      ?? (isSwagger ? examples.first { $0.name.contains("json") }?.value : examples.first?.value["value"])
    if let schema = body["schema"], schema.kind == .object,
      example == nil || reader.schema(schema.node).hasShape
    {
      return schema.node
    }
    guard let example, [.object, .array].contains(example.kind) else {
      throw OmissionReason("the response has no schema")
    }
    reader.readAsExample(example.node)
    return example.node
  }

  private func content(_ response: JSONValue) throws(OmissionReason) -> JSONValue {
    let types = response["content"]?.members.prefix(50) ?? []
    guard !types.isEmpty else { throw OmissionReason("the response has no content") }
    let isJSON: (String) -> Bool = { $0.lowercased().contains("json") }
    guard
      let type = types.first(where: { isJSON($0.name) && !$0.name.contains("seq") })
        ?? types.first(where: { $0.name.hasPrefix("*/") })
    else {
      throw OmissionReason("the response is \(types.prefix(3).map(\.name).joined(separator: ", ")), not JSON")
    }
    return type.value
  }

  /// The endpoints, each with the list that its path continues: `/projects/{id}/issues` and `/projects`.
  var withParents: [DescribedEndpoint] {
    let lists = Dictionary(endpoints.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    return endpoints.map { endpoint in
      var endpoint = endpoint
      guard let end = endpoint.path.lastIndex(of: "}"),
        let start = endpoint.path[..<end].lastIndex(of: "{"), start > endpoint.path.startIndex
      else { return endpoint }
      let before = endpoint.path[..<start]
      guard before.hasSuffix("/"), let list = lists[String(before.dropLast())], let key = list.response.key
      else {
        return endpoint
      }
      let name = String(endpoint.path[endpoint.path.index(after: start)..<end])
      endpoint.parent = DescribedEndpoint.Parent(
        path: list.path, parameter: EndpointOption.name(name), key: key)
      return endpoint
    }
  }
}
