package import HTTPValues

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

  /// All origins it is read from, in document order.
  package var secretOrigins: [SecretOrigin] { scheme.inputs.flatMap { origins[$0.key] ?? [] } }

  /// The credential as it is sent.
  package func credential<Value: CredentialText>(of inputs: [String: Value]) -> Value {
    scheme.parts.text(inputs, texts)
  }
}

/// A named secret (`[secrets.NAME]`), placed by `{secret:NAME}`.
package struct NamedSecret: Sendable, Hashable {
  package var name: String
  package var from: [SecretOrigin]
  /// If the secret is missing, the parameter, header, or member that contains it is left out.
  package var isOptional: Bool

  package init(name: String, from: [SecretOrigin], isOptional: Bool) {
    self.name = name
    self.from = from
    self.isOptional = isOptional
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

  /// As in the document: `env:GH_TOKEN`.
  package var description: String {
    switch self {
    case .environment(let name): "env:\(name)"
    case .command(let words): "cmd:\(words.joined(separator: " "))"
    case .file(let path): "file:\(path)"
    }
  }

  /// Whether it is an environment variable that is set. An empty one is not.
  package func isSet(in environment: [String: String]) -> Bool {
    if case .environment(let name) = self { environment[name]?.isEmpty == false } else { false }
  }

  package var isVariable: Bool { if case .environment = self { true } else { false } }
}

extension [SecretOrigin] {
  /// In the order in which they are tried: environment variables before programs and files.
  package var inOrder: [SecretOrigin] { filter(\.isVariable) + filter { !$0.isVariable } }
}

extension Source {
  /// All origins that secrets may be read from, in document order.
  package var secretOrigins: [SecretOrigin] {
    (authorization?.secretOrigins ?? []) + secrets.flatMap(\.from)
  }

  /// Whether reading the secrets again may yield others: those of a program may have expired.
  package var canRenewSecrets: Bool {
    secretOrigins.contains { if case .command = $0 { true } else { false } }
  }
}
