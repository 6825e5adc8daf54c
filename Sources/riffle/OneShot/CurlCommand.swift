import Search

/// A request as a shell would send it with curl; where a secret belongs stands what reads it: `$GH_TOKEN`.
struct CurlCommand {
  let request: HTTPRequest

  var text: String {
    var lines = ["curl \(Self.quoted(request.url.description))"] + parameters
    if request.method != .get || !request.body.isEmpty { lines.append("-X \(request.method.rawValue)") }
    lines += request.headers.map { "-H \(Self.quoted("\($0.name): \($0.value)"))" }
    lines += credentials
    lines.append("--compressed")
    if !request.body.isEmpty {
      lines.append("--data-binary \(Self.quoted(String(decoding: request.body, as: UTF8.self)))")
    }
    return lines.joined(separator: " \\\n  ") + "\n"
  }

  /// What a shell puts into the address: curl encodes it, whatever is in it. `--url-query` (curl 7.87) is for
  /// requests whose body leaves `--data-urlencode` no room.
  private var parameters: [String] {
    let hasBody = !request.body.isEmpty
    let words = request.credentials.compactMap { credential -> String? in
      guard case .query(let name) = credential.place else { return nil }
      let option = hasBody ? "--url-query" : "--data-urlencode"
      return "\(option) \"\(PercentEncoding.encoded(name))=\(credential.secret.reveal())\""
    }
    return words.isEmpty || hasBody ? words : ["--get"] + words
  }

  private var credentials: [String] {
    request.credentials.compactMap { credential in
      guard case .header(let name) = credential.place else { return nil }
      return "-H \"\(name): \(credential.secret.reveal())\""
    }
  }

  /// One word of a POSIX shell, taken as it is.
  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}

extension Source {
  /// The credentials of a run by what reads them in a shell, nothing of them looked up: the first that is set
  /// in the environment, else the first program or file; none where none is needed and none is set.
  func shellCredentials(in environment: [String: String]) -> Credentials {
    var credentials = Credentials()
    if let authorization, let word = Self.word(authorization.from, authorization.isOptional, environment) {
      let secret = Secret(word)
      switch authorization.scheme {
      case .header(let name, let prefix):
        credentials.authorization = PlacedCredential(
          place: .header(name), secret: secret.prefixed(by: prefix), provenance: "")
      case .query(let name):
        credentials.authorization = PlacedCredential(place: .query(name), secret: secret, provenance: "")
      case .basic(let userFrom):
        let user = Self.word(userFrom, false, environment) ?? ""
        credentials.authorization = PlacedCredential(
          place: .header("Authorization"),
          secret: Secret("Basic $(printf %s \"\(user):\(word)\" | base64 -w0)"), provenance: "")
      }
    }
    for secret in secrets {
      guard let word = Self.word(secret.from, secret.isOptional, environment) else { continue }
      credentials.secrets[secret.name] = Credentials.Finding(secret: Secret(word), provenance: "")
    }
    return credentials
  }

  private static func word(
    _ origins: [SecretOrigin], _ isOptional: Bool, _ environment: [String: String]
  ) -> String? {
    let set = origins.first { origin in
      if case .environment(let name) = origin { environment[name]?.isEmpty == false } else { false }
    }
    let other = origins.first { if case .environment = $0 { false } else { true } }
    guard let origin = set ?? other ?? (isOptional ? nil : origins.first) else { return nil }
    return switch origin {
    case .environment(let name): "$\(name)"
    case .command(let words): "$(\(words.joined(separator: " ")))"
    case .file(let path): "$(cat \(path))"
    }
  }
}
