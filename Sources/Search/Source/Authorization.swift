/// Where a credential is read from and where it is sent (`[auth]`).
package struct Authorization: Sendable, Hashable {
  package enum Scheme: Sendable, Hashable {
    case header(name: String, prefix: String)
    case query(name: String)
    /// User name and password in the `Authorization` header (RFC 7617).
    case basic(userFrom: [SecretOrigin])
  }

  package var scheme: Scheme
  /// `env:NAME`, `cmd:PROGRAM ARGUMENT…`, or `file:PATH`; the first that provides a value is used.
  package var from: [SecretOrigin]
  /// Hosts that may receive the secrets in addition to the source's own, as `host` or `host:port`.
  package var hosts: [String]
  package var isOptional: Bool

  package init(scheme: Scheme, from: [SecretOrigin], hosts: [String] = [], isOptional: Bool) {
    self.scheme = scheme
    self.from = from
    self.hosts = hosts
    self.isOptional = isOptional
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
}

extension Source {
  /// All origins that secrets may be read from, in document order.
  package var secretOrigins: [SecretOrigin] {
    var origins: [SecretOrigin] = []
    if case .basic(let userFrom)? = authorization?.scheme { origins += userFrom }
    origins += authorization?.from ?? []
    return origins + secrets.flatMap(\.from)
  }
}
