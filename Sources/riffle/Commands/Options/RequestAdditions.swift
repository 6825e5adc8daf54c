import Config
import Search

/// The values of `--param` and `--request-header`, which override the source's in every request of a run.
struct RequestAdditions: Sendable {
  private var parameters: [Endpoint.Field] = []
  private var headers: [Endpoint.Field] = []
  /// Values that must not be displayed, by placeholder name.
  private(set) var secrets: [String: Credentials.Finding] = [:]
  /// The same values as shell words that read the environment variables they were given as. Literal values
  /// stay hidden.
  private(set) var shellWords: [String: ShellWord] = [:]

  /// - Throws: If a header is malformed, or names an environment variable that is not set.
  init(_ options: RequestOptions, environment: [String: String]) throws(CommandError) {
    for pair in options.param {
      let isSecret = LiteralSecret.isLikely(parameter: pair.name)
      let value = try template(pair.value, isSecret ? "--param \(pair.name)" : nil)
      parameters.append(Endpoint.Field(name: pair.name, value: value))
    }
    for text in options.requestHeader { headers.append(try header(text, environment)) }
  }

  /// The source with the additions applied.
  ///
  /// - Throws: If the pagination writes to the same parameter or header, so that an addition would never be
  ///   sent.
  func applied(to source: Source) throws(CommandError) -> Source {
    for (option, name, slot) in parameters.map({ ("--param", $0.name, Slot.query($0.name)) })
      + headers.map({ ("--request-header", $0.name, Slot.header($0.name)) })
    {
      guard let ownership = source.ownership(of: slot) else { continue }
      throw CommandError("cannot set \(option) \(JSONText.quoted(name)): \(ownership)", .usage)
    }
    return adding(to: source)
  }

  private func adding(to source: Source) -> Source {
    var source = source
    let own = Set(headers.map { $0.name.lowercased() })
    source.endpoint.parameters.removeAll { field in parameters.contains { $0.name == field.name } }
    source.endpoint.parameters += parameters
    source.endpoint.headers.removeAll { own.contains($0.name.lowercased()) }
    source.endpoint.headers += headers
    switch source.authorization?.scheme {
    case .header(let name, _)? where own.contains(name.lowercased()): source.authorization = nil
    case .basic? where own.contains("authorization"): source.authorization = nil
    case .query(let name)? where parameters.contains { $0.name == name }: source.authorization = nil
    case .header?, .basic?, .query?, nil: break
    }
    return source
  }

  /// Parses `Name: value`; `$NAME` in the value is read from the environment and treated as a secret.
  private mutating func header(
    _ text: String, _ environment: [String: String]
  ) throws(CommandError) -> Endpoint.Field {
    guard let colon = text.firstIndex(of: ":") else {
      throw CommandError("--request-header \(JSONText.quoted(text)): expected 'Name: value'", .usage)
    }
    let name = String(text[..<colon])
    let written = String(text[text.index(after: colon)...].drop { $0 == " " })
    let pieces = Self.pieces(of: written)
    let value = try pieces.map { piece throws(CommandError) in try piece.value(environment) }.joined()
    if let problem = HeaderCheck.problem(name: name, value: value) {
      throw CommandError("--request-header \(JSONText.quoted(name)): \(problem)", .usage)
    }
    let variables = pieces.compactMap(\.variable)
    let isSecret = !variables.isEmpty || LiteralSecret.isLikely(header: name)
    let provenance =
      variables.isEmpty
      ? "--request-header \(name)" : variables.map { "env:\($0)" }.joined(separator: ", ")
    return Endpoint.Field(
      name: name,
      value: try template(
        value, isSecret ? provenance : nil,
        variables.isEmpty ? nil : pieces.map(\.shellWord).reduce(ShellWord(""), +)))
  }

  /// A template for the text; with a provenance, the text becomes a secret.
  ///
  /// - Parameter word: The shell word that reads the secret; nil if the value is literal, in which case an
  ///   environment variable stands in for it.
  private mutating func template(
    _ text: String, _ provenance: String?, _ word: ShellWord? = nil
  ) throws(CommandError) -> Template {
    var pattern = text.replacing("{", with: "{{").replacing("}", with: "}}")
    if let provenance {
      let name = "command-line-\(secrets.count)"
      secrets[name] = Credentials.Finding(secret: Secret(text), provenance: provenance)
      shellWords[name] = word ?? .variable("SECRET")
      pattern = "{secret:\(name)}"
    }
    do { return try Template(pattern) } catch { throw CommandError("\(error)", .usage) }
  }

  /// Splits the text at its variables (`$NAME`); any other `$` is literal.
  private static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Substring(text)
    while let dollar = rest.firstIndex(of: "$") {
      let name = rest[rest.index(after: dollar)...].prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
      }
      let end = name.isEmpty ? rest.index(after: dollar) : dollar
      if end > rest.startIndex { pieces.append(.text(String(rest[..<end]))) }
      if !name.isEmpty { pieces.append(.variable(String(name))) }
      rest = rest[rest.index(after: dollar)...].dropFirst(name.count)
    }
    return pieces + (rest.isEmpty ? [] : [.text(String(rest))])
  }

  private enum Piece {
    case text(String)
    case variable(String)

    var variable: String? { if case .variable(let name) = self { name } else { nil } }

    var shellWord: ShellWord {
      switch self {
      case .text(let text): ShellWord(text)
      case .variable(let name): .variable(name)
      }
    }

    func value(_ environment: [String: String]) throws(CommandError) -> String {
      switch self {
      case .text(let text): return text
      case .variable(let name):
        guard let value = environment[name], !value.isEmpty else {
          throw CommandError("--request-header: environment variable \(name) is not set", .usage)
        }
        return value
      }
    }
  }
}
