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
    if !consume("$"), next != "[" { steps.append(try parseDottedPart()) }
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
    guard !name.isEmpty else { throw error(#"a name (quote others: ["odd.key"])"#) }
    return .member(JSONKey(name))
  }

  private mutating func parseKeyword() throws(JSONPathError) -> JSONPath.Step {
    let start = position
    position += 1
    guard takeWhile(JSONPath.Step.isNameScalar) == "key" else {
      position = start
      throw error(#"@key (quote other names: ["@id"])"#)
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

  /// A JSON string, parsed by the JSON scanner.
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

  private func error(_ expected: String) -> JSONPathError {
    JSONPathError(
      expression: expression, column: position + 1, expected: expected,
      found: next.map { JSONText.quoted(String($0)) } ?? "the end")
  }
}

/// Why a text is not a JSON path, and where.
package struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  package let expression: String
  /// The position in Unicode scalars, from 1.
  package let column: Int
  package let expected: String
  package let found: String

  package var description: String {
    "path \(JSONText.quoted(expression)), column \(column): expected \(expected), found \(found)"
  }
}
