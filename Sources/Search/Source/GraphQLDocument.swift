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

  /// An argument of a field, or a member of an object in one, whose value is a number, a string, null or a variable.
  package struct Argument: Sendable, Hashable {
    package let name: String
    /// The value as written; `$` for a variable.
    package let value: String
    fileprivate let range: Range<Int>
  }

  /// The arguments of the fields that have some, a list for each field, in order.
  package var argumentLists: [[Argument]] {
    var scanner = GraphQLScanner(text)
    var lists: [[Argument]] = []
    var (selections, parentheses) = (0, 0)
    var (name, last): (String?, String) = (nil, "")
    while let token = scanner.next() {
      switch token {
      case "(":
        parentheses += 1
        if parentheses == 1, selections > 0 { lists.append([]) }
      case ")": parentheses -= 1
      case "{" where parentheses == 0: selections += 1
      case "}" where parentheses == 0: selections -= 1
      case ":": name = last
      default:
        if parentheses > 0, selections > 0, last == ":", let name {
          let value = scanner.text(in: scanner.range)
          if ["\"", "$", "null"].contains(token) || Int(token) != nil {
            lists[lists.count - 1].append(
              Argument(name: name, value: value, range: scanner.range))
          }
        }
      }
      last = token
    }
    return lists.filter { !$0.isEmpty }
  }

  /// The document with other values of arguments.
  ///
  /// - Parameter variables: The variables that these values use, as its operation declares them.
  /// - Returns: Nil if it does not begin with a query.
  package func replacing(
    _ values: [(argument: Argument, text: String)], declaring variables: String
  ) -> GraphQLDocument? {
    var scanner = GraphQLScanner(text)
    var place = 0
    var declaration = "query(\(variables)) "
    if let first = scanner.next(), first != "{" {
      guard first == "query", var token = scanner.next() else { return nil }
      if !["(", "{", "@"].contains(token) {
        place = scanner.range.upperBound
        token = scanner.next() ?? ""
      } else {
        place = scanner.range.lowerBound
      }
      declaration = token == "(" ? "\(variables), " : "(\(variables))"
      if token == "(" { place = scanner.range.upperBound }
    }
    var bytes = Array(text.utf8)
    let changes =
      values.map { (range: $0.argument.range, text: $0.text) } + [(range: place..<place, text: declaration)]
    for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(change.range, with: change.text.utf8)
    }
    return GraphQLDocument(String(decoding: bytes, as: UTF8.self))
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
  /// Where the last token is.
  private(set) var range = 0..<0
  private let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
    rest = bytes[...]
  }

  func text(in range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func next() -> String? {
    skipIgnored()
    let start = rest.startIndex
    defer { range = start..<rest.startIndex }
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
