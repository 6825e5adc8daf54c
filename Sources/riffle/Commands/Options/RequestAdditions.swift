import Config
import Search

/// What `--param` and `--request-header` put into every request of a run, in place of what the source has there.
struct RequestAdditions: Sendable {
  private var parameters: [Endpoint.Field] = []
  private var headers: [Endpoint.Field] = []
  /// Values nobody is shown, by the names their placeholders have.
  private(set) var secrets: [String: Credentials.Finding] = [:]
  /// The same as they were written, with `$NAME`; what was written out stays hidden.
  private var written: [String: String] = [:]

  /// - Throws: when a header is none, or names a variable that is not set.
  init(_ options: RequestOptions, environment: [String: String]) throws(Complaint) {
    for pair in options.param {
      let isSecret = LiteralSecret.isLikely(parameter: pair.name)
      let value = try template(pair.value, isSecret ? "--param \(pair.name)" : nil, "$SECRET")
      parameters.append(Endpoint.Field(name: pair.name, value: value))
    }
    for text in options.requestHeader { headers.append(try header(text, environment)) }
  }

  /// The source as it is asked in this run.
  ///
  /// - Throws: when the pagination has its own in the place of one of them, so that it would never be sent.
  func applied(to source: Source) throws(Complaint) -> Source {
    for (option, name, slot) in parameters.map({ ("--param", $0.name, Slot.query($0.name)) })
      + headers.map({ ("--request-header", $0.name, Slot.header($0.name)) })
    {
      guard let ownership = source.ownership(of: slot) else { continue }
      throw Complaint("\(option) \(JSONText.quoted(name)) would be replaced: \(ownership)", .usage)
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

  /// The secrets by the words the user wrote for them.
  var shellSecrets: [String: Credentials.Finding] {
    written.mapValues { Credentials.Finding(secret: Secret($0), provenance: "") }
  }

  /// `Name: value`; `$NAME` in the value is read from the environment and kept from every eye.
  private mutating func header(
    _ text: String, _ environment: [String: String]
  ) throws(Complaint) -> Endpoint.Field {
    guard let colon = text.firstIndex(of: ":") else {
      throw Complaint("--request-header \(JSONText.quoted(text)): write it as 'Name: value'", .usage)
    }
    let name = String(text[..<colon])
    let written = String(text[text.index(after: colon)...].drop { $0 == " " })
    let (value, variables) = try Self.expanded(written, environment)
    if let problem = HeaderCheck.problem(name: name, value: value) {
      throw Complaint("--request-header \(JSONText.quoted(name)): \(problem)", .usage)
    }
    let isSecret = !variables.isEmpty || LiteralSecret.isLikely(header: name)
    let provenance = variables.isEmpty ? "--request-header \(name)" : variables.joined(separator: ", ")
    return Endpoint.Field(
      name: name,
      value: try template(value, isSecret ? provenance : nil, variables.isEmpty ? "$SECRET" : written))
  }

  /// A template that gives this text; with a provenance as a secret.
  private mutating func template(
    _ text: String, _ provenance: String?, _ shellWord: String = ""
  ) throws(Complaint) -> Template {
    var pattern = text.replacing("{", with: "{{").replacing("}", with: "}}")
    if let provenance {
      let name = "command-line-\(secrets.count)"
      secrets[name] = Credentials.Finding(secret: Secret(text), provenance: provenance)
      written[name] = shellWord
      pattern = "{secret:\(name)}"
    }
    do { return try Template(pattern) } catch { throw Complaint("\(error)", .usage) }
  }

  /// The text with the values of its variables, and where they came from.
  private static func expanded(
    _ text: String, _ environment: [String: String]
  ) throws(Complaint) -> (String, [String]) {
    var result = ""
    var origins: [String] = []
    var rest = Substring(text)
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      let name = rest[rest.index(after: dollar)...].prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
      }
      rest = rest[rest.index(after: dollar)...].dropFirst(name.count)
      if name.isEmpty {
        result += "$"
        continue
      }
      guard let value = environment[String(name)], !value.isEmpty else {
        throw Complaint("--request-header: the environment variable \(name) is not set", .usage)
      }
      result += value
      origins.append("env:\(name)")
    }
    return (result + rest, origins)
  }
}
