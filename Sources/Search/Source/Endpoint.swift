package import HTTPValues
package import JSON

/// The request of a source (`[request]`): values are inserted into a template, never concatenated.
package struct Endpoint: Sendable, Hashable {
  /// A parameter or header, in document order. Several parameters may have the same name.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: Template

    package init(name: String, value: Template) {
      self.name = name
      self.value = value
    }
  }

  /// Parts of the request that are added if the query or an option is not empty (`[request.when.NAME]`).
  package struct Addition: Sendable, Hashable {
    /// `query`, or the name of an option.
    package var name: String
    package var parameters: [Field] = []
    package var headers: [Field] = []
    package var body: RequestBody?

    package init(name: String) { self.name = name }
  }

  package var method: HTTPMethod
  package var url: Template
  package var parameters: [Field]
  package var headers: [Field]
  package var body: RequestBody?
  package var additions: [Addition]
  /// Whether the request only reads, so that it may be retried and prefetched.
  package var isSafe: Bool
  /// The time limit of the whole exchange, headers and body; nil for the limit in the settings.
  package var timeout: Duration?

  /// - Parameter isSafe: If nil, every method except POST is safe.
  package init(
    method: HTTPMethod = .get, url: Template, parameters: [Field] = [], headers: [Field] = [],
    body: RequestBody? = nil, additions: [Addition] = [], isSafe: Bool? = nil, timeout: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.parameters = parameters
    self.headers = headers
    self.body = body
    self.additions = additions
    self.isSafe = isSafe ?? (method != .post)
    self.timeout = timeout
  }

  /// The request for these values: includes the additions that apply, which replace fields with the same
  /// names.
  func applying(_ values: PlaceholderValues) -> Endpoint {
    var result = self
    for addition in additions where values(addition.name)?.isEmpty == false {
      result.parameters.replace(with: addition.parameters) { $0 == $1 }
      result.headers.replace(with: addition.headers) { $0.lowercased() == $1.lowercased() }
      if let body = addition.body { result.body = (result.body ?? .empty).overlaid(by: body) }
    }
    return result
  }
}

extension Endpoint {
  /// All texts with placeholders, including those of the additions.
  var templates: [Template] {
    let fields = parameters + headers + additions.flatMap { $0.parameters + $0.headers }
    let bodies = [body] + additions.map(\.body)
    return [url] + fields.map(\.value) + bodies.flatMap { $0?.templates ?? [] }
  }
}

extension [Endpoint.Field] {
  fileprivate mutating func replace(with others: Self, sameName: (String, String) -> Bool) {
    removeAll { field in others.contains { sameName($0.name, field.name) } }
    self += others
  }
}

/// The JSON body of a request (`[request.body]`). Values are inserted, never concatenated, so that input
/// cannot break out of its string.
package indirect enum RequestBody: Sendable, Hashable {
  /// A value that is sent unchanged.
  case token(JSONToken)
  case text(Template)
  case list([RequestBody])
  case table([Member])

  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: RequestBody

    package init(name: String, value: RequestBody) {
      self.name = name
      self.value = value
    }
  }

  package static let empty = RequestBody.table([])

  /// The maximum number of members on the path to a value, so that recursion is bounded.
  static let deepest = 64

  /// The body merged with another: tables are merged member by member, anything else is replaced. Recursion
  /// is bounded by the depth of a document.
  func overlaid(by other: RequestBody) -> RequestBody {
    guard case .table(var members) = self, case .table(let others) = other else { return other }
    for member in others {
      if let index = members.firstIndex(where: { $0.name == member.name }) {
        members[index].value = members[index].value.overlaid(by: member.value)
      } else {
        members.append(member)
      }
    }
    return .table(members)
  }

  /// The body with a value set at a path; creates the tables on the way.
  ///
  /// - Parameter path: Member names from the root, at most `deepest`.
  func setting(_ value: JSONToken, at path: some Collection<String>) -> RequestBody {
    guard let name = path.first else { return .token(value) }
    var members: [Member] = if case .table(let members) = self { members } else { [] }
    let index = members.firstIndex { $0.name == name } ?? members.endIndex
    if index == members.endIndex { members.append(Member(name: name, value: .empty)) }
    members[index].value = members[index].value.setting(value, at: path.dropFirst())
    return .table(members)
  }
}

extension RequestBody {
  /// The texts with placeholders. Recursion is bounded by the depth of a document.
  var templates: [Template] {
    switch self {
    case .token: []
    case .text(let template): [template]
    case .list(let elements): elements.flatMap(\.templates)
    case .table(let members): members.flatMap(\.value.templates)
    }
  }

  /// The body as JSON; nil if all of it was dropped.
  ///
  /// An empty `{x?}` drops its member or element, and a table or list that becomes empty is dropped too. A
  /// text that consists of a single placeholder keeps the type of its value.
  func json(_ values: PlaceholderValues) -> String? {
    switch self {
    case .token(let token): return token.json
    case .text(let template):
      if let only = template.onlyPlaceholder, only.filter == nil,
        let token = values.token(only.name), token.text?.isEmpty != true
      {
        return token.json
      }
      return template.filled(values.callAsFunction).map(JSONText.quoted)
    case .list(let elements):
      let texts = elements.compactMap { $0.json(values) }
      return texts.isEmpty && !elements.isEmpty ? nil : "[\(texts.joined(separator: ","))]"
    case .table(let members):
      let texts = members.compactMap { member in
        member.value.json(values).map { "\(JSONText.quoted(member.name)):\($0)" }
      }
      return texts.isEmpty && !members.isEmpty ? nil : "{\(texts.joined(separator: ","))}"
    }
  }
}

/// The properties of a GraphQL document that determine how it is sent (October 2021 edition, section 2).
package struct GraphQLDocument: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Whether one of its operations is a `mutation`.
  package var isMutation: Bool { definitionWords.contains("mutation") }

  /// Whether a text is GraphQL: it consists of definitions with balanced brackets. A text that could also be
  /// JSON or a template, such as `{ a }`, counts only if it has several lines or a nested selection.
  package var isLikely: Bool {
    var scanner = GraphQLScanner(text)
    let tokens = scanner.tokens()
    let depths = tokens.reduce(into: [0]) { depths, token in
      depths.append(depths[depths.count - 1] + ("{([".contains(token) ? 1 : "})]".contains(token) ? -1 : 0))
    }
    guard tokens.contains("{"), depths.last == 0, depths.allSatisfy({ $0 >= 0 }), tokens.last == "}",
      let first = tokens.first
    else { return false }
    if Self.keywords.contains(first) { return true }
    guard first == "{", let second = tokens.dropFirst().first, second != "\"", second != "}" else {
      return false
    }
    return text.utf8.contains(UInt8(ascii: "\n")) || tokens.count { $0 == "{" } > 1
  }

  private static let keywords: Set = ["query", "mutation", "subscription", "fragment"]

  /// The first word of each definition; `{` for an anonymous query. Skips the contents of brackets, strings,
  /// and comments.
  private var definitionWords: [String] {
    var words: [String] = []
    var scanner = GraphQLScanner(text)
    var depth = 0
    var isAtStart = true
    while let token = scanner.next() {
      if depth == 0, isAtStart { words.append(token) }
      if "{([".contains(token) { depth += 1 }
      if "})]".contains(token) { depth -= 1 }
      isAtStart = depth == 0 && token == "}"
    }
    return words
  }
}

/// The names and punctuators of a GraphQL document; a string is a single `"` token.
private struct GraphQLScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  /// All remaining tokens.
  mutating func tokens() -> [String] {
    var tokens: [String] = []
    while let token = next() { tokens.append(token) }
    return tokens
  }

  mutating func next() -> String? {
    skipIgnored()
    if rest.starts(with: #"""""#.utf8) { return blockString() }
    guard let byte = rest.first else { return nil }
    if byte == UInt8(ascii: "\"") { return string() }
    let name = rest.prefix(while: Self.isNameByte)
    let token = name.isEmpty ? rest.prefix(1) : name
    rest = rest[token.endIndex...]
    return String(decoding: token, as: UTF8.self)
  }

  /// Blanks, line ends, commas and comments mean nothing.
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

  private mutating func string() -> String {
    rest.removeFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
    }
    return "\""
  }

  private mutating func blockString() -> String {
    rest = rest.dropFirst(3)
    while !rest.isEmpty, !rest.starts(with: #"""""#.utf8) {
      rest = rest.starts(with: #"\""""#.utf8) ? rest.dropFirst(4) : rest.dropFirst()
    }
    rest = rest.dropFirst(3)
    return "\""
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}
