// Reads a generated API description of 3 MB, as JSON and as YAML:
//
//     RIFFLE_BENCHMARKS=1 swift run -c release DescriptionBenchmark
import Detection
import JSON

let count = 1_850
let schemas = (0..<count).map { number in
  let fields = (0..<14).map {
    #""field_\#($0)":{"type":"string","description":"The field with the number \#($0) of a row"}"#
  }
  return ##"""
    "Row\##(number)":{"type":"object","properties":{"id":{"type":"integer"},\##(fields.joined(separator: ","))}},
    "Page\##(number)":{"allOf":[{"type":"object","properties":{"total":{"type":"integer"},"rows":{"type":"array",
    "items":{"$ref":"#/components/schemas/Row\##(number)"}}}}]}
    """##
}
let paths = (0..<count).map { number in
  ##"""
  "/rows/\##(number)":{"get":{"summary":"Rows","parameters":[{"name":"page","in":"query","schema":{"type":"integer"}},
  {"name":"per_page","in":"query","schema":{"type":"integer"}}],"responses":{"200":{"description":"","content":
  {"application/json":{"schema":{"$ref":"#/components/schemas/Page\##(number)"}}}}}}}
  """##
}
let text = Array(
  """
  {"openapi":"3.0.0","servers":[{"url":"https://x.example"}],
  "paths":{\(paths.joined(separator: ","))},"components":{"schemas":{\(schemas.joined(separator: ","))}}}
  """.utf8)
let start = ContinuousClock.now
let description = try APIDescription(JSONDocument(text, maxDepth: 512))
let read = ContinuousClock.now
let bytes = description.endpoints.reduce(0) { $0 + description.document(of: $1, id: "x").utf8.count }
let written = ContinuousClock.now
print("\(text.count) bytes, \(description.endpoints.count) lists: read in \(read - start)")
print("\(bytes) bytes of sources written in \(written - read)")

/// A JSON value in YAML, indented by two spaces a level.
func yaml(_ value: JSONValue, _ indent: String, into lines: inout [String], after prefix: String) {
  switch value.kind {
  case .object where value.count > 0:
    if !prefix.isEmpty { lines.append(prefix) }
    for (name, member) in value.members {
      yaml(member, indent + "  ", into: &lines, after: "\(indent)\(JSONText.quoted(name)):")
    }
  case .array where value.count > 0:
    lines.append(prefix)
    for element in value.elements { yaml(element, indent + "  ", into: &lines, after: "\(indent)-") }
  default:
    lines.append("\(prefix) \(String(decoding: text[value.byteRange], as: UTF8.self))")
  }
}
var lines: [String] = []
yaml(try JSONDocument(text, maxDepth: 512).root, "", into: &lines, after: "")
let yamlText = lines.joined(separator: "\n") + "\n"
let beforeYAML = ContinuousClock.now
let json = try YAMLDocument.json(yamlText)
let converted = ContinuousClock.now
let again = try APIDescription(JSONDocument(json, maxDepth: 512))
print(
  "\(yamlText.utf8.count) bytes of YAML, \(again.endpoints.count) lists: read in \(ContinuousClock.now - beforeYAML), of which \(converted - beforeYAML) is YAML"
)
