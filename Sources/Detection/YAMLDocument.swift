import JSON
private import Yams

/// Converts YAML documents (1.1 or 1.2) to JSON.
package enum YAMLDocument {
  /// Plain scalars have the types of the YAML 1.2 core schema. Keys are strings, aliases are expanded, and merge keys
  /// (`<<`) are followed.
  ///
  /// - Throws: If the text is not one YAML document, or is larger than `limit` bytes when its aliases are expanded.
  package static func json(_ text: String, limit: Int = 256 << 20) throws(YAMLError) -> [UInt8] {
    do {
      let parser = try Parser(yaml: Alias.hidden(in: text), resolver: .basic, encoding: .utf8)
      // The nodes refer to their anchors weakly; the parser keeps them.
      return try withExtendedLifetime(parser) {
        guard let root = try parser.singleRoot() else { throw YAMLError(reason: "it is empty") }
        var writer = YAMLWriter(limit: limit)
        try writer.findAliases(in: root)
        try writer.write(root, depth: 0)
        return writer.bytes
      }
    } catch let error as YAMLError {
      throw error
    } catch { throw YAMLError(error, in: text) }
  }
}

package struct YAMLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason, with the line if it is known.
  let reason: String

  fileprivate init(reason: String) { self.reason = reason }

  fileprivate init(_ error: any Error, in text: String) {
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
      reason = "line \(mark.line): \(problem)\(context.map { " \($0.text)" } ?? "")"
    case .composer(_, _, let mark, _):
      reason = "line \(mark.line): a second document begins, and only one can be read"
    case .duplicatedKeysInMapping(let keys, let context):
      let key = Alias.shown(in: keys.first ?? "")
      reason = "line \(context.mark.line): the key \(JSONText.quoted(key)) occurs twice"
    case .reader(let problem, let offset?, _, _):
      reason = "line \(text.prefix(offset).count(where: \.isNewline) + 1): \(problem)"
    default: reason = "it cannot be read"
    }
  }

  package var description: String { reason }
}

/// Aliases as the parser sees them. The parser would expand aliases and compare the results before a limit can be
/// checked, so a few lines of aliases of aliases would keep it busy for hours. Therefore it reads a text in which every
/// `*` is replaced by a private character that no description contains. An alias is then a plain scalar that begins
/// with that character.
private enum Alias {
  private static let mark: Unicode.Scalar = "\u{10FFFD}"

  static func hidden(in text: String) -> String { replaced("*", by: mark, in: text) }

  static func shown(in text: String) -> String { replaced(mark, by: "*", in: text) }

  private static func replaced(_ old: Unicode.Scalar, by new: Unicode.Scalar, in text: String) -> String {
    guard text.unicodeScalars.contains(old) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == old ? new : $0 }))
  }

  static func isAlias(_ scalar: Node.Scalar) -> Bool {
    scalar.style == .plain && scalar.string.unicodeScalars.first == mark
  }
}

private struct YAMLWriter {
  private struct Position: Hashable {
    let line: Int
    let column: Int

    init(_ scalar: Node.Scalar) { (line, column) = (scalar.mark?.line ?? 0, scalar.mark?.column ?? 0) }
  }

  private let limit: Int
  private let maxDepth = 1_000
  private var anchored: [String: Node] = [:]
  /// The target of each alias.
  private var targets: [Position: Node] = [:]
  /// The number of entries read. Each counts as 64 bytes of output, because mappings may be merged repeatedly without a
  /// new entry.
  private var entriesRead = 0
  private(set) var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Recursion is bounded by the depth that the parser allows.
  mutating func findAliases(in node: Node) throws(YAMLError) {
    switch node {
    case .scalar(let scalar) where Alias.isAlias(scalar):
      let (alias, position) = (Alias.shown(in: scalar.string), Position(scalar))
      guard let target = anchored[String(alias.dropFirst())] else {
        throw YAMLError(reason: "line \(position.line): the alias \(alias) stands for nothing")
      }
      targets[position] = target
      return
    case .scalar, .alias: break
    case .sequence(let elements): for element in elements { try findAliases(in: element) }
    case .mapping(let entries):
      for (key, value) in entries {
        try findAliases(in: key)
        try findAliases(in: value)
      }
    }
    if let anchor = node.anchor { anchored[anchor.rawValue] = node }
  }

  mutating func write(_ node: Node, depth: Int) throws(YAMLError) {
    try checkLimit()
    guard depth <= maxDepth else { throw YAMLError(reason: "its values are nested too deeply") }
    switch resolved(node) {
    case .scalar(let scalar): bytes += Self.json(scalar).utf8
    case .sequence(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        try write(element, depth: depth + 1)
      }
      bytes.append(UInt8(ascii: "]"))
    case .mapping(let mapping):
      bytes.append(UInt8(ascii: "{"))
      for (index, entry) in try entries(of: mapping).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(quoted: entry.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        try write(entry.value, depth: depth + 1)
      }
      bytes.append(UInt8(ascii: "}"))
    case .alias: break
    }
  }

  private func checkLimit() throws(YAMLError) {
    guard bytes.count + 64 * entriesRead <= limit else {
      throw YAMLError(reason: "its aliases stand for too much text")
    }
  }

  /// The entries whose keys are scalars, then those that merge keys add.
  private mutating func entries(
    of mapping: Node.Mapping
  ) throws(YAMLError) -> [(name: String, value: Node)] {
    var entries: [(name: String, value: Node)] = []
    var names: Set<String> = []
    var rest = [Node.mapping(mapping)]
    while let next = rest.popLast() {
      entriesRead += 1
      try checkLimit()
      switch resolved(next) {
      case .sequence(let elements): rest += elements.reversed()
      case .mapping(let mapping):
        entriesRead += mapping.count
        for (key, value) in mapping {
          guard case .scalar(let scalar) = resolved(key) else { continue }
          let name = Alias.shown(in: scalar.string)
          if name == "<<", scalar.style == .plain {
            rest.append(value)
          } else if names.insert(name).inserted {
            entries.append((name, value))
          }
        }
      case .scalar, .alias: break
      }
    }
    return entries
  }

  /// The target of an alias; any other node itself.
  private func resolved(_ node: Node) -> Node {
    if case .scalar(let scalar) = node, Alias.isAlias(scalar) {
      targets[Position(scalar)] ?? node
    } else {
      node
    }
  }

  private static func json(_ scalar: Node.Scalar) -> String {
    let text = Alias.shown(in: scalar.string)
    guard scalar.style == .plain, ![.str, .nonSpecific].contains(Tag.Name(rawValue: scalar.tag.rawValue))
    else {
      return JSONText.quoted(text)
    }
    return switch text {
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
