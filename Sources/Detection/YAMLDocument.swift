import JSON
private import Yams

/// Documents in YAML (1.1 or 1.2), as the JSON values that they stand for.
package enum YAMLDocument {
  /// Plain scalars have the types of the YAML 1.2 core schema. Keys are texts, aliases are written out, and merge keys
  /// (`<<`) are followed.
  ///
  /// - Throws: If the text is not one YAML document, or is larger than `limit` when its aliases are written out.
  package static func json(_ text: String, limit: Int = 256 << 20) throws(YAMLError) -> [UInt8] {
    let root: Node?
    do { root = try Yams.compose(yaml: text, .basic) } catch let error as YamlError {
      throw YAMLError(error)
    } catch { throw YAMLError(reason: "\(error)") }
    guard let root else { throw YAMLError(reason: "it is empty") }
    var writer = YAMLWriter(limit: limit)
    try writer.write(root)
    return writer.bytes
  }
}

package struct YAMLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// With the line, if it is known.
  let reason: String

  fileprivate init(reason: String) { self.reason = reason }

  fileprivate init(_ error: YamlError) {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let context = context.map { " \($0.text)" } ?? ""
      reason = "line \(mark.line): \(problem)\(context)"
    case .duplicatedKeysInMapping(let keys, let context):
      let key = keys.first ?? ""
      reason = "line \(context.mark.line): the key \(JSONText.quoted(key)) occurs twice"
    case .reader(let problem, let offset, _, _):
      reason = (offset.map { "byte \($0): " } ?? "") + problem
    default: reason = "it cannot be read"
    }
  }

  package var description: String { reason }
}

private struct YAMLWriter {
  let limit: Int
  var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Recursion is bounded by the depth that the parser allows.
  mutating func write(_ node: Node) throws(YAMLError) {
    guard bytes.count <= limit else { throw YAMLError(reason: "its aliases stand for too much text") }
    switch node {
    case .scalar(let scalar): write(scalar)
    case .sequence(let elements):
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        try write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .mapping(let mapping):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for (key, value) in Self.merged(mapping) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes += JSONText.quoted(key).utf8
        bytes.append(UInt8(ascii: ":"))
        try write(value)
      }
      bytes.append(UInt8(ascii: "}"))
    case .alias: bytes += "null".utf8
    }
  }

  private mutating func write(_ scalar: Node.Scalar) {
    bytes += (scalar.style == .plain ? Self.token(scalar.string) : JSONText.quoted(scalar.string)).utf8
  }

  /// The entries with texts as keys, and those that merge keys add.
  private static func merged(_ mapping: Node.Mapping) -> [(String, Node)] {
    var entries: [(String, Node)] = []
    var additions: [Node.Mapping] = []
    for (key, value) in mapping {
      guard let scalar = key.scalar else { continue }
      if scalar.string == "<<", scalar.style == .plain {
        additions += [value.mapping].compactMap(\.self) + (value.sequence?.compactMap(\.mapping) ?? [])
      } else {
        entries.append((scalar.string, value))
      }
    }
    for addition in additions {
      for (key, value) in addition {
        guard let name = key.scalar?.string, !entries.contains(where: { $0.0 == name }) else { continue }
        entries.append((name, value))
      }
    }
    return entries
  }

  /// A plain scalar as JSON.
  private static func token(_ text: String) -> String {
    switch text {
    case "", "~", "null", "Null", "NULL": "null"
    case "true", "True", "TRUE": "true"
    case "false", "False", "FALSE": "false"
    default: isNumber(text) ? text : JSONText.quoted(text)
    }
  }

  /// Whether a text is a number in JSON as well as in YAML.
  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first,
      first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
    else { return false }
    return (try? JSONDocument(Array(text.utf8)))?.root.kind == .number
  }
}
