/// The properties of a GraphQL document that determine how it is sent (October 2021 edition, section 2).
package struct GraphQLDocument: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Whether one of its operations is a `mutation`.
  package var isMutation: Bool {
    var depth = 0
    var isAtStart = true
    for token in GraphQLScanner(text) {
      if isAtStart, token == "mutation" { return true }
      depth += Self.nesting(token)
      isAtStart = depth == 0 && token == "}"
    }
    return false
  }

  /// Whether a string is GraphQL: it consists of definitions with balanced brackets. A string that could also be JSON
  /// or a template, such as `{ a }`, counts only if it has several lines or a nested selection.
  package var isLikely: Bool {
    let tokens = Array(GraphQLScanner(text))
    let depths = tokens.reduce(into: [0]) { depths, token in
      depths.append(depths[depths.count - 1] + Self.nesting(token))
    }
    guard depths.last == 0, depths.allSatisfy({ $0 >= 0 }), tokens.last == "}" else { return false }
    if Self.keywords.contains(tokens[0]) { return tokens.contains("{") }
    return tokens[0] == "{" && !["\"", "}"].contains(tokens[1])
      && (text.utf8.contains(UInt8(ascii: "\n")) || tokens.count { $0 == "{" } > 1)
  }

  private static let keywords: Set = ["query", "mutation", "subscription", "fragment"]

  /// How many brackets a token opens; -1 if it closes one.
  private static func nesting(_ token: String) -> Int {
    "{([".contains(token) ? 1 : "})]".contains(token) ? -1 : 0
  }
}

/// The names and punctuators of a GraphQL document; a string is a single `"` token.
private struct GraphQLScanner: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  mutating func next() -> String? {
    skipIgnored()
    guard let byte = rest.first else { return nil }
    if byte == UInt8(ascii: "\"") {
      if rest.starts(with: #"""""#.utf8) { skipBlockString() } else { skipString() }
      return "\""
    }
    let name = rest.prefix(while: Self.isNameByte)
    let token = name.isEmpty ? rest.prefix(1) : name
    rest = rest[token.endIndex...]
    return String(decoding: token, as: UTF8.self)
  }

  /// Skips spaces, line ends, commas and comments, which have no meaning.
  private mutating func skipIgnored() {
    while let byte = rest.first {
      if byte == UInt8(ascii: "#") {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ",") {
        rest.removeFirst()
      } else {
        return
      }
    }
  }

  private mutating func skipString() {
    rest.removeFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
    }
  }

  private mutating func skipBlockString() {
    rest = rest.dropFirst(3)
    while !rest.isEmpty, !rest.starts(with: #"""""#.utf8) {
      rest = rest.starts(with: #"\""""#.utf8) ? rest.dropFirst(4) : rest.dropFirst()
    }
    rest = rest.dropFirst(3)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}

/// A position in a GraphQL document (October 2021 edition, section 2.1).
struct GraphQLPlace {
  private var depth = 0
  private var isQuoted = false
  private var isEscaped = false
  private var isComment = false

  /// Between parentheses or quotes, where `{name}` is not a selection.
  var takesValues: Bool { !isComment && (depth > 0 || isQuoted) }

  mutating func pass(_ scalar: Unicode.Scalar) {
    defer { isEscaped = isQuoted && scalar == "\\" && !isEscaped }
    switch scalar {
    case "\n", "\r": isComment = false
    case _ where isComment: break
    case "\"" where !isEscaped: isQuoted.toggle()
    case _ where isQuoted: break
    case "#": isComment = true
    case "(": depth += 1
    case ")": depth = max(0, depth - 1)
    default: break
    }
  }
}
