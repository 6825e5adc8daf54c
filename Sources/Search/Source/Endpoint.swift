package import HTTPValues
package import JSON
import Text

/// A part of a request with its name, in document order.
package struct Named<Value: Sendable & Hashable>: Sendable, Hashable {
  package var name: String
  package var value: Value

  package init(name: String, value: Value) {
    self.name = name
    self.value = value
  }
}

/// The request of a source (`[request]`): values are inserted into a template, never concatenated.
package struct Endpoint: Sendable, Hashable {
  /// A parameter or header. Several parameters may have the same name.
  package typealias Field = Named<Template>

  /// Parts of the request that are added if the query or an option is not empty (`[request.when.NAME]`).
  package struct Addition: Sendable, Hashable {
    /// `query`, or the name of an option.
    package var name: String
    package var parameters: [Field] = []
    package var headers: [Field] = []
    package var body: RequestBody?

    package init(name: String) { self.name = name }
  }

  package enum BodyType: String, Sendable, CaseIterable {
    case json
    /// `application/x-www-form-urlencoded`, as the WHATWG URL standard writes it.
    case form

    package var contentType: String {
      switch self {
      case .json: "application/json"
      case .form: "application/x-www-form-urlencoded"
      }
    }

    /// The name under which a field of a table is sent.
    ///
    /// - Parameter table: The name of the table; empty for the body itself.
    func name(of member: String, in table: String) -> String {
      self == .json || table.isEmpty ? member : "\(table)[\(member)]"
    }

    /// The place of a credential in a field with this name.
    func place(of name: String) -> PlacedCredential.Place {
      switch self {
      case .json: .member(name)
      case .form: .field(name)
      }
    }
  }

  package var method: HTTPMethod
  package var url: Template
  package var parameters: [Field]
  /// The parameters that riffle also adds to links of the service, because the user adds them to every request.
  package var linkParameters: [Field] = []
  package var headers: [Field]
  package var body: RequestBody?
  package var bodyType = BodyType.json
  package var additions: [Addition]
  /// Whether the request only reads, so that it may be retried and prefetched.
  package var isSafe: Bool
  /// The time limit of the whole exchange, headers and body; nil for the limit in the settings.
  package var timeout: Duration?
  /// The table of the source that describes the request, for messages.
  var table = "request"

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

  /// The request for these values, with the additions that apply. They replace fields with the same names.
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
  /// All strings with placeholders, including those of the additions.
  package var templates: [Template] {
    let fields = parameters + headers + additions.flatMap { $0.parameters + $0.headers }
    let bodies = [body] + additions.map(\.body)
    return [url] + (fields + bodies.flatMap { $0?.fields(bodyType) ?? [] }).map(\.value)
  }
}

extension [Endpoint.Field] {
  fileprivate mutating func replace(with others: Self, sameName: (String, String) -> Bool) {
    removeAll { field in others.contains { sameName($0.name, field.name) } }
    self += others
  }
}

/// The body of a request (`[request.body]`), sent as JSON or as a form. Inserted values cannot break out of their
/// strings.
package indirect enum RequestBody: Sendable, Hashable {
  /// A value that is sent unchanged.
  case token(JSONToken)
  case text(Template)
  case list([RequestBody])
  case table([Member])

  package typealias Member = Named<RequestBody>

  package static let empty = RequestBody.table([])

  /// The maximum number of fields on the path to a value, so that recursion is bounded.
  static let deepest = 64

  /// Merges tables by field and replaces anything else. Recursion is bounded by the depth of a document.
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

  /// The body with a value set at a path; creates the tables on the path.
  ///
  /// - Parameter path: Field names from the root, at most `deepest`.
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
  /// The strings with placeholders, each with the name of the field that it is sent as. Recursion is bounded by the
  /// depth of a document.
  func fields(_ type: Endpoint.BodyType, named name: String = "") -> [Endpoint.Field] {
    switch self {
    case .token: []
    case .text(let template): [Endpoint.Field(name: name, value: template)]
    case .list(let elements): elements.flatMap { $0.fields(type, named: name) }
    case .table(let members):
      members.flatMap { $0.value.fields(type, named: type.name(of: $0.name, in: name)) }
    }
  }

  /// The body as it is sent; empty if all of it was dropped.
  func text(_ type: Endpoint.BodyType, _ values: PlaceholderValues) -> String {
    switch type {
    case .json: json(values) ?? "{}"
    case .form: form(values)
    }
  }

  /// The body as JSON; nil if all of it was dropped.
  ///
  /// An empty `{x?}` or a missing secret drops its field or element, and a table or list that becomes empty is also
  /// dropped. A string that consists of a single placeholder keeps the type of its value.
  func json(_ values: PlaceholderValues) -> String? {
    switch self {
    case .token(let token): return token.json
    case .text(let template):
      let only = template.onlyPlaceholder.flatMap { $0.filter == nil ? values.token($0.name) : nil }
      if let only, only.text?.isEmpty != true { return only.json }
      return values.text(of: template).map(JSONText.quoted)
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

extension RequestBody {
  /// The body as a form: `a=1&b=x+y`. A field of a table is named `table[field]`; the values of a list have the same
  /// name. An empty `{x?}` or a missing secret drops its field. Recursion is bounded by the depth of a document.
  func form(_ values: PlaceholderValues) -> String {
    items(named: "", values)
      .map { "\(PercentEncoding.encodedForm($0.name))=\(PercentEncoding.encodedForm($0.value))" }
      .joined(separator: "&")
  }

  private func items(named name: String, _ values: PlaceholderValues) -> [(name: String, value: String)] {
    switch self {
    case .token(let token): [(name, token.text ?? token.json)]
    case .text(let template): values.text(of: template).map { [(name, $0)] } ?? []
    case .list(let elements): elements.flatMap { $0.items(named: name, values) }
    case .table(let members):
      members.flatMap { member in
        member.value.items(named: Endpoint.BodyType.form.name(of: member.name, in: name), values)
      }
    }
  }
}

/// A string with placeholders, as in `url`, `params`, `headers`, and `body` of a source: `{NAME}`, `{NAME?}` (drops the
/// whole string if the value is empty), `{+NAME}` (keeps `/` in a path), `{NAME|FILTER}`. `{{` and `}}` are literal
/// braces.
package struct Template: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case literal(String)
    case placeholder(Placeholder)
  }

  package struct Placeholder: Sendable, Hashable {
    /// Letters, digits, `-`, and `_`, optionally preceded by `secret:`.
    package var name: String
    package var isOptional: Bool
    package var keepsSlashes: Bool
    package var filter: PlaceholderFilter?

    /// The name in `[secrets.NAME]` that it refers to; nil if it is not a secret.
    package var secretName: String? { name.hasPrefix("secret:") ? String(name.dropFirst(7)) : nil }
  }

  /// As written.
  package let text: String
  package let pieces: [Piece]

  package init(_ text: String) throws(TemplateError) {
    self.text = text
    pieces = try TemplateParser.pieces(of: text)
  }

  /// Creates a template from a string of a request body, whose braces may belong to another language: JSON, GraphQL, a
  /// query language.
  ///
  /// A string that `init(_:)` accepts is that template. In any other string, `{NAME}` in the form of a placeholder is a
  /// placeholder, `{{NAME}}` is the literal `{NAME}`, and every other brace is literal. In a GraphQL document, `{name}`
  /// selects a field, except between parentheses or quotes, where a selection is not possible.
  ///
  /// - Throws: For a placeholder with an unknown filter.
  package init(body text: String, isGraphQL: Bool = false) throws(TemplateError) {
    self.text = text
    if !isGraphQL, let pieces = try? TemplateParser.pieces(of: text) {
      self.pieces = pieces
    } else {
      self.pieces = try TemplateParser.pieces(ofBody: text, isGraphQL: isGraphQL)
    }
  }

  package var placeholders: [Placeholder] {
    pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
  }

  package var names: [String] { placeholders.map(\.name) }

  /// The placeholder that is the whole text, so that its value can keep its type.
  package var onlyPlaceholder: Placeholder? { pieces.count == 1 ? placeholders.first : nil }

  package var hasSecrets: Bool { placeholders.contains { $0.secretName != nil } }

  /// The text with its values inserted; nil if an optional value is missing or empty.
  ///
  /// - Parameters:
  ///   - value: Returns the value for a name; nil counts as empty.
  ///   - encode: Encodes a value for its place, after the filter.
  package func filled(
    _ value: (String) -> String?, encode: (String, Placeholder) -> String = { text, _ in text }
  ) -> String? {
    var result = ""
    for piece in pieces {
      switch piece {
      case .literal(let literal): result += literal
      case .placeholder(let placeholder):
        let text = value(placeholder.name) ?? ""
        if text.isEmpty && placeholder.isOptional { return nil }
        result += encode(placeholder.filter?.applied(to: text) ?? text, placeholder)
      }
    }
    return result
  }
}

/// The conversion of a value: escaping for the language of the surrounding text (`{query|sql}`), or a time format
/// (`{today-30d|epoch}`).
package enum PlaceholderFilter: String, Sendable, Hashable, CaseIterable {
  /// For a quoted string in SQL or OData: every `'` is doubled.
  case sql
  /// For a JSON string: escapes the characters that RFC 8259 requires.
  case json
  /// The day of a time, in UTC: `2026-11-23`.
  case date
  /// A time to the second, in UTC: `2026-11-23T04:05:06Z`.
  case iso8601
  /// A time in seconds since 1970.
  case epoch
  /// A time in milliseconds since 1970.
  case epochMilliseconds = "epoch_ms"

  /// Applies the filter. The filters for times return a string that is not a time unchanged.
  package func applied(to text: String) -> String {
    switch self {
    case .sql: text.replacing("'", with: "''")
    case .json: JSONText.escaped(text)
    case .date: time(text) { $0.date(in: .utc) }
    case .iso8601: time(text, \.rfc3339)
    case .epoch: time(text) { "\($0.epochSeconds)" }
    case .epochMilliseconds: time(text) { "\($0.epochSeconds * 1_000 + Int64($0.nanoseconds / 1_000_000))" }
    }
  }

  private func time(_ text: String, _ form: (Timestamp) -> String) -> String {
    Timestamp(iso8601: text).map(form) ?? text
  }
}

/// A brace that does not begin a valid placeholder.
package struct TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package let problem: String

  package var description: String { "\(problem) in \"\(text)\". Write {{ or }} for a literal brace" }
}

/// Splits texts into the pieces of a template.
enum TemplateParser {
  static func pieces(of text: String) throws(TemplateError) -> [Template.Piece] {
    let parts: [BracedPart]
    do { parts = try BracedPart.parts(of: text) } catch {
      throw TemplateError(text: text, problem: error.problem)
    }
    return try parts.map { part throws(TemplateError) in
      switch part {
      case .literal(let literal): .literal(literal)
      case .braced(let inner): .placeholder(try placeholder(inner, in: text))
      }
    }
  }

  /// Parses a text that is not a template, as described for `Template.init(body:isGraphQL:)`.
  static func pieces(ofBody text: String, isGraphQL: Bool) throws(TemplateError) -> [Template.Piece] {
    var pieces: [Template.Piece] = []
    var literal = String.UnicodeScalarView()
    var place = GraphQLPlace()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "{", !isGraphQL || place.takesValues, let (inner, end) = braced(rest) {
        if !literal.isEmpty { pieces.append(.literal(String(literal))) }
        literal.removeAll()
        pieces.append(.placeholder(try placeholder(inner, in: text)))
        rest = rest[end...]
      } else if scalar == "{", !isGraphQL, let (inner, end) = braced(rest.dropFirst()),
        rest[end...].first == "}"
      {
        literal.append(contentsOf: "{\(inner)}".unicodeScalars)
        rest = rest[end...].dropFirst()
      } else {
        place.pass(scalar)
        literal.append(scalar)
        rest.removeFirst()
      }
    }
    if !literal.isEmpty { pieces.append(.literal(String(literal))) }
    return pieces
  }

  /// The text between the braces at the beginning, and the index after them; nil if it is no placeholder.
  private static func braced(_ text: Substring.UnicodeScalarView) -> (inner: String, end: String.Index)? {
    guard text.first == "{", let close = text.firstIndex(of: "}") else { return nil }
    let inner = String(text[..<close].dropFirst())
    return parts(of: inner) == nil ? nil : (inner, text.index(after: close))
  }

  /// `"+"? NAME "?"? ("|" WORD)?`
  private static func parts(
    of inner: String
  ) -> (name: Substring, isOptional: Bool, keepsSlashes: Bool, filter: Substring?)? {
    let parts = inner.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    var name = parts[0]
    let keepsSlashes = name.first == "+"
    if keepsSlashes { name.removeFirst() }
    let isOptional = name.last == "?"
    if isOptional { name.removeLast() }
    guard isName(name.hasPrefix("secret:") ? name.dropFirst(7) : name) else { return nil }
    return (name, isOptional, keepsSlashes, parts.dropFirst().first)
  }

  private static func placeholder(
    _ inner: String, in text: String
  ) throws(TemplateError) -> Template.Placeholder {
    guard let parts = parts(of: inner) else {
      throw TemplateError(text: text, problem: "invalid placeholder {\(inner)}")
    }
    return Template.Placeholder(
      name: String(parts.name), isOptional: parts.isOptional, keepsSlashes: parts.keepsSlashes,
      filter: try parts.filter.map { word throws(TemplateError) in try filter(word, in: text) })
  }

  private static func filter(_ word: Substring, in text: String) throws(TemplateError) -> PlaceholderFilter {
    if let filter = PlaceholderFilter(rawValue: String(word)) { return filter }
    let names = PlaceholderFilter.allCases.map(\.rawValue).joined(separator: ", ")
    throw TemplateError(text: text, problem: "unknown filter \"\(word)\" (available: \(names))")
  }

  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && !".~".utf8.contains($0) }
  }
}

/// The part of a URL that contains a placeholder, which determines the allowed values.
package enum AddressPart: Sendable, Hashable {
  /// At the start: scheme, host, and optionally a path.
  case base
  /// Before `//`: only a base URL may provide the scheme.
  case scheme
  /// The host and its port.
  case host
  case path
  case query
}

extension Template {
  /// The placeholders of a URL, each with its part. Split by bytes, as a combining mark may follow a `/`.
  package var addressPlaceholders: [(placeholder: Placeholder, part: AddressPart)] {
    var result: [(placeholder: Placeholder, part: AddressPart)] = []
    var part = AddressPart.scheme
    var previous: UInt8?
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .placeholder(let placeholder):
        result.append((placeholder, index == 0 ? .base : part))
        if index == 0 { part = .host }
      case .literal(let text):
        for byte in text.utf8 {
          part = part.after(byte, previous)
          previous = byte
        }
      }
    }
    return result
  }

  /// The name of the option that provides scheme and host.
  package var baseName: String? {
    if case .placeholder(let placeholder)? = pieces.first { placeholder.name } else { nil }
  }
}

extension AddressPart {
  fileprivate func after(_ byte: UInt8, _ previous: UInt8?) -> AddressPart {
    let slash = UInt8(ascii: "/")
    return switch (self, byte) {
    case (.scheme, slash) where previous == slash: .host
    case (.host, slash): .path
    case (.host, UInt8(ascii: "?")), (.path, UInt8(ascii: "?")): .query
    default: self
    }
  }
}
