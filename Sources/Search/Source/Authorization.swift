/// Where a credential comes from and where it goes (`[auth]`).
package struct Authorization: Sendable, Hashable {
  package enum Scheme: Sendable, Hashable {
    case header(name: String, prefix: String)
    case query(name: String)
    /// User name and password in the `Authorization` header (RFC 7617).
    case basic(userFrom: [SecretOrigin])
  }

  package var scheme: Scheme
  /// `env:NAME`, `cmd:PROGRAM ARGUMENT…`, `file:PATH`; the first that gives a value wins.
  package var from: [SecretOrigin]
  /// Hosts beside that of the source itself that its secrets may go to, `host` or `host:port`.
  package var hosts: [String]
  package var isOptional: Bool

  package init(scheme: Scheme, from: [SecretOrigin], hosts: [String] = [], isOptional: Bool) {
    self.scheme = scheme
    self.from = from
    self.hosts = hosts
    self.isOptional = isOptional
  }
}

/// A secret with a name of its own (`[secrets.NAME]`), placed by `{secret:NAME}`.
package struct NamedSecret: Sendable, Hashable {
  package var name: String
  package var from: [SecretOrigin]
  /// Without it, what it stands in is left out.
  package var isOptional: Bool

  package init(name: String, from: [SecretOrigin], isOptional: Bool) {
    self.name = name
    self.from = from
    self.isOptional = isOptional
  }
}

/// A place a secret is read from; the secret itself is never written in a source.
package enum SecretOrigin: Sendable, Hashable, CustomStringConvertible {
  case environment(String)
  /// A program and its arguments, run without a shell; the first line it prints is the secret.
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
  /// Every place its secrets may be read from, in the order of the document.
  package var secretOrigins: [SecretOrigin] {
    var origins: [SecretOrigin] = []
    if case .basic(let userFrom)? = authorization?.scheme { origins += userFrom }
    origins += authorization?.from ?? []
    return origins + secrets.flatMap(\.from)
  }
}
