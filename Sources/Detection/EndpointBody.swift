import JSON
import Search
import Text

/// The body of a request: its scalar fields are parameters, and required lists and objects are sent empty.
struct EndpointBody: Sendable {
  /// A required field that no parameter fills.
  struct Constant: Sendable, Hashable {
    let members: [String]
    let isList: Bool
  }

  let type: Endpoint.BodyType
  var parameters: [EndpointParameter] = []
  var constants: [Constant] = []

  private static let deepest = 3
  private static let maxMembers = 200
}

/// The reason why an endpoint is omitted.
struct OmissionReason: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

extension EndpointBody {
  /// Reads `requestBody` (OpenAPI 3), or the parameters in `body` or `formData` (Swagger 2.0); nil if there is none.
  init?(
    _ operation: JSONValue, _ item: JSONValue, isSwagger: Bool, _ reader: inout SchemaReader
  ) throws(OmissionReason) {
    let found =
      isSwagger
      ? try Self.inParameters(operation, item, &reader)
      : try operation["requestBody"].flatMap { value throws(OmissionReason) in
        try Self.inContent(value, &reader)
      }
    guard let found else { return nil }
    self = found
  }

  private static func inContent(
    _ value: JSONValue, _ reader: inout SchemaReader
  ) throws(OmissionReason) -> EndpointBody? {
    guard let node = reader.node(value.node) else {
      throw OmissionReason("the body of the request is missing in the description")
    }
    let types = JSONValue(document: value.document, node: node)["content"]?.members.prefix(50) ?? []
    func schema(_ matches: (String) -> Bool) -> JSONNode? {
      types.first { matches($0.name.lowercased()) && $0.value["schema"]?.kind == .object }?.value["schema"]?
        .node
    }
    if let node = schema({ $0.contains("json") || $0.hasPrefix("*/") }) {
      return try EndpointBody(.json, node, &reader)
    }
    if let node = schema({ $0.hasPrefix("application/x-www-form-urlencoded") }) {
      return try EndpointBody(.form, node, &reader)
    }
    if types.isEmpty || types.contains(where: { $0.value["schema"] == nil }) { return nil }
    let names = types.prefix(3).map(\.name).joined(separator: ", ")
    throw OmissionReason("the body of the request is \(names), which a source cannot send")
  }

  private static func inParameters(
    _ operation: JSONValue, _ item: JSONValue, _ reader: inout SchemaReader
  ) throws(OmissionReason) -> EndpointBody? {
    var form = EndpointBody(type: .form)
    for list in [operation["parameters"], item["parameters"]] {
      for element in list?.elements.prefix(maxMembers) ?? [] {
        guard let node = reader.node(element.node) else { continue }
        let parameter = JSONValue(document: element.document, node: node)
        switch parameter["in"]?.string {
        case "body":
          guard let schema = parameter["schema"], schema.kind == .object else { continue }
          return try EndpointBody(.json, schema.node, &reader)
        case "formData":
          let schema = reader.schema(node)
          guard let name = parameter["name"]?.string, !name.isEmpty, name.isWritable,
            schema.isScalar || schema.kind == .unknown
          else { continue }
          form.add([name], schema, isRequired: parameter["required"]?.bool == true)
        default: continue
        }
      }
    }
    return form.parameters.isEmpty ? nil : form
  }

  private init(
    _ type: Endpoint.BodyType, _ node: JSONNode, _ reader: inout SchemaReader
  ) throws(OmissionReason) {
    self.init(type: type)
    let schema = reader.schema(node)
    guard [.object, .unknown].contains(schema.kind) else {
      throw OmissionReason("the body of the request is no object")
    }
    read(schema, in: [], isRequired: true, &reader)
  }

  /// Reads a schema of the body. Recursion ends at `deepest`.
  private mutating func read(
    _ object: EndpointSchema, in path: [String], isRequired: Bool, _ reader: inout SchemaReader
  ) {
    for property in object.properties.prefix(Self.maxMembers) where !property.name.isEmpty {
      let members = path + [property.name]
      let schema = reader.schema(property.schema)
      let isRequired = isRequired && object.required.contains(property.name)
      switch schema.kind {
      case .array: if isRequired { constants.append(Constant(members: members, isList: true)) }
      case .object where schema.properties.isEmpty || members.count >= Self.deepest:
        if isRequired { constants.append(Constant(members: members, isList: false)) }
      case .object:
        if isRequired { constants.append(Constant(members: members, isList: false)) }
        read(schema, in: members, isRequired: isRequired, &reader)
      case .string, .integer, .number, .boolean, .unknown: add(members, schema, isRequired: isRequired)
      }
    }
  }

  private mutating func add(_ members: [String], _ schema: EndpointSchema, isRequired: Bool) {
    guard parameters.count < Self.maxMembers else { return }
    parameters.append(EndpointParameter(members: members, isRequired: isRequired, schema))
  }
}

/// A body as it is written in a source: strings, lists and tables.
indirect enum BodyText: Sendable {
  case text(String)
  case emptyList
  case table([(name: String, value: BodyText)])

  mutating func set(_ value: BodyText, at path: some Collection<String>) {
    guard let name = path.first else {
      self = value
      return
    }
    var members: [(name: String, value: BodyText)] =
      if case .table(let members) = self { members } else { [] }
    let index = members.firstIndex { $0.name == name } ?? members.endIndex
    if index == members.endIndex { members.append((name, .table([]))) }
    members[index].value.set(value, at: path.dropFirst())
    self = .table(members)
  }

  /// The value as inline TOML.
  var inline: String {
    switch self {
    case .text(let text): return TOMLText.string(text)
    case .emptyList: return "[]"
    case .table(let members):
      let entries = members.map { "\(TOMLText.key($0.name)) = \($0.value.inline)" }
      return entries.isEmpty ? "{}" : "{ \(entries.joined(separator: ", ")) }"
    }
  }
}
