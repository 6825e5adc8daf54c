/// A path into a JSON value: `a.b[0].c`, `a[*].name`, `["odd.key"]`, `[-1]`, `[1:3]`, `links[rel=next].href`,
/// `@key`, `$`.
///
/// | part | selects |
/// |---|---|
/// | `name`, `["odd.key"]` | the member with this name |
/// | `[2]`, `[-1]` | one element, from the end if negative |
/// | `[*]`, `[2:]`, `[:-1]`, `[1:3]` | all elements, or those from the first index up to but not including the second |
/// | `[rel=next]`, `[rel="a]b"]` | the first element that is an object whose member has this text |
/// | `@key` (last) | the member name of the value |
/// | `$` (alone or first) | the value that the path is evaluated on |
/// | `^` (first) | the object around a row, in rows that are read with it |
///
/// A bare name consists of letters, digits, `_`, and `-`; any other name is quoted like a JSON string.
package struct JSONPath: Sendable, Hashable, CustomStringConvertible {
  package enum Step: Sendable, Hashable {
    case member(JSONKey)
    case element(Int)
    case slice(from: Int?, upTo: Int?)
    case allElements
    case firstElement(where: JSONKey, hasText: String)
    case name
  }

  package let steps: [Step]

  package init(steps: [Step]) { self.steps = steps }

  package init(_ expression: String) throws(JSONPathError) {
    var parser = JSONPathParser(expression)
    steps = try parser.parse()
  }

  /// The path `$`, the value itself.
  package static let root = JSONPath(steps: [])

  /// The name of the member with the object around a row (`^`).
  package static let enclosing = JSONKey("^")

  /// Whether it leads into the object around a row.
  package var readsEnclosing: Bool { steps.first == .member(Self.enclosing) }

  /// Whether it may select more than one value.
  package var isPlural: Bool { steps.contains(where: \.isPlural) }

  /// The path up to the first of at least two steps that lead to many values; nil if there are fewer.
  package var outerList: JSONPath? {
    let plural = steps.indices.filter { steps[$0].isPlural }
    return plural.count > 1 ? JSONPath(steps: Array(steps[...plural[0]])) : nil
  }

  /// Whether it reads an element of the list at another path, which is the root if nil: `data[-1].id` of `data`.
  package func leadsInto(_ list: JSONPath?) -> Bool {
    let list = (list ?? .root).singularPrefix.steps
    guard steps.count > list.count, Array(steps.prefix(list.count)) == list else { return false }
    switch steps[list.count] {
    case .element, .slice, .allElements, .firstElement: return true
    case .member, .name: return false
    }
  }

  /// The path up to the first step that may select several values: the path of the list that they are in.
  package var singularPrefix: JSONPath { JSONPath(steps: Array(steps.prefix { !$0.isPlural })) }

  /// The last member name in the path, for use as a title.
  package var lastName: String? {
    for case .member(let key) in steps.reversed() { return key.name }
    return nil
  }

  /// The names of a path that consists of members only; empty for `$`, nil for any other path.
  package var memberNames: [String]? {
    let names = steps.compactMap { if case .member(let key) = $0 { key.name } else { nil } }
    return names.count == steps.count ? names : nil
  }

  /// The canonical expression: parsing it gives an equal path.
  package var description: String {
    guard let first = steps.first else { return "$" }
    return steps.dropFirst().reduce("\(first)") { text, step in
      let part = "\(step)"
      return part.hasPrefix("[") ? text + part : "\(text).\(part)"
    }
  }
}

extension JSONPath.Step: CustomStringConvertible {
  fileprivate var isPlural: Bool {
    switch self {
    case .allElements, .slice: true
    case .member, .element, .firstElement, .name: false
    }
  }

  package var description: String {
    switch self {
    case .member(let key):
      Self.isBareName(key.name) || key == JSONPath.enclosing ? key.name : "[\(JSONText.quoted(key.name))]"
    case .element(let index): "[\(index)]"
    case .slice(let lower, let upper): "[\(lower.map(String.init) ?? ""):\(upper.map(String.init) ?? "")]"
    case .allElements: "[*]"
    case .firstElement(let key, let text):
      "[\(Self.isFilterName(key.name) ? key.name : JSONText.quoted(key.name))="
        + "\(Self.isBareName(text) ? text : JSONText.quoted(text))]"
    case .name: "@key"
    }
  }

  static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar.properties.isXIDContinue
  }

  private static func isBareName(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.allSatisfy(isNameScalar)
  }

  /// In brackets, a digit or minus sign begins an index.
  private static func isFilterName(_ name: String) -> Bool {
    isBareName(name) && !(name.first?.isNumber ?? true) && !name.hasPrefix("-")
  }
}

extension JSONPath {
  /// All nodes that the path selects from a value, in text order. O(nodes visited).
  package func nodes(in document: JSONDocument, from node: JSONNode) -> [JSONNode] {
    steps.reduce([node]) { selected, step in selected.flatMap { step.nodes(in: document, from: $0) } }
  }

  /// The same nodes as `nodes(in:from:)`, each with the object whose member the path entered last. O(nodes visited).
  package func nodesInObjects(
    in document: JSONDocument, from node: JSONNode
  ) -> [(node: JSONNode, object: JSONNode)] {
    steps.reduce([(node, node)]) { selected, step in
      selected.flatMap { node, object in
        let isMember = if case .member = step { true } else { false }
        return step.nodes(in: document, from: node).map { ($0, isMember ? node : object) }
      }
    }
  }

  /// The first node that the path selects. Allocates nothing unless the path is plural.
  package func firstNode(in document: JSONDocument, from node: JSONNode) -> JSONNode? {
    var selected = node
    for (index, step) in steps.enumerated() {
      switch step {
      case .allElements, .slice:
        let rest = JSONPath(steps: Array(steps[index...]))
        return rest.nodes(in: document, from: selected).first
      case .member, .element, .firstElement, .name:
        guard let next = step.node(in: document, from: selected) else { return nil }
        selected = next
      }
    }
    return selected
  }

  /// The value that lacks a member named in the path; nil if the path selects something, or if the value is
  /// inconclusive: null, an empty list, an index out of range.
  package func missingMember(
    in document: JSONDocument, from node: JSONNode
  ) -> (value: JSONNode, name: String)? {
    var selected = node
    for step in steps {
      switch step {
      case .member(let key):
        if document.kind(of: selected) == .null { return nil }
        guard let next = document.member(of: selected, named: key) else { return (selected, key.name) }
        selected = next
      case .element, .slice, .allElements, .firstElement, .name:
        guard let next = step.node(in: document, from: selected) else { return nil }
        selected = next
      }
    }
    return nil
  }
}

extension JSONPath.Step {
  fileprivate func nodes(in document: JSONDocument, from node: JSONNode) -> [JSONNode] {
    switch self {
    case .allElements: return Array(document.elements(of: node))
    case .slice(let lower, let upper):
      let elements = Array(document.elements(of: node))
      let start = elements.place(of: lower ?? 0)
      return Array(elements[start..<max(start, upper.map(elements.place) ?? elements.count)])
    case .member, .element, .firstElement, .name:
      return self.node(in: document, from: node).map { [$0] } ?? []
    }
  }

  /// The node selected by a step that selects at most one.
  fileprivate func node(in document: JSONDocument, from node: JSONNode) -> JSONNode? {
    switch self {
    case .member(let key): document.member(of: node, named: key)
    case .element(let index): document.element(of: node, at: index)
    case .firstElement(let key, let text):
      document.elements(of: node).first { element in
        let found = document.member(of: element, named: key).flatMap { document.text(of: $0) }
        return found.map { $0.utf8.elementsEqual(text.utf8) } ?? false
      }
    case .name: document.name(of: node)
    case .allElements, .slice: nodes(in: document, from: node).first
    }
  }
}

extension [JSONNode] {
  /// The index, counted from the end if negative, clamped to the array.
  fileprivate func place(of index: Int) -> Int {
    Swift.min(Swift.max(index < 0 ? index + count : index, 0), count)
  }
}

/// Parses the expression of a `JSONPath` from left to right.
struct JSONPathParser {
  private let expression: String
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ expression: String) {
    self.expression = expression
    scalars = Array(expression.unicodeScalars)
  }

  mutating func parse() throws(JSONPathError) -> [JSONPath.Step] {
    var steps: [JSONPath.Step] = []
    if consume("^") {
      steps.append(.member(JSONPath.enclosing))
    } else if !consume("$"), next != "[" {
      steps.append(try parseDottedPart())
    }
    while next != nil {
      guard steps.last != .name else { throw error("the end after @key") }
      if consume(".") {
        steps.append(try parseDottedPart())
      } else if consume("[") {
        steps.append(try parseBracket())
        guard consume("]") else { throw error(#""]""#) }
      } else {
        throw error(#"".", "[" or the end"#)
      }
    }
    return steps
  }

  private mutating func parseDottedPart() throws(JSONPathError) -> JSONPath.Step {
    if next == "@" { return try parseKeyword() }
    let name = takeWhile(JSONPath.Step.isNameScalar)
    guard !name.isEmpty else { throw error("a field name", Self.quoting) }
    return .member(JSONKey(name))
  }

  private mutating func parseKeyword() throws(JSONPathError) -> JSONPath.Step {
    let start = position
    position += 1
    guard takeWhile(JSONPath.Step.isNameScalar) == "key" else {
      position = start
      throw error("@key", Self.quoting)
    }
    return .name
  }

  private mutating func parseBracket() throws(JSONPathError) -> JSONPath.Step {
    switch next {
    case "*":
      position += 1
      return .allElements
    case "\"":
      let name = try parseQuoted()
      return next == "=" ? try parseFilter(on: name) : .member(JSONKey(name))
    case let start? where start == "-" || start == ":" || Self.isDigit(start):
      return try parseIndexOrSlice()
    default:
      let name = takeWhile(JSONPath.Step.isNameScalar)
      guard !name.isEmpty else { throw error(#"an index, a slice, "*", a quoted name or name=text"#) }
      return try parseFilter(on: name)
    }
  }

  private mutating func parseIndexOrSlice() throws(JSONPathError) -> JSONPath.Step {
    let lower = next == ":" ? nil : try parseInteger()
    guard consume(":") else { return lower.map(JSONPath.Step.element) ?? .allElements }
    return .slice(from: lower, upTo: next == "]" ? nil : try parseInteger())
  }

  private mutating func parseInteger() throws(JSONPathError) -> Int {
    let start = position
    let sign = consume("-") ? "-" : ""
    guard let number = Int(sign + takeWhile(Self.isDigit)) else {
      if position - start == sign.count { throw error("a whole number") }
      position = start
      throw error("a whole number of at most 18 digits")
    }
    return number
  }

  private mutating func parseFilter(on name: String) throws(JSONPathError) -> JSONPath.Step {
    guard consume("=") else { throw error(#""=" after the name (a name alone is quoted: ["name"])"#) }
    if next == "\"" { return .firstElement(where: JSONKey(name), hasText: try parseQuoted()) }
    let text = takeWhile { $0 != "]" && $0 != "\"" && $0 != "[" }
    guard !text.isEmpty else { throw error("the text to look for") }
    return .firstElement(where: JSONKey(name), hasText: text)
  }

  /// Parses a JSON string with the JSON scanner.
  private mutating func parseQuoted() throws(JSONPathError) -> String {
    let start = position
    position += 1
    while let scalar = next, scalar != "\"" { position += scalar == "\\" ? 2 : 1 }
    guard consume("\"") else {
      position = scalars.count
      throw error("a closing quote")
    }
    var quoted = String.UnicodeScalarView()
    quoted.append(contentsOf: scalars[start..<position])
    do throws(JSONError) {
      return try JSONDocument(Array(String(quoted).utf8)).root.string ?? ""
    } catch {
      position = start + error.column - 1
      throw self.error(error.expected)
    }
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func takeWhile(_ isIncluded: (Unicode.Scalar) -> Bool) -> String {
    var taken = String.UnicodeScalarView()
    while let scalar = next, isIncluded(scalar) {
      taken.append(scalar)
      position += 1
    }
    return String(taken)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static let quoting = #"Write a name with special characters as ["odd.key"]"#

  private func error(_ expected: String, _ remedy: String? = nil) -> JSONPathError {
    JSONPathError(
      expression: expression, column: position + 1, expected: expected,
      found: next.map { JSONText.quoted(String($0)) } ?? "the end", remedy: remedy)
  }
}

/// The reason why a string is not a JSON path, and its location.
package struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  package let expression: String
  /// The position in Unicode scalars, from 1.
  package let column: Int
  package let expected: String
  package let found: String
  /// A sentence without its period; nil if there is nothing to advise.
  package let remedy: String?

  package var description: String {
    "path \(JSONText.quoted(expression)), character \(column): expected \(expected), found \(found)\(advice)"
  }

  /// The remedy as the end of a message, or "".
  package var advice: String { remedy.map { ". \($0)" } ?? "" }
}
