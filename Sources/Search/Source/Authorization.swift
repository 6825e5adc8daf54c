package import HTTPValues
import Text

/// Where a credential is read from and where it is sent (`[auth]`).
package struct Authorization: Sendable {
  package let scheme: AuthScheme
  /// The texts of the scheme's keys.
  private let texts: [String: String]
  /// Where the scheme's inputs are read from, by key.
  package let origins: [String: [SecretOrigin]]
  /// Hosts that may receive the secrets in addition to the source's own, as `host` or `host:port`.
  package let hosts: [String]
  package let isOptional: Bool
  /// What an optional credential changes, such as `30 requests a minute instead of 10`; nil if it is not known.
  package var benefit: String?
  /// The page where the user makes a credential.
  package var help: String?
  /// The name under which its credential is stored; nil for the id of the source.
  package var account: String?
  /// The request that returns the credential, if the scheme has one.
  package var login: Login?

  package init(
    _ scheme: AuthScheme, _ texts: [String: String] = [:], from origins: [String: [SecretOrigin]],
    hosts: [String] = [], isOptional: Bool = false
  ) {
    self.scheme = scheme
    self.texts = texts
    self.origins = origins
    self.hosts = hosts
    self.isOptional = isOptional
  }

  package var place: PlacedCredential.Place { scheme.place(texts) }

  /// Where the credential itself is read from; the first that provides a value is used.
  package var from: [SecretOrigin] { origins["from"] ?? [] }

  /// All origins it is read from, in document order. Tokens are stored in the state directory.
  package var secretOrigins: [SecretOrigin] { inputOrigins.flatMap(\.self) + (issuer == nil ? [] : [.store]) }

  /// The origins of each of the scheme's inputs that is read, all of which are needed.
  package var inputOrigins: [[SecretOrigin]] {
    scheme.inputs.map { origins[$0.key] ?? [] }.filter { !$0.isEmpty }
  }

  /// How the credential is obtained and renewed; nil if it is a key.
  package var issuer: TokenIssuer? {
    scheme.grant?(texts).map(TokenIssuer.grant) ?? login.map(TokenIssuer.login)
  }

  package func isUsable(_ value: String, as input: AuthScheme.Input) -> Bool { input.isUsable(value, texts) }

  /// The mistake in a value of one of its inputs (`CredentialMistake`). A token is no user name and no password.
  package func mistake(in value: String) -> String? {
    let fixed = scheme.parts(texts).map { $0.fixedText(texts) }.prefix { $0 != nil }.compactMap(\.self)
      .joined()
    let isPair = scheme.name == AuthScheme.basic.name
    return CredentialMistake.text(in: value, after: fixed)
      ?? (isPair ? CredentialMistake.text(in: value, after: "Bearer ", isAdded: false) : nil)
  }

  /// The credential as it is sent.
  package func credential<Value: CredentialText>(of inputs: [String: Value]) -> Value {
    scheme.parts(texts).text(inputs, texts)
  }
}

/// A credential that is not written as it is sent, so that no service would accept it.
package enum CredentialMistake {
  /// The mistake in a value, as the end of a sentence about it: it is in quotes, or begins with a text such as `Bearer `.
  /// Nil if there is none.
  ///
  /// - Parameters:
  ///   - prefix: The text; empty for none.
  ///   - isAdded: Whether riffle writes it before the value.
  package static func text(in value: String, after prefix: String = "", isAdded: Bool = true) -> String? {
    if value.count > 1, value.first == value.last, value.first.map("\"'".contains) ?? false {
      return "is in quotes. Remove them"
    }
    let word = prefix.prefix { $0 != " " }
    guard !word.isEmpty, prefix.last?.isLetter == false, value.lowercased().hasPrefix(prefix.lowercased())
    else { return nil }
    let reason = isAdded ? "which riffle adds" : "which is for a token"
    return "begins with \"\(value.prefix(word.count))\", \(reason). Remove it"
  }
}

/// How a credential is composed and where it is sent (`type` in `[auth]`). A scheme is a value: decoding, the
/// manual, the request, the curl command, and what `riffle add` writes are derived from it.
package struct AuthScheme: Sendable {
  package let name: String
  /// For the manual; empty if its keys explain it.
  package var meaning = ""
  /// Whether a service may request the scheme by its name (`WWW-Authenticate`, RFC 9110, section 11.6.1).
  package var isChallenge = false
  /// The keys of the scheme that hold strings.
  package var keys: [Key] = []
  /// The keys of the scheme that say where the credential is read from, in the order of the document. The last is
  /// `from`, unless the credential is obtained by a request.
  package let inputs: [Input]
  /// Where the credential is placed in a request, by the texts of `keys`.
  package let place: @Sendable (_ texts: [String: String]) -> PlacedCredential.Place
  /// The credential as it is sent, by the texts of `keys`.
  package let parts: @Sendable (_ texts: [String: String]) -> [Part]
  /// The keys that do not fit the others, and why.
  package var settingDiagnostics:
    @Sendable (_ texts: [String: String], _ inputs: Set<String>) -> [SettingDiagnostic] = { _, _ in []
    }
  /// How the credential is obtained with OAuth, by the texts of `keys`; nil for any other scheme.
  package var grant: (@Sendable (_ texts: [String: String]) -> TokenGrant?)?

  package struct SettingDiagnostic: Sendable {
    package let key: String
    package let problem: String
    /// Whether a key is missing. A partial document need not have it.
    package var isMissing = false
  }

  package struct Key: Sendable {
    package let name: String
    /// A noun phrase for the value in the manual: `a name`, `the header`.
    package let kind: String
    package let meaning: String
    /// The purpose of the key, for the message if it is missing; nil if it is optional.
    package var purpose: String?
    /// The values it may have; empty for any string.
    package var choices: [String] = []
    package var form = Form.text

    package enum Form: Sendable {
      case text, url
      /// A list of strings, joined by spaces.
      case words
      /// A table of strings; each is the string of `KEY.NAME`.
      case members
      /// The request that returns the credential; how it is sent are the texts of `login.send` and `login.prefix`.
      case login
    }
  }

  package struct Input: Sendable {
    package var key = "from"
    /// A description of the input, and an environment variable for it in an example.
    package let meaning: String
    package let variable: String
    /// An optional key that is not in the document has an empty value.
    package var isOptional = false
    /// Whether it can be sent, by the texts of `keys`.
    package let isUsable: @Sendable (_ value: String, _ texts: [String: String]) -> Bool
  }

  /// A part of the credential as it is sent.
  package indirect enum Part: Sendable {
    case literal(String)
    /// The text of a key.
    case key(String)
    case input(String)
    case base64([Part])

    /// Its text if it contains no input.
    fileprivate func fixedText(_ texts: [String: String]) -> String? {
      switch self {
      case .literal(let text): text
      case .key(let key): texts[key] ?? ""
      case .input, .base64: nil
      }
    }
  }
}

extension AuthScheme {
  package static let bearer = AuthScheme(
    name: "bearer", meaning: "Authorization: Bearer …", isChallenge: true,
    inputs: [Input(meaning: "key", variable: "API_TOKEN", isUsable: { value, _ in value.isVisibleASCII })],
    place: { _ in .header("Authorization") }, parts: { _ in [.literal("Bearer "), .input("from")] })

  /// User name and password (RFC 7617). Services that require an API key expect it as one of the two, and a fixed
  /// string as the other.
  package static let basic = AuthScheme(
    name: "basic", isChallenge: true,
    keys: [
      Key(
        name: "as", kind: "`\"password\"` or `\"user\"`",
        meaning: "whether `from` is the password (the default) or the user name",
        choices: ["password", "user"]),
      Key(name: "user", kind: "a string", meaning: "the user name, if it is not confidential. Default: none"),
      Key(name: "password", kind: "a string", meaning: "the password, with `as = \"user\"`. Default: none"),
    ],
    inputs: [
      Input(key: "user_from", meaning: "user name", variable: "API_USER", isOptional: true) { value, _ in
        value.isUserName
      },
      Input(meaning: "password", variable: "API_PASSWORD") { value, texts in
        isKeyTheUser(texts) ? value.isUserName : value.isFreeOfControls
      },
    ],
    place: { _ in .header("Authorization") },
    parts: { texts in
      let pair: [Part] =
        isKeyTheUser(texts)
        ? [.input("from"), .literal(":"), .key("password")]
        : [.input("user_from"), .key("user"), .literal(":"), .input("from")]
      return [.literal("Basic "), .base64(pair)]
    },
    settingDiagnostics: { texts, inputs in
      var settingDiagnostics: [SettingDiagnostic] = []
      if isKeyTheUser(texts) {
        let key = texts["user"] != nil ? "user" : inputs.contains("user_from") ? "user_from" : nil
        if let key {
          settingDiagnostics.append(SettingDiagnostic(key: key, problem: "not allowed with as = \"user\""))
        }
      } else if texts["password"] != nil {
        settingDiagnostics.append(
          SettingDiagnostic(key: "password", problem: "only allowed with as = \"user\""))
      } else if texts["user"] != nil, inputs.contains("user_from") {
        settingDiagnostics.append(
          SettingDiagnostic(key: "user", problem: "not allowed together with user_from"))
      }
      if texts["user"]?.isUserName == false {
        settingDiagnostics.append(
          SettingDiagnostic(key: "user", problem: "a user name must not contain colons or control characters")
        )
      }
      if texts["password"]?.isFreeOfControls == false {
        settingDiagnostics.append(
          SettingDiagnostic(key: "password", problem: "a password must not contain control characters"))
      }
      return settingDiagnostics
    })

  private static func isKeyTheUser(_ texts: [String: String]) -> Bool { texts["as"] == "user" }

  package static let header = AuthScheme(
    name: "header",
    keys: [
      Key(
        name: "header", kind: "a name", meaning: "the header",
        purpose: "the name of the header for the credential"),
      Key(name: "prefix", kind: "a string", meaning: "the text before the credential"),
    ],
    inputs: [Input(meaning: "key", variable: "API_TOKEN", isUsable: { value, _ in value.isVisibleASCII })],
    place: { .header($0["header"] ?? "") }, parts: { _ in [.key("prefix"), .input("from")] })

  package static let query = AuthScheme(
    name: "query",
    keys: [
      Key(
        name: "param", kind: "a name", meaning: "the parameter",
        purpose: "the name of the query parameter for the credential")
    ],
    inputs: [Input(meaning: "key", variable: "API_KEY", isUsable: { value, _ in value.isFreeOfControls })],
    place: { .query($0["param"] ?? "") }, parts: { _ in [.input("from")] })
}

/// The registry of authorization schemes (`[auth] type`).
package enum AuthSchemes {
  package static let all: [AuthScheme] = [.bearer, .basic, .header, .query, .oauth, .login]

  /// The keys of all schemes.
  package static let keys = Set(all.flatMap { $0.keys.map(\.name) + $0.inputs.map(\.key) })
}

/// The issuer of a source's tokens.
package enum TokenIssuer: Sendable, Hashable {
  case grant(TokenGrant)
  case login(Login)

  /// Whether it can issue a token at any time, without a previous token and without the user.
  package var needsNoFormer: Bool {
    switch self {
    case .grant(let grant): grant.kind == .clientCredentials
    case .login: true
    }
  }

  /// Whether the user must confirm the first token.
  package var needsUser: Bool { if case .grant(let grant) = self { grant.kind == .device } else { false } }
}

/// A text that a credential is composed of: a secret, or the words of a shell that read one.
package protocol CredentialText {
  /// Creates text that is not confidential.
  init(literal: String)
  static func + (first: Self, second: Self) -> Self
  var base64: Self { get }
}

extension [AuthScheme.Part] {
  /// The parts joined.
  func text<Value: CredentialText>(_ inputs: [String: Value], _ texts: [String: String]) -> Value {
    reduce(Value(literal: "")) { text, part in
      switch part {
      case .literal(let literal): text + Value(literal: literal)
      case .key(let key): text + Value(literal: texts[key] ?? "")
      case .input(let key): text + (inputs[key] ?? Value(literal: ""))
      case .base64(let parts): text + parts.text(inputs, texts).base64
      }
    }
  }
}

extension Secret: CredentialText {
  package init(literal: String) { self.init(literal, containing: []) }

  package static func + (first: Secret, second: Secret) -> Secret {
    Secret(first.reveal() + second.reveal(), containing: [first, second])
  }

  package var base64: Secret {
    let encoded = Base64.encoded(reveal())
    return Secret(encoded, containing: [Secret(encoded), Secret(reveal()), self])
  }
}

/// A named secret (`[secrets.NAME]`), placed by `{secret:NAME}`.
package struct NamedSecret: Sendable, Hashable {
  package var name: String
  package var from: [SecretOrigin]
  /// If the secret is missing, the parameter, header, or field that contains it is left out.
  package var isOptional: Bool
  /// What it changes if it is optional; nil if that is not known.
  package var benefit: String?

  package init(name: String, from: [SecretOrigin], isOptional: Bool, benefit: String? = nil) {
    self.name = name
    self.from = from
    self.isOptional = isOptional
    self.benefit = benefit
  }
}

/// A credential of a source, identified by its key in the document: `auth` or `secret:NAME`.
package enum CredentialName: Sendable, Hashable {
  case authorization
  case secret(String)
}

/// Where a secret is read from; the secret itself is never part of a source.
package enum SecretOrigin: Sendable, Hashable, CustomStringConvertible {
  case environment(String)
  /// A program and its arguments, run without a shell. The first line of its output is the secret.
  case command([String])
  case file(String)
  /// The state directory, where `riffle auth login` stores credentials.
  case store

  /// As in the document: `env:GH_TOKEN`.
  package var description: String {
    switch self {
    case .environment(let name): "env:\(name)"
    case .command(let words): "cmd:\(words.joined(separator: " "))"
    case .file(let path): "file:\(path)"
    case .store: "store"
    }
  }

  /// For messages: `env:GH_TOKEN`, `the stored credential`.
  package var words: String { self == .store ? "the stored credential" : description }

  /// Whether it is an environment variable that is set. An empty one is not.
  package func isSet(in environment: [String: String]) -> Bool {
    if case .environment(let name) = self { environment[name]?.isEmpty == false } else { false }
  }

  /// The name of a variable; any other place as in the document.
  package var name: String { if case .environment(let name) = self { name } else { description } }

  package var isVariable: Bool { if case .environment = self { true } else { false } }
}

extension [SecretOrigin] {
  /// In the order in which they are tried: environment variables before programs and files.
  package var inOrder: [SecretOrigin] { filter(\.isVariable) + filter { !$0.isVariable } }
}

extension Source {
  /// The name under which its credential is stored. Sources with the same name share the credential, if they have the
  /// same origin, token endpoint, client and scopes.
  package var account: String { authorization?.account ?? id }

  /// All origins that secrets may be read from, in document order.
  package var secretOrigins: [SecretOrigin] { (authorization?.secretOrigins ?? []) + secrets.flatMap(\.from) }

  /// How a credential that is not set raises the limits: `set GH_TOKEN for 30 requests a minute instead of 10`. Nil if
  /// the source declares no benefit.
  package var unusedBenefit: String? {
    let declared =
      [authorization.map { ($0.from, $0.benefit) }].compactMap(\.self) + secrets.map { ($0.from, $0.benefit) }
    guard case (let places, let benefit?)? = declared.first(where: { $0.1 != nil }),
      let place = places.inOrder.first
    else { return nil }
    return "set \(place.name) for \(benefit)\(credentialHint)"
  }

  /// Where to create a credential, to follow its place in a message: ` (create a token at https://example.org/tokens)`.
  /// Empty if the source does not say it.
  package var credentialHint: String { authorization?.help.map { " (create a token at \($0))" } ?? "" }

  /// Whether reading the secrets again may yield different ones: those printed by a program may have expired.
  package var canRenewSecrets: Bool {
    secretOrigins.contains { if case .command = $0 { true } else { false } }
  }
}

extension String {
  /// Whether every header and query can contain the text.
  package var isVisibleASCII: Bool { utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7F } }

  /// Whether the string can be a user name, which must not contain a colon (RFC 7617).
  fileprivate var isUserName: Bool { isFreeOfControls && !contains(":") }

  package var isFreeOfControls: Bool {
    unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
