import HTTPValues
import JSON

/// A JSON schema of an API description, with `$ref`, `allOf`, `oneOf`, and `anyOf` merged into it.
struct EndpointSchema: Sendable {
  enum Kind: String, Sendable {
    case object, array, string, integer, number, boolean, unknown
  }

  struct Property: Sendable {
    let name: String
    let schema: JSONNode
  }

  var kind = Kind.unknown
  var format: String?
  /// The values of `enum` as strings.
  var values: [String] = []
  var standard: String?
  var minimum: Int?
  var maximum: Int?
  /// The properties, in order of first occurrence.
  var properties: [Property] = []
  /// The names of the properties that must be sent.
  var required: Set<String> = []
  /// The schema of the elements of an array.
  var items: JSONNode?
  /// The schema of the values of an object that is a map.
  var mapValues: JSONNode?
  /// The reason why a part of the schema is missing.
  var defect: String?

  var isNumber: Bool { kind == .integer || kind == .number }
  var isScalar: Bool { [.string, .integer, .number, .boolean].contains(kind) }
  var isAddress: Bool { ["uri", "url", "uri-reference", "iri"].contains(format) }
  var isTime: Bool { ["date-time", "date", "time", "datetime"].contains(format) }

  /// Merges a part of an `allOf`, or one of several alternatives, into the schema.
  mutating func merge(_ part: EndpointSchema) {
    if kind == .unknown { kind = part.kind }
    guard kind == part.kind || part.kind == .unknown else { return }
    format = format ?? part.format
    if values.isEmpty { values = part.values }
    standard = standard ?? part.standard
    minimum = minimum ?? part.minimum
    maximum = maximum ?? part.maximum
    items = items ?? part.items
    mapValues = mapValues ?? part.mapValues
    defect = defect ?? part.defect
    let known = Set(properties.map(\.name))
    let added = part.properties.filter { !known.contains($0.name) }
    properties += added.prefix(
      SchemaReader.maxProperties - min(properties.count, SchemaReader.maxProperties))
  }
}

/// Reads the schemas of one document. Every schema is read once, and the work is limited, because references may
/// form cycles and the document may be hostile.
struct SchemaReader {
  let document: JSONDocument
  private var schemas: [JSONNode: EndpointSchema] = [:]
  private var targets: [String: Target] = [:]
  /// The schemas that are being read.
  private var open: Set<JSONNode> = []
  private var work = 0
  /// Values that stand for their schema.
  private var examples: Set<JSONNode> = []

  enum Target {
    case node(JSONNode)
    /// The reason why there is no target.
    case missing(String)
  }

  static let maxProperties = 500
  private static let maxWork = 500_000
  private static let maxNested = 48
  private static let maxParts = 100
  private static let maxReferenceLength = 1_000

  init(_ document: JSONDocument) { self.document = document }

  /// Whether reading the document has reached the work limit.
  var isExhausted: Bool { work >= Self.maxWork }

  /// The node at the end of a chain of `$ref`; the node itself if it is not a reference. Nothing is fetched.
  mutating func target(of node: JSONNode) -> Target {
    var node = node
    for _ in 0..<Self.maxNested {
      guard let reference = document.member(of: node, named: "$ref").flatMap(document.string) else {
        return .node(node)
      }
      switch target(of: reference) {
      case .node(let next): node = next
      case .missing(let reason): return .missing(reason)
      }
    }
    return .missing("a reference leads back to itself")
  }

  /// The node, or the one that it refers to; nil if that is missing.
  mutating func node(_ node: JSONNode) -> JSONNode? {
    if case .node(let found) = target(of: node) { found } else { nil }
  }

  private mutating func target(of reference: String) -> Target {
    if let known = targets[reference] { return known }
    work += 1
    let found = find(reference)
    targets[reference] = found
    return found
  }

  /// Resolves a JSON pointer in a fragment (RFC 6901).
  private mutating func find(_ reference: String) -> Target {
    guard reference.utf8.count <= Self.maxReferenceLength else { return .missing("a reference is too long") }
    guard reference.hasPrefix("#") else {
      return .missing("\(JSONText.quoted(reference)) is in another document, which is not requested")
    }
    var node = document.rootNode
    for part in reference.dropFirst().split(separator: "/", omittingEmptySubsequences: true) {
      let name = PercentEncoding.decoded(part, plusIsSpace: false)
        .replacing("~1", with: "/").replacing("~0", with: "~")
      let next =
        document.member(of: node, named: JSONKey(name))
        ?? Int(name).flatMap { $0 >= 0 ? document.element(of: node, at: $0) : nil }
      guard let next else { return .missing("\(JSONText.quoted(reference)) does not exist") }
      node = next
    }
    return .node(node)
  }

  mutating func schema(_ node: JSONNode) -> EndpointSchema {
    if let known = schemas[node] { return known }
    guard !isExhausted, open.count < Self.maxNested, open.insert(node).inserted else {
      return EndpointSchema()
    }
    defer { open.remove(node) }
    var schema = EndpointSchema()
    if examples.contains(node) {
      schema = shape(of: node)
    } else if document.member(of: node, named: "$ref") == nil {
      schema = own(node)
    } else {
      switch target(of: node) {
      case .node(let target): schema = self.schema(target)
      case .missing(let reason): schema.defect = reason
      }
    }
    work += 1 + schema.properties.count
    schemas[node] = schema
    return schema
  }

  /// Reads a value as if it were the schema of values like it.
  mutating func readAsExample(_ value: JSONNode) { examples.insert(value) }

  private mutating func shape(of value: JSONNode) -> EndpointSchema {
    var schema = EndpointSchema()
    switch document.kind(of: value) {
    case .object:
      schema.kind = .object
      schema.properties = document.members(of: value).prefix(Self.maxProperties).compactMap { name, value in
        document.string(of: name).flatMap {
          $0.isWritable ? EndpointSchema.Property(name: $0, schema: value) : nil
        }
      }
    case .array:
      schema.kind = .array
      schema.items = document.element(of: value, at: 0)
    case .string: schema.kind = .string
    case .number: schema.kind = .number
    case .bool: schema.kind = .boolean
    case .null: break
    }
    examples.formUnion(schema.properties.map(\.schema) + [schema.items].compactMap(\.self))
    return schema
  }

  private mutating func own(_ node: JSONNode) -> EndpointSchema {
    var schema = EndpointSchema()
    schema.kind = kind(of: node)
    schema.format = text(node, "format")
    schema.standard = text(node, "default")
    schema.minimum = number(node, "minimum")
    schema.maximum = number(node, "maximum")
    let stated = elements(node, "enum")
    schema.values = stated.compactMap { document.text(of: $0) }.filter(\.isWritable)
    schema.items = document.member(of: node, named: "items").flatMap(object)
    schema.mapValues = document.member(of: node, named: "additionalProperties").flatMap(object)
    if let properties = document.member(of: node, named: "properties") {
      schema.properties = document.members(of: properties).prefix(Self.maxProperties).compactMap {
        name, value in
        guard document.byteRange(of: name).count <= 200 else { return nil }
        return document.string(of: name).flatMap {
          $0.isWritable ? EndpointSchema.Property(name: $0, schema: value) : nil
        }
      }
    }
    schema.required = Set(elements(node, "required").compactMap { document.string(of: $0) })
    if schema.kind == .unknown {
      schema.kind = schema.items != nil ? .array : schema.isObject ? .object : .unknown
    }
    for key: JSONKey in ["allOf", "anyOf", "oneOf"] {
      for part in elements(node, key) {
        let part = self.schema(part)
        work += part.properties.count + schema.properties.count
        schema.merge(part)
        if key == "allOf" { schema.required.formUnion(part.required) }
      }
    }
    if !schema.hasShape, !schema.isScalar, let example = document.member(of: node, named: "example"),
      [.object, .array].contains(document.kind(of: example))
    {
      readAsExample(example)
      return shape(of: example)
    }
    return schema
  }

  private func kind(of node: JSONNode) -> EndpointSchema.Kind {
    guard let type = document.member(of: node, named: "type") else { return .unknown }
    // OpenAPI 3.1: a list of types, one of which may be null.
    let names = [type] + Array(document.elements(of: type).prefix(8))
    return names.lazy.compactMap { document.string(of: $0).flatMap(EndpointSchema.Kind.init) }.first
      ?? .unknown
  }

  private func elements(_ node: JSONNode, _ key: JSONKey) -> [JSONNode] {
    document.member(of: node, named: key).map { Array(document.elements(of: $0).prefix(Self.maxParts)) }
      ?? []
  }

  private func object(_ node: JSONNode) -> JSONNode? { document.kind(of: node) == .object ? node : nil }

  /// The text of a scalar field that is not too long.
  func text(_ node: JSONNode, _ key: JSONKey) -> String? {
    guard let value = document.member(of: node, named: key), document.byteRange(of: value).count <= 4_000
    else {
      return nil
    }
    return document.text(of: value).flatMap { $0.isWritable ? $0 : nil }
  }

  func number(_ node: JSONNode, _ key: JSONKey) -> Int? {
    text(node, key).flatMap { Int($0) ?? Double($0).flatMap { Int(exactly: $0) } }
  }
}

extension EndpointSchema {
  /// Whether it says what it consists of.
  var hasShape: Bool { isObject || items != nil || isScalar || defect != nil }

  fileprivate var isObject: Bool { !properties.isEmpty || mapValues != nil }
}

extension String {
  /// Whether a TOML document of a source can contain the string, which must not have a null character.
  var isWritable: Bool { !utf8.contains(0) }
}
