import Config
import Detection
import HTTPValues
import JSON
import Search
import Text

/// The values of `--param` and `--request-header`, which override the source's in every request of a run.
struct RequestAdditions: Sendable {
  private var parameters: [Endpoint.Field] = []
  private var headers: [Endpoint.Field] = []
  /// Values that must not be displayed, by placeholder name.
  private(set) var secrets: [String: ResolvedCredentials.Finding] = [:]
  /// The same values as shell words that read the variables they were given as. Literal values stay hidden.
  private(set) var shellWords: [String: ShellWord] = [:]

  /// - Throws: If a header is malformed, or names an environment variable that is not set.
  init(_ options: RequestOptions, environment: [String: String]) throws(CommandError) {
    for pair in options.param {
      let isSecret = SecretName.isLikely(parameter: pair.name)
      let value = try template(pair.value, isSecret ? "--param \(pair.name)" : nil)
      parameters.append(Endpoint.Field(name: pair.name, value: value))
    }
    for text in options.requestHeader { headers.append(try header(text, environment)) }
  }

  /// The source with the additions applied.
  ///
  /// - Throws: If the pagination writes to the same parameter or header, so that an addition would never be
  ///   sent.
  func applied(to original: Source) throws(CommandError) -> Source {
    for (option, name, slot) in parameters.map({ ("--param", $0.name, Slot.query($0.name)) })
      + headers.map({ ("--request-header", $0.name, Slot.header($0.name)) })
    {
      guard let ownership = original.ownership(of: slot) else { continue }
      throw CommandError("cannot set \(option) \(JSONText.quoted(name)): \(ownership)", .usage)
    }
    var source = original
    let own = Set(headers.map { $0.name.lowercased() })
    source.endpoint.parameters.removeAll { field in parameters.contains { $0.name == field.name } }
    source.endpoint.parameters += parameters
    source.endpoint.linkParameters = parameters
    source.endpoint.headers.removeAll { own.contains($0.name.lowercased()) }
    source.endpoint.headers += headers
    switch source.authorization?.place {
    case .header(let name)? where own.contains(name.lowercased()): source.authorization = nil
    case .query(let name)? where parameters.contains { $0.name == name }: source.authorization = nil
    case .header?, .query?, .member?, .field?, nil: break
    }
    return source
  }

  /// Parses `Name: value`; `$NAME` in the value is read from the environment and treated as a secret.
  private mutating func header(
    _ text: String, _ environment: [String: String]
  ) throws(CommandError) -> Endpoint.Field {
    let written = try Named(header: text)
    let name = written.name
    var (value, word) = ("", ShellWord(""))
    for piece in written.value.pieces {
      switch piece {
      case .text(let text):
        value += text
        word = word + ShellWord(text)
      case .variable(let name):
        guard let found = environment[name], !found.isEmpty else {
          throw CommandError("--request-header: environment variable \(name) is not set", .usage)
        }
        value += found
        word = word + .variable(name)
      }
    }
    let variables = written.value.variables
    if let problem = HeaderCheck.problem(name: name, value: value) {
      throw CommandError("--request-header \(JSONText.quoted(name)): \(problem)", .usage)
    }
    let isLiteral = variables.isEmpty
    let provenance =
      isLiteral ? "--request-header \(name)" : variables.map { "env:\($0)" }.joined(separator: ", ")
    let isSecret = !isLiteral || SecretName.isLikely(header: name)
    let template = try template(value, isSecret ? provenance : nil, isLiteral ? nil : word)
    return Endpoint.Field(name: name, value: template)
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
      secrets[name] = ResolvedCredentials.Finding(secret: Secret(text), provenance: provenance)
      shellWords[name] = word ?? .variable("SECRET")
      pattern = "{secret:\(name)}"
    }
    do { return try Template(pattern) } catch { throw CommandError("\(error)", .usage) }
  }
}

extension Source {
  /// Why the command line cannot set a slot that the pagination writes: what the pagination puts there, and
  /// which option sets it; nil if the slot is free.
  func ownership(of slot: Slot) -> String? {
    if pagination.style.slots.contains(where: { isSame(slot, $0) })
      || places(pagination.placeholders, in: slot)
    {
      let advice = pagination.style.numbering == nil ? "" : ". Use --from-page to start at another page"
      return "source \(id) sets it for each page\(advice)"
    }
    if isSame(slot, pagination.settings.size.slot) || places(["page_size"], in: slot) {
      return "it is the page size. Use --page-size"
    }
    let isCarried = pagination.style.carriedSlots.contains { isSame(slot, $0) }
    return isCarried ? "source \(id) takes it from the previous page" : nil
  }

  private func places(_ names: [String], in slot: Slot) -> Bool {
    func has(_ field: Endpoint.Field) -> Bool { field.value.names.contains(where: names.contains) }
    return endpoint.parameters.contains { isSame(slot, .query($0.name)) && has($0) }
      || endpoint.headers.contains { isSame(slot, .header($0.name)) && has($0) }
  }

  /// Header names are case-insensitive (RFC 9110, section 5.1).
  private func isSame(_ slot: Slot, _ other: Slot?) -> Bool {
    if case .header(let name) = slot, case .header(let other)? = other {
      return name.lowercased() == other.lowercased()
    }
    return slot == other
  }
}

extension Named<WrittenText> {
  /// Parses a header as typed, `Name: value`, in which `$NAME` is a variable.
  init(header text: String) throws(CommandError) {
    guard let colon = text.firstIndex(of: ":") else {
      throw CommandError("--request-header \(JSONText.quoted(text)): expected 'Name: value'", .usage)
    }
    let value = text[text.index(after: colon)...].drop { $0 == " " }
    self.init(name: String(text[..<colon]), value: WrittenText(expanding: String(value)))
  }
}
