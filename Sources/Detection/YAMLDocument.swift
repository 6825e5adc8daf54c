private import CYAML
import JSON

/// Documents in YAML (1.1 or 1.2), as the JSON values that they stand for.
package enum YAMLDocument {
  /// Plain scalars have the types of the YAML 1.2 core schema. Keys are texts, aliases are written out, and merge keys
  /// (`<<`) are followed.
  ///
  /// - Throws: If the text is not one YAML document, or is larger than `limit` when its aliases are written out.
  package static func json(_ text: String, limit: Int = 256 << 20) throws(YAMLError) -> [UInt8] {
    guard let root = try YAMLReader(text).document() else { throw YAMLError(reason: "it is empty") }
    var writer = YAMLWriter(limit: limit)
    try writer.write(root)
    return writer.bytes
  }
}

package struct YAMLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// With the line, if it is known.
  let reason: String

  fileprivate init(reason: String) { self.reason = reason }

  package var description: String { reason }
}

private indirect enum Node {
  /// Whether the text is a text whatever it looks like: it is quoted, a block, or tagged as one.
  case scalar(String, isText: Bool)
  case sequence([Node])
  case mapping([(key: Node, value: Node)])

  var plain: String? { if case .scalar(let text, isText: false) = self { text } else { nil } }
}

/// Reads the one document of a text, with libyaml.
private final class YAMLReader {
  private enum Event {
    case alias(String)
    case scalar(Node, anchor: String?)
    case sequence(anchor: String?)
    case mapping(anchor: String?)
    case collectionEnd
    case streamEnd
    /// The start of the stream, or an end of a document.
    case other
  }

  private let input: UnsafeMutableBufferPointer<UInt8>
  /// Keeps its address, which it refers to.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private var anchored: [String: Node] = [:]
  /// Of the latest event, from 1.
  private var line = 1

  init(_ text: String) throws(YAMLError) {
    input = .allocate(capacity: text.utf8.count)
    _ = input.initialize(from: text.utf8)
    parser.initialize(to: yaml_parser_t())
    guard yaml_parser_initialize(parser) == 1 else { throw YAMLError(reason: "there is not enough memory") }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// Nil if there is none.
  func document() throws(YAMLError) -> Node? {
    _ = try next()
    if case .streamEnd = try next() { return nil }
    let root = try node(at: next())
    _ = try next()
    guard case .streamEnd = try next() else {
      throw YAMLError(reason: "line \(line): a second document begins, and only one can be read")
    }
    return root
  }

  /// Recursion is bounded by the depth that libyaml allows.
  private func node(at event: Event) throws(YAMLError) -> Node {
    let (node, anchor): (Node, String?)
    switch event {
    case .alias(let name):
      guard let known = anchored[name] else {
        throw YAMLError(reason: "line \(line): the alias *\(name) stands for nothing")
      }
      return known
    case .scalar(let scalar, let name): (node, anchor) = (scalar, name)
    case .sequence(let name): (node, anchor) = (.sequence(try elements()), name)
    case .mapping(let name): (node, anchor) = (.mapping(try entries()), name)
    case .collectionEnd, .streamEnd, .other: throw YAMLError(reason: "line \(line): a value is missing")
    }
    if let anchor { anchored[anchor] = node }
    return node
  }

  private func elements() throws(YAMLError) -> [Node] {
    var elements: [Node] = []
    while true {
      let event = try next()
      if case .collectionEnd = event { return elements }
      elements.append(try node(at: event))
    }
  }

  private func entries() throws(YAMLError) -> [(key: Node, value: Node)] {
    var entries: [(key: Node, value: Node)] = []
    var lines: [String: Int] = [:]
    while true {
      let event = try next()
      if case .collectionEnd = event { return entries }
      let keyLine = line
      let key = try node(at: event)
      if case .scalar(let name, _) = key, let known = lines.updateValue(keyLine, forKey: name) {
        throw YAMLError(reason: "line \(known): the key \(JSONText.quoted(name)) occurs twice")
      }
      entries.append((key, try node(at: next())))
    }
  }

  private func next() throws(YAMLError) -> Event {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
    defer { yaml_event_delete(&event) }
    line = Int(event.start_mark.line) + 1
    return switch event.type {
    case YAML_ALIAS_EVENT: .alias(Self.text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT: .scalar(Self.scalar(event), anchor: Self.text(event.data.scalar.anchor))
    case YAML_SEQUENCE_START_EVENT: .sequence(anchor: Self.text(event.data.sequence_start.anchor))
    case YAML_MAPPING_START_EVENT: .mapping(anchor: Self.text(event.data.mapping_start.anchor))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: .collectionEnd
    case YAML_STREAM_END_EVENT: .streamEnd
    default: .other
    }
  }

  private static func scalar(_ event: yaml_event_t) -> Node {
    let scalar = event.data.scalar
    let isTagged = ["!", "tag:yaml.org,2002:str"].contains(text(scalar.tag))
    return .scalar(
      String(decoding: UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length)), as: UTF8.self),
      isText: isTagged || scalar.style != YAML_PLAIN_SCALAR_STYLE)
  }

  private var failure: YAMLError {
    let (parser, problem) = (parser.pointee, parser.pointee.problem.map { String(cString: $0) } ?? "")
    let context = parser.context.map { " \(String(cString: $0))" } ?? ""
    return switch parser.error {
    case YAML_READER_ERROR: YAMLError(reason: "byte \(parser.problem_offset): \(problem)")
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
      YAMLError(reason: "line \(parser.problem_mark.line + 1): \(problem)\(context)")
    default: YAMLError(reason: "it cannot be read")
    }
  }

  private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

private struct YAMLWriter {
  let limit: Int
  var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  mutating func write(_ node: Node) throws(YAMLError) {
    guard bytes.count <= limit else { throw YAMLError(reason: "its aliases stand for too much text") }
    switch node {
    case .scalar(let text, let isText): bytes += (isText ? JSONText.quoted(text) : Self.token(text)).utf8
    case .sequence(let elements):
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        try write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .mapping(let entries):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for (key, value) in Self.merged(entries) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes += JSONText.quoted(key).utf8
        bytes.append(UInt8(ascii: ":"))
        try write(value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// The entries with texts as keys, and those that merge keys add.
  private static func merged(_ mapping: [(key: Node, value: Node)]) -> [(String, Node)] {
    var entries: [(String, Node)] = []
    var additions: [Node] = []
    for (key, value) in mapping {
      guard case .scalar(let name, _) = key else { continue }
      if key.plain == "<<" {
        if case .sequence(let elements) = value { additions += elements } else { additions.append(value) }
      } else {
        entries.append((name, value))
      }
    }
    for case .mapping(let addition) in additions {
      for (key, value) in addition {
        guard case .scalar(let name, _) = key, !entries.contains(where: { $0.0 == name }) else { continue }
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
