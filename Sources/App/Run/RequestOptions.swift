package import Config
import HTTPValues
import JSON
import Search
import Text

/// What affects the request, shared by all commands that request a source.
package struct RequestOptions: Sendable {
  /// A name, an alias, or the path of a file.
  package var source: String?
  package var words: [String] = []
  package var set: [NameValue] = []
  package var param: [NameValue] = []
  package var requestHeader: [String] = []
  package var pageSize: Int?
  package var concurrency: Int?
  package var maxWait: String?
  package var timeout: String?
  package var retries: Int?
  package var config: String?
  package var record: String?
  package var trust = false
  package var insecure = false
  package var color: ColorChoice?
  package var quiet = false

  package init() {}

  static let insecureWarning =
    "--insecure: certificates are not checked. Others can read and change the traffic"
}

/// A `name=value` argument.
package struct NameValue: Sendable {
  let name: String
  let value: String

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }
}

extension RequestOptions {
  /// The options that correspond to settings, as the topmost settings layer.
  var settingValues: [String: SettingValue] {
    var values: [String: SettingValue] = [:]
    values["search.page_size"] = pageSize.map(SettingValue.integer)
    values["search.concurrency"] = concurrency.map(SettingValue.integer)
    values["search.retries"] = retries.map(SettingValue.integer)
    values["search.max_wait"] = maxWait.map(SettingValue.text)
    values["search.timeout"] = timeout.map(SettingValue.text)
    values["output.color"] = color.map { .text($0.rawValue) }
    return values
  }

  func query(for source: Source) throws(CommandError) -> Query {
    var options: [String: String] = [:]
    for pair in set {
      guard source.options.contains(where: { $0.name == pair.name }) else {
        throw CommandError(unknownOption(pair.name, of: source), .usage)
      }
      options[pair.name] = pair.value
    }
    do throws(OptionError) { _ = try source.optionValues(options) } catch {
      throw CommandError("\(error)", .usage)
    }
    let text = words.joined(separator: " ")
    if !source.usesQuery, text.contains(where: { $0 != " " }) {
      throw CommandError(
        "source \(source.id) takes no query: its request has no {query}. Omit the query; filter rows with --filter, "
          + "or with & in the pager", .usage)
    }
    if let limit = source.input.maxLength, text.count > limit {
      throw CommandError(
        "the query is too long: source \(source.id) accepts at most \(limit) characters", .usage)
    }
    return Query(text, options: options)
  }

  private func unknownOption(_ name: String, of source: Source) -> String {
    let names = source.options.map(\.name)
    let advice =
      NearestName.question(name, among: names)
      ?? (names.isEmpty ? "It has no options" : "Its options are: \(names.joined(separator: ", "))")
    return "unknown option \"\(name)\" of source \(source.id). \(advice)"
  }
}

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
    switch source.authorization?.place {
    case .header(let name)? where own.contains(name.lowercased()): source.authorization = nil
    case .query(let name)? where parameters.contains { $0.name == name }: source.authorization = nil
    case .header?, .query?, nil: break
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
    var (value, word, variables) = ("", ShellWord(""), [String]())
    var end = written.startIndex
    for match in written.matches(of: /\$([A-Za-z0-9_]+)/) {
      let (text, name) = (String(written[end..<match.range.lowerBound]), String(match.1))
      guard let found = environment[name], !found.isEmpty else {
        throw CommandError("--request-header: environment variable \(name) is not set", .usage)
      }
      value += text + found
      word = word + ShellWord(text) + .variable(name)
      variables.append(name)
      end = match.range.upperBound
    }
    value += written[end...]
    word = word + ShellWord(String(written[end...]))
    if let problem = HeaderCheck.problem(name: name, value: value) {
      throw CommandError("--request-header \(JSONText.quoted(name)): \(problem)", .usage)
    }
    let origin =
      variables.isEmpty
      ? "--request-header \(name)" : variables.map { "env:\($0)" }.joined(separator: ", ")
    let isSecret = !variables.isEmpty || LiteralSecret.isLikely(header: name)
    return Endpoint.Field(
      name: name,
      value: try template(value, isSecret ? origin : nil, variables.isEmpty ? nil : word))
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
}

extension Source {
  /// Why the command line cannot set a slot that the pagination writes: what the pagination puts there, and
  /// which option sets it; nil if the slot is free.
  func ownership(of slot: Slot) -> String? {
    if isSame(slot, pagination.settings.size.slot) || placesPageSize(in: slot) {
      return "it is the page size. Use --page-size"
    }
    if pagination.style.slots.contains(where: { isSame(slot, $0) }) {
      let advice = pagination.style.numbering == nil ? "" : ". Use --from-page to start at another page"
      return "source \(id) sets it for each page\(advice)"
    }
    let isCarried = pagination.style.carriedSlots.contains { isSame(slot, $0) }
    return isCarried ? "source \(id) takes it from the previous page" : nil
  }

  private func placesPageSize(in slot: Slot) -> Bool {
    endpoint.parameters.contains { isSame(slot, .query($0.name)) && $0.value.names.contains("page_size") }
      || endpoint.headers.contains { isSame(slot, .header($0.name)) && $0.value.names.contains("page_size") }
  }

  /// Header names are case-insensitive (RFC 9110, section 5.1).
  private func isSame(_ slot: Slot, _ other: Slot?) -> Bool {
    if case .header(let name) = slot, case .header(let other)? = other {
      return name.lowercased() == other.lowercased()
    }
    return slot == other
  }
}
