import HTTPValues
import JSON
import Search
import Text

/// The `[auth]` table of an endpoint, from its security schemes. Credentials are named by environment variables.
struct EndpointAuthorization: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case bearer, basic
    case header(String), query(String)
    case clientCredentials(tokenURL: String, scopes: [String])
  }

  let kind: Kind
  var isOptional = false
  /// A remark about security requirements that the table cannot express.
  var remark: String?
}

extension EndpointAuthorization {
  /// The lines of the table, with the name of the service in the names of the variables.
  func table(_ service: String) -> String {
    func from(_ key: String, _ ending: String) -> String { "\(key) = [\"env:\(service)_\(ending)\"]" }
    var lines = ["[auth]"] + (remark.map { [TOMLText.comment($0)] } ?? [])
    switch kind {
    case .bearer: lines += ["type = \"bearer\"", from("from", "TOKEN")]
    case .basic: lines += ["type = \"basic\"", from("user_from", "USER"), from("from", "PASSWORD")]
    case .header(let name):
      lines += ["type = \"header\"", "header = \(TOMLText.string(name))", from("from", "API_KEY")]
    case .query(let name):
      lines += ["type = \"query\"", "param = \(TOMLText.string(name))", from("from", "API_KEY")]
    case .clientCredentials(let url, let scopes):
      lines += [
        "type = \"oauth\"", "grant = \"client_credentials\"", "token_url = \(TOMLText.string(url))",
        from("client_id_from", "CLIENT_ID"), from("client_secret_from", "CLIENT_SECRET"),
      ]
      if !scopes.isEmpty { lines.append("scopes = [\(scopes.map(TOMLText.string).joined(separator: ", "))]") }
    }
    if isOptional { lines.append("optional = true") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The beginning of the names of variables, from a title: `Pet Store API (v2)` is `PET_STORE`.
  static func service(_ title: String) -> String {
    let plain = title.utf8.prefix { $0 != UInt8(ascii: "(") }
    let words = plain.split { !($0.isBareKeyByte && $0 != UInt8(ascii: "-")) || $0 == UInt8(ascii: "_") }
      .map { String(decoding: $0, as: UTF8.self).uppercased() }
    let telling = words.filter {
      !["API", "REST", "THE", "OPENAPI", "SWAGGER"].contains($0) && !isVersion($0)
    }
    let name = (telling.isEmpty ? ["API"] : telling).prefix(4).joined(separator: "_")
    return name.first?.isNumber == true ? "API_\(name)" : name
  }

  private static func isVersion(_ word: String) -> Bool {
    word.hasPrefix("V") && word.dropFirst().allSatisfy(\.isNumber)
  }
}

/// The security schemes of a document.
struct SecuritySchemes {
  private let root: JSONValue
  private let schemes: JSONValue?

  init(_ root: JSONValue, isSwagger: Bool) {
    self.root = root
    schemes = isSwagger ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
  }

  /// The first alternative that a source can express; nil without security.
  func authorization(_ operation: JSONValue, _ reader: inout SchemaReader) -> EndpointAuthorization? {
    guard let security = operation["security"] ?? root["security"] else { return nil }
    let alternatives = security.elements.prefix(20)
    var found = alternatives.compactMap { alternative($0, &reader) }
    guard var best = found.first(where: { $0.remark == nil }) ?? found.popLast() else { return nil }
    best.isOptional = alternatives.contains { $0.kind == .object && $0.count == 0 }
    return best
  }

  private func alternative(_ value: JSONValue, _ reader: inout SchemaReader) -> EndpointAuthorization? {
    let parts = value.members.prefix(10).compactMap { name, scopes -> EndpointAuthorization? in
      guard let found = schemes?[name], let node = reader.node(found.node) else { return nil }
      let names = scopes.elements.prefix(50).compactMap(\.string)
      return Self.authorization(JSONValue(document: root.document, node: node), names)
    }
    guard var first = parts.first else { return nil }
    if parts.count > 1 {
      first.remark =
        "The service needs \(parts.count) credentials. Add the others as [secrets.NAME], used as {secret:NAME}"
    }
    return first
  }

  private static func authorization(_ scheme: JSONValue, _ scopes: [String]) -> EndpointAuthorization? {
    switch scheme["type"]?.string?.lowercased() {
    case "basic": return EndpointAuthorization(kind: .basic)
    case "http":
      switch scheme["scheme"]?.string?.lowercased() {
      case "bearer": return EndpointAuthorization(kind: .bearer)
      case "basic": return EndpointAuthorization(kind: .basic)
      default: return nil
      }
    case "apikey": return key(scheme)
    case "oauth2": return oauth(scheme, scopes)
    case "openidconnect":
      return EndpointAuthorization(
        kind: .bearer, remark: "OpenID Connect: the variable holds an access token")
    default: return nil
    }
  }

  private static func key(_ scheme: JSONValue) -> EndpointAuthorization? {
    guard let name = scheme["name"]?.string, !name.isEmpty, name.utf8.count <= 200, name.isWritable
    else { return nil }
    switch scheme["in"]?.string {
    case "query": return EndpointAuthorization(kind: .query(name))
    case "header":
      guard (try? HTTPField(name: name, value: "x")) != nil else { return nil }
      if name.lowercased() == "authorization" {
        return EndpointAuthorization(
          kind: .header(name), remark: "If a word precedes the key, add it: prefix = \"Token \"")
      }
      return EndpointAuthorization(kind: .header(name))
    default: return nil
    }
  }

  private static func oauth(_ scheme: JSONValue, _ scopes: [String]) -> EndpointAuthorization {
    let flow = scheme["flow"]?.string == "application" ? scheme : scheme["flows"]?["clientCredentials"]
    if let text = flow?["tokenUrl"]?.string, let url = try? WebURL(text), url.origin.isProtected,
      !url.hasUserinfo
    {
      return EndpointAuthorization(
        kind: .clientCredentials(
          tokenURL: text, scopes: scopes.filter { !$0.isEmpty && !$0.contains(" ") && $0.isWritable }))
    }
    return EndpointAuthorization(
      kind: .bearer,
      remark: "OAuth 2: the variable holds an access token. With a client of your own, see type = \"oauth\"")
  }
}
