import HTTPValues
import Search
private import Text

extension Authorization {
  /// `[auth]`; nil for `type = "none"`.
  init?(_ reader: inout TableReader) {
    let types = ["none"] + AuthSchemes.all.map(\.name)
    reader.require("type", "expected one of \(types.joined(separator: ", "))")
    let type = reader.choice("type", among: types)
    let isOptional = reader.bool("optional") ?? false
    let scheme = AuthSchemes.all.first { $0.name == type }
    let inputs = scheme?.inputs.map(\.key) ?? (type == nil ? ["from"] : [])
    let keys = scheme?.keys ?? []
    if let type {
      let meaningless = AuthSchemes.keys.subtracting(inputs + keys.map(\.name))
      reader.refuse(meaningless + (scheme == nil ? ["hosts"] : []), "not allowed with type = \"\(type)\"")
    }
    var origins: [String: [SecretOrigin]] = [:]
    for key in inputs.reversed() { origins[key] = reader.secretOrigins(key, mayBeStored: key == "from") }
    for key in keys { if let purpose = key.purpose { reader.require(key.name, purpose) } }
    var login: Login?
    let texts = keys.reduce(into: [:]) { $0.merge(reader.texts(of: $1, &login)) { $1 } }
    let hosts = reader.hosts("hosts")
    let benefit = reader.benefit(isOptional)
    let help = reader.parsed("help") { try HelpPage($0) }
    let account = reader.string("account")
    if let account, !SourceName.isValid(account) {
      reader.report("expected a name of a-z, 0-9 and -, found \(Wording.quoted(account))", for: "account")
    }
    guard let scheme, keys.allSatisfy({ $0.purpose == nil || texts[$0.name] != nil }) else { return nil }
    if inputs.contains("from") {
      reader.require("from", "where the credential comes from, like [\"env:NAME\"]")
    }
    for diagnostic in scheme.settingDiagnostics(texts, Set(inputs.filter(reader.contains)))
    where !diagnostic.isMissing || !reader.isFragment {
      reader.report(diagnostic.problem, for: diagnostic.key)
    }
    self.init(scheme, texts, from: origins, hosts: hosts, isOptional: isOptional)
    self.account = account
    self.benefit = benefit
    self.help = help?.address
    self.login = login
    guard case .header(let name) = place else { return }
    let sample = credential(of: ["from": Secret("x"), TokenGrant.token: Secret("x")])
    do { _ = try HTTPField(name: name, value: sample.reveal()) } catch {
      reader.report("\(error)", for: keys.first?.name)
      return nil
    }
  }

  /// The keys of the schemes are taken from their registry.
  static var manual: TableManual {
    let types = AuthSchemes.all.map { $0.meaning.isEmpty ? "`\($0.name)`" : "`\($0.name)` (\($0.meaning))" }
    return TableManual(
      title: "[auth]", meaning: "The credential. Never write its value here.",
      keys: [
        KeyManual("type", "required", "\(Sentences.alternatives(["`none`"] + types))."),
        KeyManual(
          "from", "a list of credential locations, required",
          "Where the credential comes from. The first location with a value is used; environment variables come before the others. If the service rejects a credential (401), riffle runs its program again."
        ),
      ] + AuthSchemes.all.flatMap(\.ownKeys) + [
        KeyManual("optional", "`true` or `false`", "Whether requests may be sent without a credential."),
        KeyManual(
          "benefit", "a string",
          "What an optional credential changes, for messages: `\"30 requests a minute instead of 10\"`."),
        KeyManual(
          "help", "a URL", "The https page where users create a credential, for messages that ask for one."),
        KeyManual("hosts", "a list of hosts", "Other hosts that the credential may be sent to."),
        KeyManual(
          "account", "a name",
          "The name under which its tokens and API keys are stored. Default: the id of the source. Sources of one service need the same name if they share a refresh token that is replaced with each use."
        ),
      ])
  }
}

extension AuthScheme {
  /// Its keys other than `from`, which all schemes have.
  fileprivate var ownKeys: [KeyManual] {
    inputs.filter { $0.key != "from" }.map {
      KeyManual(
        $0.key, "a list of credential locations", "Where the \($0.meaning) comes from.",
        group: "of type \(name)")
    }
      + keys.map {
        KeyManual(
          $0.name, $0.kind, "\($0.meaning.prefix(1).uppercased())\($0.meaning.dropFirst()).",
          tables: $0.form == .login ? [LoginDraft.table.manual] : [], group: "of type \(name)")
      }
  }
}

/// The page where users create a credential.
private struct HelpPage {
  let address: String

  init(_ text: String) throws {
    guard try WebURL(text).scheme == .https else {
      throw ValueFormatError("expected an https URL, found \(Wording.quoted(text))")
    }
    address = text
  }
}

extension NamedSecret {
  /// `[secrets.NAME]`.
  init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader) {
    reader.require("from", "where the credential comes from, like [\"env:NAME\"]")
    let isOptional = reader.bool("optional") ?? false
    let benefit = reader.benefit(isOptional)
    let from = reader.secretOrigins("from")
    guard reader.hasName(entry) else { return nil }
    self.init(name: entry.key, from: from, isOptional: isOptional, benefit: benefit)
  }

  static var manual: TableManual {
    TableManual(
      title: "[secrets.NAME]",
      meaning: "More credentials, used as `{secret:NAME}` in headers, parameters and the body.",
      keys: [
        KeyManual("from", "a list of credential locations, required", "As in `[auth]`, except `store`."),
        KeyManual("optional", "`true` or `false`", "As in `[auth]`."),
        KeyManual("benefit", "a string", "As in `[auth]`."),
      ])
  }
}

extension TableReader {
  /// The texts of a key of a scheme, by their names in `Authorization`, and the login if the key is that.
  fileprivate mutating func texts(of key: AuthScheme.Key, _ login: inout Login?) -> [String: String] {
    switch key.form {
    case .text where !key.choices.isEmpty: choice(key.name, among: key.choices).map { [key.name: $0] } ?? [:]
    case .text: string(key.name).map { [key.name: $0] } ?? [:]
    case .url: parsed(key.name) { try WebURL($0) }.map { [key.name: "\($0)"] } ?? [:]
    case .words:
      contains(key.name) ? [key.name: strings(key.name).map(\.text).joined(separator: " ")] : [:]
    case .members:
      textMembers(key.name).reduce(into: [:]) { texts, member in
        if SecretName.isLikely(member: member.entry.key) {
          report(LiteralSecret.fixedProblem, forMember: member.entry, of: key.name)
        }
        texts["\(key.name).\(member.entry.key)"] = member.text
      }
    case .login:
      table(key.name) { reader in
        let draft = LoginDraft.table.value(&reader)
        login = draft.login(&reader)
        return draft.texts
      } ?? [:]
    }
  }

  /// What a credential changes. A required one needs no such text, but may inherit it.
  fileprivate mutating func benefit(_ isOptional: Bool) -> String? {
    let benefit = string("benefit")
    return isOptional ? benefit : nil
  }

  /// The locations a secret is read from.
  ///
  /// - Parameter mayBeStored: Whether `riffle auth login` can keep it.
  fileprivate mutating func secretOrigins(_ key: String, mayBeStored: Bool = false) -> [SecretOrigin] {
    if case .array([])? = value(key)?.content { report("expected at least one place, found none", for: key) }
    return strings(key).compactMap { text in
      if text.text == "store" {
        if mayBeStored { return .store }
        report("\"store\" is only allowed as auth.from", for: key, at: text.position)
        return nil
      }
      guard let origin = SecretOrigin(parsing: text.text) else {
        report(
          SecretOrigin.misspelling(of: text.text) ?? LiteralSecret.placeProblem, for: key, at: text.position)
        return nil
      }
      // Nothing is read from the working directory unless it is named on the command line.
      if case .file(let path) = origin, !HomePath.isAbsolute(path) {
        report(
          "expected an absolute path or ~/…, found \(Wording.quoted(text.text))", for: key, at: text.position)
      }
      return origin
    }
  }
}

extension SecretOrigin {
  private static let prefixes = ["env", "cmd", "file"]

  /// Names of these locations in other programs.
  private static let synonyms = [
    "variable": "env", "var": "env",
    "command": "cmd", "exec": "cmd", "execute": "cmd", "run": "cmd", "program": "cmd", "shell": "cmd",
    "sh": "cmd", "pass": "cmd", "op": "cmd", "vault": "cmd", "secret-tool": "cmd",
    "path": "file", "filename": "file", "read": "file",
  ]

  /// The correct form of a location with a misspelled or foreign prefix, with nothing after the colon, or
  /// written as a shell variable (`$NAME`). Nil if the text may be a secret itself, in which case no part of
  /// it is repeated.
  fileprivate static func misspelling(of text: String) -> String? {
    let expected = "expected \"env:NAME\", \"cmd:PROGRAM\" or \"file:PATH\""
    guard let colon = text.firstIndex(of: ":") else {
      if isShellVariable(text) { return "\(expected). Did you mean \"env:NAME\"?" }
      return isVariableName(text) ? "unknown location \"\(text)\". Did you mean \"env:\(text)\"?" : nil
    }
    let prefix = text[..<colon].lowercased()
    if ["keyring", "keychain"].contains(prefix) {
      return "\(expected). To read a keyring, run a program: \"cmd:secret-tool lookup …\""
    }
    let near =
      synonyms[prefix] ?? NearestName.nearest(to: prefix, among: prefixes).first
      ?? prefixes.first(where: prefix.hasPrefix)
    // A correct prefix without anything after it.
    if near == String(text[..<colon]) { return expected }
    return near.map { "\(expected). Did you mean \"\($0):…\"?" }
  }

  /// `$NAME` or `${NAME}`, in capitals.
  private static func isShellVariable(_ text: String) -> Bool {
    text.wholeMatch(of: /\$\{?[A-Z0-9_]+\}?/) != nil
  }

  /// The name of a variable for a credential, like GITHUB_TOKEN: capitals that end with what it is. No credential does.
  private static func isVariableName(_ text: String) -> Bool {
    text.wholeMatch(of: /([A-Z][A-Z0-9]*_)+(TOKEN|KEY|SECRET|PASSWORD|PAT|AUTH)/) != nil
  }

  /// Parses `env:NAME`, `file:PATH` or `cmd:PROGRAM ARGUMENT…` (split at spaces, no shell).
  fileprivate init?(parsing text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = String(text[text.index(after: colon)...])
    guard rest.contains(where: { $0 != " " }) else { return nil }
    switch text[..<colon] {
    case "env": self = .environment(rest)
    case "file": self = .file(rest)
    case "cmd": self = .command(rest.split(separator: " ").map(String.init))
    default: return nil
    }
  }
}

/// Secrets written literally in a source are rejected, and never repeated in a message.
enum LiteralSecret {
  static let problem =
    "credentials are not allowed in settings or sources. Use [auth], or [secrets.NAME] and {secret:NAME} here"
  /// Where a location is expected.
  static let placeProblem =
    "credentials are not allowed in settings or sources. Say where they are stored: \"env:NAME\", \"cmd:PROGRAM\" or \"file:PATH\""
  /// Where neither placeholders nor locations are allowed.
  static let fixedProblem =
    "credentials are not allowed in settings or sources. Use client_secret_from or refresh_from"
}
